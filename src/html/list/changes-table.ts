import { type Html, html } from '../../base/html.js'
import type { Realm } from '../../crud/call/call.js'
import type { EntryChange } from '../../crud/history/entry-changes.js'
import { pastValue } from '../../crud/history/visible-entry.js'
import type { HistoryEntry } from '../../crud/outcomes/records.js'
import type { Related } from '../../crud/relation/related.js'
import type { Bound, Json } from '../../field/field.js'
import { noValue, relatedContext } from '../frame/cell-content.js'
import { cellContext } from '../frame/view-context.js'

interface Changed {
  readonly realm: Realm
  readonly related: Related
  /** The URL of a related record; null if the caller may not see it. */
  relatedUrl(field: string, key: string, trashed: boolean): string | null
}

/** What a write changed: before and after, or what there was at all; null: nothing. */
export function changesTable(action: HistoryEntry['action'], changes: readonly EntryChange[], at: Changed): Html | null {
  const { t } = at.realm
  if (changes.length === 0) return null
  const isWhole = action === 'create' || action === 'delete'
  const labels = isWhole ? [t('history.field'), t('history.value')] : [t('history.field'), t('history.before'), t('history.after')]
  const sides = ({ before, after }: EntryChange) => (action === 'create' ? [after] : action === 'delete' ? [before] : [before, after])
  const rows = changes.map(
    (one) => html`<tr><th scope="row">${one.label}</th>${valuesOf(one, sides(one), at).map((value) => html`<td>${value}</td>`)}</tr>`,
  )
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
}

function valuesOf({ field, before, after }: EntryChange, sides: readonly Json[], at: Changed): readonly Html[] {
  // Of what is a secret, or was one when it had a field, only that it changed.
  const isSecret = field ? field.kind.secret : before === null && after === null
  if (isSecret) return sides.map((_, i) => (i < sides.length - 1 ? noValue : html`${at.realm.t('history.secret')}`))
  return sides.map((one) => (field ? drawn(field, one, at) : one === null ? noValue : plainly(one)))
}

const plainly = (kept: Json) => html`${typeof kept === 'string' ? kept : JSON.stringify(kept)}`

function drawn(field: Bound, kept: Json, { realm, related, relatedUrl }: Changed): Html {
  const value = pastValue(field, kept)
  if (value === null || value === '') return noValue
  // The kind could not hold it today.
  if (value === undefined) return plainly(kept)
  const context = relatedContext(cellContext(realm, field), field, related, value, (key, trashed) => relatedUrl(field.key, key, trashed))
  const text = typeof kept === 'string' ? kept : ''
  return text.length > long
    ? folded(field.kind.cell(value, field, context), field.kind.words(value, field, realm))
    : field.kind.cell(value, field, context)
}

// About what six lines of a card hold.
const long = 300
const begins = 120

/** A long text is folded: it stands there twice, however little of it has changed. */
function folded(value: Html, text: string): Html {
  return html`<details><summary>${text.slice(0, begins).toWellFormed().replace(/…$/, '')}&hellip;</summary>${value}</details>`
}
