import { DaymarkError, invalid } from '../base/errors.js'
import { isLater } from '../base/later.js'
import { parseAsked } from '../field/check.js'
import type { Bound, Json } from '../field/field.js'
import type { Changes } from '../store/panel/history.js'
import { allow, allowRow, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { DeniedError } from './denied.js'
import { findByKey, keyOf, notThere } from './key.js'
import { type Lens, lensOf, meets } from './lens.js'
import type { FieldChange, History, HistoryEntry } from './outcome.js'
import { keysIn, type Related, type RelatedRows, readTarget, relationsOf } from './related.js'
import { scalar } from './scalar.js'
import { tablesReady } from './tables-ready.js'

// Each entry may be as long as its record.
const perPage = 25

/** What was written to a record, the newest first: to the fields that the caller may see. */
export async function history(call: Call): Promise<History> {
  const { identity, realm, resource, store } = call
  allow(realm, identity, resource, 'view')
  if (!realm.history || resource.history === false) throw new DaymarkError('notFound', realm.t('page.none'))
  if (!meets(resource.history, identity)) throw new DeniedError(realm)
  const before = cursorOf(call)
  const lens = lensOf(identity, resource, { name: 'detail', whole: true })
  const row = await findByKey(store, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!row) throw notThere(call)
  allowRow(realm, identity, resource, 'view', lens.columns, row)
  await tablesReady(call)
  const key = lens.key(row)
  // One more tells whether there are more.
  const found = await realm.history.of(store, resource.model, key, perPage + 1, before)
  const page = found.slice(0, perPage)
  const entries = page
    .map(({ changes, ...entry }) => ({ ...entry, changes: seenOf(lens, changes) }))
    .filter(({ action, changes }) => action !== 'update' || changes.length > 0)
  return {
    is: 'history',
    resource,
    lens,
    row,
    key,
    entries,
    perPage,
    isFirst: before === null,
    nextCursor: found.length > perPage ? String(page.at(-1)?.id) : null,
    related: await relatedOf(call, lens, entries),
  }
}

/** The value that a field had, from what is kept of it; undefined: the field could not have it today. */
export function valueThen(field: Bound, kept: Json): unknown {
  const value = kept === null ? null : parseAsked(field, kept)?.value
  if (!isLater(value)) return value
  // A kind may make its stored value in its own time, as a hash: that is not the one of then. Nobody waits for it to fail, either.
  Promise.resolve(value).catch(() => {})
  return undefined
}

/** The id of the entry before which the page begins; null: it is the first page. */
function cursorOf({ input: { query }, realm: { t }, wants: { strict } }: Call): number | null {
  const text = scalar(query, 'cursor', t)
  if (text === '') return null
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  if (strict) throw invalid('cursor', t('query.badCursor'))
  return null
}

/** The changes of fields that the caller may see, in the order of the fields. */
function seenOf({ readable }: Lens, changes: Changes): readonly FieldChange[] {
  return [...readable.values()].flatMap((field) => {
    const change = Object.hasOwn(changes, field.key) ? changes[field.key] : undefined
    return change ? [{ field, before: change[0], after: change[1] }] : []
  })
}

/** The records that relations led to, one query for each relation, if their labels are shown. */
async function relatedOf({ realm, identity, wants }: Call, lens: Lens, entries: readonly HistoryEntry[]): Promise<Related> {
  const related = new Map<string, RelatedRows>()
  if (!wants.labels) return related
  const changes = entries.flatMap((entry) => entry.changes)
  for (const { field, target } of relationsOf(realm, identity, lens)) {
    const own = changes.filter((change) => change.field === field)
    const known = own.flatMap(({ before, after }) => [before, after].flatMap((kept) => keysIn(field, valueThen(field, kept))))
    if (known.length > 0) related.set(field.key, await readTarget(identity, target, [...new Set(known)], realm.storeOf))
  }
  return related
}
