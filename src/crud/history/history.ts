import type { Row } from '../../store/store.js'
import { may, mayRecord } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf, rowObject } from '../call/lens.js'
import { tablesReady } from '../call/tables-ready.js'
import { entryCursor } from '../input/entry-cursor.js'
import { viewed } from '../input/viewed.js'
import type { FieldChange, History, HistoryEntry } from '../outcomes/records.js'
import { type Related, type RelatedRows, readTarget } from '../relation/related.js'
import { keysIn, relationsOf } from '../relation/relation.js'
import { withTrashed } from '../relation/trashed.js'
import { valuesBefore } from './restore.js'
import { allowHistory, pastValue, visibleEntry } from './visible-entry.js'

// Each entry may be as long as its record.
const perPage = 25

/** What was written to a record, the newest first: to the fields that the caller may see. */
export async function history(call: Call): Promise<History> {
  const { identity, resource, store } = call
  const kept = allowHistory(call)
  const before = entryCursor(call)
  const lens = lensOf(identity, resource, { name: 'detail', whole: true })
  const row = await viewed(call, lens)
  await tablesReady(call)
  const key = lens.key(row)
  // One more tells whether there are more.
  const found = await kept.of(store, resource.model, key, perPage + 1, before)
  const page = found.slice(0, perPage)
  const canTakeBack = takingBack(call, lens, row)
  const entries = page
    .map((entry) => visibleEntry(lens, entry))
    .filter((entry) => entry !== null)
    .map((entry) => ({ ...entry, restores: canTakeBack(entry) }))
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
    related: await relatedOf(
      call,
      lens,
      entries.flatMap((entry) => entry.changes),
    ),
  }
}

/** Whether a form can begin with the values from before a change. */
function takingBack(call: Call, lens: Lens, row: Row): (entry: Pick<HistoryEntry, 'action' | 'changes'>) => boolean {
  const { realm, identity, resource } = call
  if (!may(realm, identity, resource, 'update') || !mayRecord(identity, resource, 'update', rowObject(lens.columns, row)))
    return () => false
  return ({ action, changes }) => action !== 'create' && valuesBefore(call, lens, row, changes).size > 0
}

/** The records that relations led to, one query for each relation, if their labels are shown. */
export async function relatedOf(
  call: Call,
  lens: Lens,
  changes: readonly Pick<FieldChange, 'field' | 'before' | 'after'>[],
): Promise<Related> {
  const { realm, identity, wants } = call
  const related = new Map<string, RelatedRows>()
  if (!wants.labels) return related
  for (const { field, target } of relationsOf(realm, identity, lens)) {
    const own = changes.filter((change) => change.field === field)
    const known = own.flatMap(({ before, after }) => [before, after].flatMap((kept) => keysIn(field, pastValue(field, kept))))
    if (known.length === 0) continue
    const keys = [...new Set(known)]
    related.set(field.key, await withTrashed(call, target, await readTarget(identity, target, keys, realm.storeOf), keys))
  }
  return related
}
