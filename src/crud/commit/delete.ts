import { DaymarkError } from '../../base/errors.js'
import { isFoundExactly, type KeyValue } from '../../field/key.js'
import type { Reads, Row } from '../../store/store.js'
import { allowRow, asksRecord, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, rowObject } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { notFoundError, rowKeyOf } from '../input/key.js'
import { isSameStored } from '../input/same-stored.js'
import { allowEach } from '../query/allow-each.js'
import { findAllByKeys } from '../query/selection.js'
import { labelOf } from '../relation/label.js'
import { auditWrite, isAudited } from './audit.js'
import { losesComments, removeComments } from './comments-kept.js'
import { commit, findStored, findVisible, holdsFiles, isTrusted, requireRow, type Tx, unchangedError, type WriteContext } from './commit.js'
import { releaseFiles } from './record-files.js'
import { runHook } from './run-hook.js'
import { queueSettled } from './settle.js'
import { isAnyVersion, matchVersion } from './version.js'

/**
 * Deletes a record, or marks it as deleted.
 *
 * @param named whether to return the record's label, for which it is read first
 */
export function commitDelete(call: Call, key: KeyValue, named = false): Promise<string | null> {
  const { resource, identity, realm, input } = call
  return commit(
    call,
    async ({ tx, raw, lens, last }) => {
      const { model, hooks } = resource
      if (
        last?.can('delete', model) &&
        !named &&
        !resource.softDelete &&
        isFoundExactly(model.key) &&
        isTrusted(call) &&
        !isAudited(call) &&
        !losesComments(call) &&
        !holdsFiles(call) &&
        !asksRecord(resource, 'delete') &&
        isAnyVersion(input)
      ) {
        if (!(await last.delete(model, key, scopeOf(identity, resource)))) throw notFoundError(call)
        return null
      }
      const found = requireRow(call, await findVisible(call, tx, lens, key))
      allowRow(realm, identity, resource, 'delete', lens.columns, found)
      matchVersion(call, lens, found)
      const label = named ? labelOf(visibleLens(call, lens, found), found) : null
      const { afterDelete } = hooks
      const [row] = hooks.beforeDelete ? await askedToDelete(call, { tx, raw, lens }, [found]) : [found]
      if (!row) return label
      const record = rowObject(lens.columns, row)
      if (isAudited(call)) await auditWrite(call, { raw, lens }, 'delete', row, null)
      await removeComments(call, raw, lens, [row])
      if (last?.can('delete', model) && !afterDelete && !holdsFiles(call) && !resource.softDelete) {
        if (!(await last.delete(model, key))) throw unchangedError(call)
        return label
      }
      queueSettled(call, raw, row, null)
      const count = await deletedBy(call, tx, [key])
      if (count === 0 && isSameStored(await findVisible(call, tx, lens, key), row)) throw unchangedError(call)
      // A trigger that only hides the record leaves it its files.
      if (holdsFiles(call) && count > 0 && !resource.softDelete) await releaseFiles(call, { raw, lens }, row)
      if (afterDelete) await runHook(call, raw, (context) => afterDelete({ ...context, record }))
      return label
    },
    isTrusted(call),
    () => [key],
  )
}

/** Deletes all of the records or none, and returns their keys. `keysOf` runs inside the transaction. */
export async function commitDeleteMany(call: Call, keysOf: (tx: Reads) => Promise<readonly KeyValue[]>): Promise<readonly KeyValue[]> {
  const { resource } = call
  let keys: readonly KeyValue[] = []
  await commit(
    call,
    async ({ tx, raw, lens }) => {
      keys = await keysOf(tx)
      const found = await findAllByKeys(call, lens, tx, keys)
      allowEach(call, found, 'massDelete', keys.length)
      const rows = await askedToDelete(call, { tx, raw, lens }, found)
      const records = rows.map((row) => rowObject(lens.columns, row))
      const { afterDelete } = resource.hooks
      if (isAudited(call)) await Promise.all(rows.map((row) => auditWrite(call, { raw, lens }, 'delete', row, null)))
      await removeComments(call, raw, lens, rows)
      for (const row of rows) queueSettled(call, raw, row, null)
      const left = rows.map(rowKeyOf(lens))
      const count = await deletedBy(call, tx, left)
      if (count < rows.length) await checkNoneKept(call, tx, lens, rows)
      if (holdsFiles(call) && !resource.softDelete) {
        const kept = new Set(count < rows.length ? (await tx.findMany(resource.model, left, lens.columns)).map(lens.key) : [])
        await Promise.all(rows.flatMap((row) => (kept.has(lens.key(row)) ? [] : releaseFiles(call, { raw, lens }, row))))
      }
      if (afterDelete) for (const record of records) await runHook(call, raw, (context) => afterDelete({ ...context, record }))
    },
    isTrusted(call),
    () => keys,
  )
  return keys
}

/**
 * Asks `beforeDelete` about each of the records. What it deletes or changes of the others is done: returns those that are still there, as
 * they are then.
 */
async function askedToDelete(call: Call, { tx, raw, lens }: Omit<WriteContext, 'last'>, found: readonly Row[]): Promise<readonly Row[]> {
  const { model, hooks, records } = call.resource
  const { beforeDelete } = hooks
  if (!beforeDelete) return found
  const key = rowKeyOf(lens)
  let wroteAny = false
  for (const row of found) {
    const now: Row | null = wroteAny ? await findStored(call, tx, lens, key(row)) : row
    if (!now) continue
    const record = rowObject(lens.columns, now)
    const asked = await runHook<unknown>(call, raw, (context) => beforeDelete({ ...context, record }))
    wroteAny ||= asked.wrote
  }
  if (!wroteAny) return found
  const there = new Map((await tx.findMany(model, found.map(key), lens.columns, records)).map((row) => [lens.key(row), row]))
  return found.map((row) => there.get(lens.key(row))).filter((row) => row !== undefined)
}

/** Deletes records, or marks them as deleted. Returns how many there were. */
async function deletedBy({ resource: { model, softDelete } }: Call, tx: Tx, keys: readonly KeyValue[]): Promise<number> {
  if (keys.length === 0) return 0
  if (!softDelete) return keys.length === 1 ? tx.delete(model, keys[0]) : tx.deleteMany(model, keys)
  const values = softDelete.deleting()
  const counts = await Promise.all(keys.map((key) => tx.update(model, key, values)))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function checkNoneKept(call: Call, tx: Reads, lens: Lens, before: readonly Row[]): Promise<void> {
  const { realm, identity, resource } = call
  const rows = await tx.findMany(resource.model, before.map(rowKeyOf(lens)), lens.columns, scopeOf(identity, resource))
  const now = new Map(rows.map((row) => [lens.key(row), row]))
  const keys = before.filter((row) => isSameStored(now.get(lens.key(row)), row)).map(lens.key)
  if (keys.length === 0) return
  const text = realm.t('record.keptOf', { keys: keys.join(', ') })
  throw new DaymarkError('conflict', text, { errors: [['ids', [text]]] })
}
