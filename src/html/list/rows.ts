import type { Html } from '../../base/html.js'
import { html } from '../../base/html.js'
import { numberText } from '../../base/number.js'
import type { Realm } from '../../crud/call/call.js'
import { meetsEditableWhen } from '../../crud/call/editable-when.js'
import { type Lens, rowObject, type Shown } from '../../crud/call/lens.js'
import { computedText, isNumeric } from '../../crud/form/computed-text.js'
import { isHistoryList } from '../../crud/relation/history-subjects.js'
import { labelOf } from '../../crud/relation/label.js'
import { relatedWords } from '../../crud/relation/related-label.js'
import type { ViewContext } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import { nextTexts, nextValues } from '../../field/next-values.js'
import { labelName } from '../../resource/label.js'
import type { Row } from '../../store/store.js'
import { type ChangeAttributes, cellOf } from '../components/row.js'
import type { Column } from '../components/table.js'
import { type CellContent, noValue, type RowContext, relatedContext } from '../frame/cell-content.js'
import { fileUrls } from '../frame/record-urls.js'
import { cellContext } from '../frame/view-context.js'
import { isInPlace } from './edit-in-place.js'
import { changeContent } from './history-cells.js'

type Cell = (row: Row, around: RowContext) => Html

/** The columns of a lens, without sort links, which depend on the URL. */
export type BareColumn = Omit<Column, 'sort'>

interface RowMaker {
  readonly columns: readonly BareColumn[]
  /** A row's cells. */
  cells(row: Row, around: RowContext): readonly Html[]
  /** The contents of the cells. */
  values(row: Row, around: RowContext): readonly Html[]
  /** The same, with the texts of their tooltips. */
  contents(row: Row, around: RowContext): readonly CellContent[]
}

const makers = new WeakMap<Realm, WeakMap<Lens, RowMaker>>()

/** Draws rows. Made once for each lens, since visibility depends on roles. */
export function rowMaker(realm: Realm, lens: Lens): RowMaker {
  let known = makers.get(realm)
  if (!known) {
    known = new WeakMap()
    makers.set(realm, known)
  }
  let maker = known.get(lens)
  if (!maker) {
    const columns = columnsOf(lens)
    const contents = lens.shown.map((shown, i) => makeContent(realm, lens, shown, columns[i]?.first ?? false))
    const cells = contents.map((content, i) => makeCell(realm, lens, content, columns[i] as BareColumn, i))
    maker = {
      columns,
      cells: (row, around) => cells.map((cell) => cell(row, around)),
      contents: (row, around) => contents.map((content) => content(row, around)),
      values: (row, around) => contents.map((content) => content(row, around).value),
    }
    known.set(lens, maker)
  }
  return maker
}

// What fits on a phone's card.
const metas = 3

function columnsOf({ shown, resource }: Lens): readonly BareColumn[] {
  const { display, model } = resource
  // What an entry of all changes tells of is linked by itself.
  const title = isHistoryList(resource) ? 'at' : labelName(resource)
  const first = shown.find(({ key }) => key === title) ?? shown.find(isTelling) ?? shown[0]
  const meta = shown.filter((one) => one !== first && one.key !== model.key.key && !('field' in one && one.field.kind.long)).slice(0, metas)
  const alignOf = (one: Shown) => ('field' in one ? one.field.kind.align : isNumeric(one.computed) ? 'end' : 'start')
  // The last place of the second line has the room that is left for a label. A control stays where the tab key finds it.
  const last = meta.findLast(
    (one) => alignOf(one) === 'end' && !display.has(one.key) && (one === meta.at(-1) || !('field' in one && isInPlace(one.field))),
  )
  return shown.map((one) => ({
    key: one.key,
    label: 'field' in one ? one.field.label : one.computed.label,
    align: alignOf(one),
    first: one === first,
    meta: meta.includes(one),
    named: one === last || (alignOf(one) === 'center' && meta.includes(one)),
    copy: 'field' in one && (one.field.kind.copyable || one.field.own.copyable === true) && !display.has(one.key),
  }))
}

/** Whether a value says by itself which record it is of, as a number does not. */
const isTelling = (one: Shown) => 'field' in one && one.field.kind.align === 'start' && !one.field.kind.many(one.field)

