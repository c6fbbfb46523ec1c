import { DaymarkError } from '../../base/errors.js'
import { isLater } from '../../base/later.js'
import { parseAsked } from '../../field/check.js'
import type { Bound, Json } from '../../field/field.js'
import type { Changes, Entry, HistoryStore } from '../../store/panel/history.js'
import { allow } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { DeniedError } from '../call/denied.js'
import { type Lens, meets } from '../call/lens.js'
import type { FieldChange, HistoryEntry } from '../outcomes/records.js'

/**
 * Where the history is kept, for a caller who may see that of a record which they may see.
 *
 * @throws DaymarkError `forbidden`, or `notFound` if none is kept
 */
export function allowHistory({ identity, realm, resource }: Call): HistoryStore {
  allow(realm, identity, resource, 'view')
  if (!realm.history || resource.history === false) throw new DaymarkError('notFound', realm.t('page.none'))
  if (!meets(resource.history, identity)) throw new DeniedError(realm)
  return realm.history
}

/** The value that a field had, from what is kept of it; undefined: the field could not have it today. */
export function pastValue(field: Bound, kept: Json): unknown {
  const value = kept === null ? null : parseAsked(field, kept)?.value
  if (!isLater(value)) return value
  // A kind may make its stored value in its own time, as a hash: that is not the one of then. Nobody waits for it to fail, either.
  Promise.resolve(value).catch(() => {})
  return undefined
}

/** An entry as a caller may see it; null: an update of nothing that is for them, so that they are not told of it, either. */
export function visibleEntry(lens: Lens, { changes, ...entry }: Entry & { readonly id: number }): SeenEntry | null {
  const seen = seenOf(lens, changes)
  return entry.action === 'update' && seen.length === 0 ? null : { ...entry, changes: seen }
}

type SeenEntry = Omit<HistoryEntry, 'restores'>

/** The changes of fields that the caller may see, in the order of the fields. */
function seenOf({ readable }: Lens, changes: Changes): readonly FieldChange[] {
  return [...readable.values()].flatMap((field) => {
    const change = Object.hasOwn(changes, field.key) ? changes[field.key] : undefined
    return change ? [{ field, before: change[0], after: change[1] }] : []
  })
}
