import { type Html, html } from '../../base/html.js'
import { capitalised } from '../../base/humanise.js'
import type { Realm } from '../../crud/call/call.js'
import { type Lens, lensOf } from '../../crud/call/lens.js'
import { valueWords } from '../../crud/call/value-words.js'
import { entersTrash } from '../../crud/commit/write-history.js'
import { entryChanges, storedChanges } from '../../crud/history/entry-changes.js'
import { entrySubject } from '../../crud/history/entry-subject.js'
import type { HistoryEntry, Shown } from '../../crud/outcomes/records.js'
import { isHistoryList, resourceOf } from '../../crud/relation/history-subjects.js'
import type { Related } from '../../crud/relation/related.js'
import type { PresenterContext } from '../../face/face.js'
import type { Bound } from '../../field/field.js'
import { relatedShown } from '../../field/related-shown.js'
import type { Row } from '../../store/store.js'
import { type CellContent, noValue, type RowContext } from '../frame/cell-content.js'
import { relatedUrls } from '../frame/record-urls.js'
import { cellContext } from '../frame/view-context.js'
import { changesTable } from './changes-table.js'

type Beside = Pick<RowContext, 'related' | 'relatedUrl' | 'inWords'>

/** How the list of all changes shows what an entry tells of, in the words of its resource; null: the field says it by itself. */
export function changeContent(realm: Realm, lens: Lens, field: Bound): ((row: Row, around: Beside) => CellContent) | null {
  const cell = isHistoryList(lens.resource) && Object.hasOwn(cells, field.key) ? cells[field.key as keyof typeof cells] : null
  return cell && ((row, around) => cell(realm, lens, row, around))
}

const cells = {
  of(realm: Realm, lens: Lens, row: Row, { inWords }: Beside): CellContent {
    const [table, name] = [textAt(lens, row, 'of'), subjectKind(realm, lens, row)]
    return { value: inWords && name !== table ? html`${name} <span class="muted">${table}</span>` : html`${name}`, title: table }
  },
  record(realm: Realm, lens: Lens, row: Row, around: Beside): CellContent {
    const { key, label, trashed, name } = entrySubject(lens, row, around.related)
    const href = name === null ? null : around.relatedUrl(name, key, trashed)
    const ctx = { ...cellContext(realm, lens.readable.get('record') as Bound), inWords: around.inWords }
    const shown = relatedShown({ key, label, href, trashed }, ctx)
    if (around.inWords) return { value: label === key ? shown : html`${shown} <span class="muted">${key}</span>`, title: null }
    // A card on a phone has no column for what it is.
    return { value: html`<span class="phone-only">${subjectKind(realm, lens, row)}</span> ${shown}`, title: key }
  },
  /** A delete for good follows one into the trash, so each says which it is. */
  action(realm: Realm, lens: Lens, row: Row): CellContent {
    const of = resourceOf(realm, textAt(lens, row, 'of'))
    const action = textAt(lens, row, 'action')
    if (action === 'delete' && of && lens.at.has('changes') && entersTrash(of, storedChanges(lens, row)))
      return { value: html`<span class="badge bad" data-value="delete">${realm.t('history.trashed')}</span>`, title: null }
    const field = lens.readable.get('action') as Bound
    return { value: field.kind.cell(action as never, field, cellContext(realm, field)), title: null }
  },
  /** Which fields an update changed. A new record has all of them. */
  changes(realm: Realm, lens: Lens, row: Row): CellContent {
    const changed = textAt(lens, row, 'action') === 'update' ? entryChanges(resourceOf(realm, textAt(lens, row, 'of')), lens, row) : []
    const text = changed.map(({ label }) => label).join(', ')
    return text === '' ? { value: noValue, title: null } : { value: html`${text}`, title: text }
  },
}

const textAt = (lens: Lens, row: Row, column: string): string => String(row[lens.at.get(column) as number])

/** What the panel calls such a record: `City`; else its table. */
function subjectKind(realm: Realm, lens: Lens, row: Row): string {
  const table = textAt(lens, row, 'of')
  const of = resourceOf(realm, table)
  return of ? capitalised(of.singular ?? of.title) : table
}

/** What the record of an entry is called: `City Ghent`. */
const entryName = (realm: Realm, lens: Lens, row: Row, related: Related) =>
  `${subjectKind(realm, lens, row)} ${entrySubject(lens, row, related).label}`

/** The heading of an entry of the list of all changes: `City Ghent`; null: the resource is another one. */
export function changeHeading({ resource, lens, row, related }: Shown, { realm }: PresenterContext): string | null {
  return isHistoryList(resource) ? entryName(realm, lens, row, related) : null
}

/** What an entry is called where its row is not seen: `City Ghent, Nov 30, 2026, 10:15`; null: the resource is another one. */
export function changeLabel(realm: Realm, lens: Lens, row: Row, related: Related): string | null {
  if (!isHistoryList(lens.resource) || !lens.at.has('of') || !lens.at.has('record')) return null
  const [at, field] = [lens.at.get('at'), lens.readable.get('at')]
  const time = at !== undefined && field ? [valueWords(field, row[at], realm)] : []
  return [entryName(realm, lens, row, related), ...time].join(', ')
}

/** What an entry of the list of all changes changed, on its page; null: nothing, or the resource is another one. */
export function changeCard({ resource, lens, row, related }: Shown, at: PresenterContext): Html | null {
  const { realm, identity } = at
  if (!isHistoryList(resource) || !lens.readable.has('changes')) return null
  const of = resourceOf(realm, textAt(lens, row, 'of'))
  const action = textAt(lens, row, 'action') as HistoryEntry['action']
  const relatedUrl = of && identity ? relatedUrls(at, lensOf(identity, of, { name: 'record', whole: true })) : () => null
  const table = changesTable(action, entryChanges(of, lens, row), { realm, related, relatedUrl })
  return table && html`<section class="card history" aria-label="${realm.t('history.changes')}">${table}</section>`
}