function makeCell(realm: Realm, lens: Lens, content: MakeContent, column: BareColumn, cellNumber: number): Cell {
  const cell = cellOf({ ...column, sort: null })
  const { tdAttributes } = lens.resource.table
  return (row, around) => {
    const { value, title } = content(row, around)
    const inside =
      column.first && around.href !== null
        ? html`<a href="${around.href}">${linked(value, lens, row, lens.shown[cellNumber] as Shown, around, realm)}</a>`
        : value
    return cell(inside, title, tdAttributes ? change(tdAttributes, around, cellNumber) : undefined)
  }
}

function change(
  tdAttributes: NonNullable<Lens['resource']['table']['tdAttributes']>,
  around: RowContext,
  cellNumber: number,
): ChangeAttributes {
  return (own) => tdAttributes(around.record, around.rowNumber, cellNumber, own)
}

/** The value inside a link to its record. A value that is a link itself (a URL, an email address) becomes text, since links cannot nest. */
function linked(value: Html, lens: Lens, row: Row, shown: Shown, { related }: RowContext, realm: Realm): Html {
  if (!String(value).includes('<a ')) return value
  if (shown.key === labelName(lens.resource) || !('field' in shown)) return html`${labelOf(lens, row)}`
  const { field, at } = shown
  const stored = legible(row[at])
  const other = field.kind.relation ? related.get(field.key) : undefined
  return html`${(other && relatedWords(other, field, stored, realm.locale, realm.t)) ?? field.kind.text(stored as never, field, realm)}`
}

type MakeContent = (row: Row, around: RowContext) => CellContent

// Longer texts may be truncated in a cell.
const short = 30
const inTooltip = 20

const isEmpty = (value: unknown): value is null | undefined | '' =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

/** @param first whether it links to its record, so that no control has room in it */
function makeContent(realm: Realm, lens: Lens, shown: Shown, first: boolean): MakeContent {
  if (!('field' in shown)) {
    return (row) => {
      const value = shown.value(row)
      const text = computedText(value, shown.computed, realm)
      if (text === null) return { value: noValue, title: null }
      if (typeof value === 'number') return { value: html`<span class="number">${text}</span>`, title: null }
      return { value: html`${text}`, title: text.length > short ? text : null }
    }
  }
  const { field, at } = shown
  const told = changeContent(realm, lens, field)
  if (told) return told
  const alone = cellContext(realm, field)
  const inList = { ...alone, inWords: false }
  const display = lens.resource.display.get(field.key)
  const inPlace = isInPlace(field)
  const live = inPlace && !first && !display ? field.kind.live : null
  // The path of a file tells people nothing, nor do the marks of formatted text; of other values, the text is made faster than words.
  const full = field.kind.file || field.kind.preview ? field.kind.words : field.kind.text
  return (row, { related, relatedUrl, files, record, inWords, save, roles }) => {
    const ctx = inWords ? alone : inList
    const value = legible(row[at])
    const saves = inPlace && save && meetsEditableWhen(lens.resource, field, realm.timeZone, lens.at, row) ? save(field) : null
    if (live && saves && saves.instead === null) {
      const text = value === null || value === undefined ? '' : field.kind.text(value as never, field, realm)
      const seen = isEmpty(value) ? noValue : field.kind.cell(value as never, field, ctx)
      const next = nextTexts(field, nextValues(field, value, roles), realm)
      return { value: live(text, field, { ...ctx, next, save: { ...saves, shown: seen } }), title: null }
    }
    if (isEmpty(value)) return { value: noValue, title: null }
    if (display) return { value: html`${display(value, record)}`, title: null }
    const other = field.kind.relation
      ? relatedContext(ctx, field, related, value, (key, trashed) => relatedUrl(field.key, key, trashed))
      : saves
        ? { ...ctx, save: saves }
        : field.kind.file && files !== null
          ? { ...ctx, fileUrl: fileUrls(files, field) }
          : ctx
    // The stored text may not be for display: the kind converts it.
    const text = typeof value === 'string' ? full(value, field, realm) : namesOf(other.chosen, realm)
    return { value: field.kind.cell(value, field, other), title: text.length > short ? text : null }
  }
}

/** The names of related records, as many as a tooltip has room for. */
function namesOf(chosen: ViewContext['chosen'], { locale }: Realm): string {
  const rest = chosen.length - inTooltip
  const names = chosen.slice(0, inTooltip).map(({ label }) => label)
  return `${names.join(', ')}${rest > 0 ? ` +${numberText(locale, rest)}` : ''}`
}

/** A row as the object passed to callbacks. */
export function recordOf(lens: Lens, row: Row): Record<string, unknown> {
  return lens.whole ? rowObject(lens.columns, row) : {}
}
