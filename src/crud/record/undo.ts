import { randomUUID } from 'node:crypto'
import { type KeyValue, keyText } from '../../field/key.js'
import type { Resource } from '../../resource/resource.js'
import { trashIn } from '../../resource/trash-resource.js'
import type { Row } from '../../store/store.js'
import { asksRecord, may, mayRecord, mayRow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, rowObject } from '../call/lens.js'
import type { Undo } from '../outcomes/records.js'

/** How a delete of these records could be taken back; null: it cannot, or not by this caller. */
export function undoOf({ realm, identity, resource }: Call, lens: Lens, rows: readonly Row[]): Undo | null {
  const trash = restorable({ realm, identity, resource })
  const marks = resource.softDelete?.deleting()
  const allowed = (row: Row) => trash !== null && mayRecord(identity, trash, 'delete', { ...rowObject(lens.columns, row), ...marks })
  return trash && rows.every(allowed) ? { trash, keys: rows.map(lens.key), once: randomUUID() } : null
}

/** How to take a delete back that is done: asks the store what is in the trash by now. Only people are told, so no program waits for it. */
export async function undoOfDeleted(call: Call, keys: readonly KeyValue[]): Promise<Undo | null> {
  const { realm, identity } = call
  const trash = restorable(call)
  if (!trash) return null
  const { key } = trash.model.key
  const columns = asksRecord(trash, 'delete') ? [...trash.model.columns.keys()] : [key]
  // The delete is done. If this cannot be found out, its answer is still what it says.
  const rows = await realm
    .storeOf(trash)
    .findMany(trash.model, keys, columns, scopeOf(identity, trash))
    .catch(() => [])
  const allowed = (row: Row) => mayRow(identity, trash, 'delete', columns, row)
  return rows.length === keys.length && rows.every(allowed) ? { trash, keys: keys.map(keyText), once: randomUUID() } : null
}

/** The trash from which the caller may restore; null: there is none. */
function restorable({ realm, identity, resource }: Pick<Call, 'realm' | 'identity' | 'resource'>): Resource | null {
  const trash = trashIn(realm.resources, resource)
  return trash && may(realm, identity, trash, 'delete') ? trash : null
}
