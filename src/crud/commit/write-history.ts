import type { Bound, Json } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import type { Resource } from '../../resource/resource.js'
import type { Last } from '../../store/ending.js'
import type { Changes } from '../../store/panel/history.js'
import type { Row, Writes } from '../../store/store.js'
import { actual } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { isSameStored } from '../input/same-stored.js'

/** What a write does to a record. */
export type WriteKind = 'create' | 'update' | 'delete'

/** Whether writes of this call are kept in the history of their records. */
export const keepsHistory = ({ resource }: Pick<Call, 'resource'>): boolean => resource.history !== false

/**
 * Keeps what a write did to a record, in its transaction. Null: the record did not exist before, or does not exist any more.
 *
 * @param last ends the transaction with it, where nothing follows
 */
export async function writeHistory(
  { realm, identity, resource }: Call,
  { raw, last, lens }: { readonly raw: Writes; readonly last?: Last | undefined; readonly lens: Lens },
  write: WriteKind,
  before: Row | null,
  after: Row | null,
): Promise<void> {
  const changes = changesOf(lens, before, after)
  const action = write === 'update' && leavesTrash(resource, changes) ? 'restore' : write
  if (action === 'update' && Object.keys(changes).length === 0) return
  const { id: userId, name: userName } = actual(identity)
  const record = lens.key((after ?? before) as Row)
  await realm.history?.add(raw, last, resource.model, record, { at: new Date(), action, userId, userName, changes })
}

/** Whether an update takes a record out of the trash, whatever it writes besides. */
const leavesTrash = (resource: Resource, changes: Changes) => marksOf(resource, changes)?.[1] === false

/** Whether a delete puts a record into the trash: one for good tells of when it came there. */
export const entersTrash = (resource: Resource, changes: Changes) =>
  resource.softDelete !== null && marksOf(resource, changes)?.[0] !== true

/** Whether a record was in the trash before and after a write; undefined: that has not changed. */
function marksOf({ softDelete, trashOf }: Resource, changes: Changes): readonly boolean[] | undefined {
  const key = (softDelete ?? trashOf?.softDelete)?.column.key
  const change = key !== undefined && Object.hasOwn(changes, key) ? changes[key] : undefined
  return change?.map((value) => value !== null && value !== false)
}

/** What changed in the fields of a record, whoever may see them. */
function changesOf({ resource, at }: Lens, before: Row | null, after: Row | null): Changes {
  const kept = [...resource.fields.values()].filter((field) => isKept(field, resource))
  const changes = kept.flatMap((field) => {
    const i = at.get(field.key) as number
    const [was, is] = [legible(before?.[i]) ?? null, legible(after?.[i]) ?? null]
    return isSameStored(was, is) ? [] : [[field.key, [wireOf(was, field), wireOf(is, field)]] as const]
  })
  return Object.fromEntries(changes)
}

/** Not the key, which never changes; nor what changes with every write, is shown to nobody, or tells of other records. */
function isKept({ key, visible }: Bound, { model, version }: Lens['resource']): boolean {
  const column = model.columns.get(key)
  return key !== model.key.key && key !== version && visible !== false && !column?.drizzle.onUpdateFn && !column?.tally
}

/** Null for a secret: that it has changed is all that is kept. */
function wireOf(value: unknown, field: Bound): Json {
  return value === null || field.kind.secret ? null : (field.kind.wire(value, field) ?? null)
}
