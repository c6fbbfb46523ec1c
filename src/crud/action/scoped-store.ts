import { type KeyValue, keyText, parseKey } from '../../field/key.js'
import type { RecordId, ScopedQuery, ScopedStore, StoreOf } from '../../resource/action/action.js'
import { always } from '../../resource/condition/condition.js'
import { whereOf } from '../../resource/relation/reach.js'
import type { Resource } from '../../resource/resource.js'
import { allow, mayRecord, scopeOf, unrestricted } from '../call/allow.js'
import type { Call, ScopedStores } from '../call/call.js'
import { lensOf, rowObject } from '../call/lens.js'
import { track, type WriteTracker } from '../call/write-tracker.js'
import { checkColumns } from '../commit/check-columns.js'
import { commitNew } from '../commit/create.js'
import { commitDelete } from '../commit/delete.js'
import { normalizeValues } from '../commit/normalize-values.js'
import { commitValues } from '../commit/update.js'
import { findByKey, notFoundError } from '../input/key.js'

type Record_ = Record<string, unknown>

/** The stores that actions and hooks get. */
export const scopedStores: ScopedStores = { own: scopedStore, of: storeOf }

/** The `of` of actions and hooks: the store of any resource, for the same caller. */
function storeOf(call: Parameters<ScopedStores['of']>[0], tracker: WriteTracker, readOnly: boolean): StoreOf {
  return ((wanted: Resource) => {
    const resource = call.realm.resources.get(wanted.uriKey)
    if (resource !== wanted) throw new TypeError(`"${wanted.uriKey}" is not a resource of this panel`)
    return scopedStore({ ...call, resource, store: call.realm.storeOf(resource) }, tracker, readOnly)
  }) as StoreOf
}

/** A store with the records of a resource that the caller may see and change. */
function scopedStore(given: Call, tracker: WriteTracker, readOnly: boolean): ScopedStore<Record_, Record_> {
  // The versions in the request do not apply to these records.
  const call: Call = { ...given, input: { ...given.input, ifMatch: null, ifNoneMatch: null } }
  const { identity, realm, resource, store } = call
  const { model } = resource
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const read = <T>(work: () => Promise<T>) => track(tracker, null, work)
  const write = <T>(name: string, work: () => Promise<T>) =>
    track(tracker, `\`${name}\` of "${resource.uriKey}"`, async () => {
      if (readOnly) throw new Error(`A safe action only reads, and this one writes to "${resource.uriKey}"`)
      try {
        const written = await work()
        tracker.wrote = true
        return written
      } catch (thrown) {
        tracker.refused ??= { by: thrown }
        throw thrown
      }
    })
  return {
    find: (id) =>
      read(async () => {
        allow(realm, identity, resource, 'view')
        const key = keyOf(id, call)
        const row = key === undefined ? null : await findByKey(store, model, key, lens, scopeOf(identity, resource))
        const record = row && rowObject(lens.columns, row)
        return record && mayRecord(identity, resource, 'view', record) ? record : null
      }),
    list: ({ where, sortColumn = model.key.key, sortDirection = 'ASC', limit = 500, offset = 0 }: ScopedQuery<Record_> = {}) =>
      read(async () => {
        allow(realm, identity, resource, 'viewAny')
        checkCount('limit', limit)
        checkCount('offset', offset)
        const by = { column: sortColumn, direction: sortDirection }
        const rows = await store.list(model, {
          columns: lens.columns,
          where: scopeOf(identity, resource, where ? whereOf(resource, where, realm.timeZone) : always),
          order: sortColumn === model.key.key ? [by] : [by, { column: model.key.key, direction: sortDirection }],
          limit,
          offset,
        })
        return rows.map((row) => rowObject(lens.columns, row))
      }),
    count: (where) =>
      read(async () => {
        allow(realm, identity, resource, 'viewAny')
        return store.count(model, scopeOf(identity, resource, where ? whereOf(resource, where, realm.timeZone) : always))
      }),
    create: (values) =>
      write('create', async () => {
        allow(realm, identity, resource, 'create')
        checkColumns(`\`create\` of "${resource.uriKey}"`, resource, values)
        return rowObject(lens.columns, await commitNew(call, normalizeValues(model, values)))
      }),
    update: (id, values) =>
      write('update', async () => {
        allow(realm, identity, resource, 'update')
        checkColumns(`\`update\` of "${resource.uriKey}"`, resource, values)
        return rowObject(lens.columns, await commitValues(call, thereOf(id, call), normalizeValues(model, values)))
      }),
    delete: (id) =>
      write('delete', async () => {
        allow(realm, identity, resource, 'delete')
        await commitDelete(call, thereOf(id, call))
      }),
    get unrestricted() {
      return scopedStore({ ...call, identity: unrestricted(identity) }, tracker, readOnly)
    },
  }
}

/** @throws TypeError for an invalid count: some stores would treat one as "all records" */
function checkCount(name: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) throw new TypeError(`${name} must be a whole number of at least 0, not ${count}`)
}

function thereOf(id: RecordId, call: Call): KeyValue {
  const key = keyOf(id, call)
  if (key === undefined) throw notFoundError(call)
  return key
}

function keyOf(id: RecordId, { resource }: Call): KeyValue | undefined {
  return parseKey(keyText(id), resource.model.key)
}
