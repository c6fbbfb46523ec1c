import { DaymarkError } from '../base/errors.js'
import { type KeyValue, keyText, parseKey } from '../field/key.js'
import type { RecordId, ScopedQuery, ScopedStore } from '../resource/action.js'
import { always, condition } from '../resource/condition.js'
import type { Reads, Store, Writes } from '../store/store.js'
import { allow, mayRecord, scopeOf } from './allow.js'
import type { Call, Realm } from './call.js'
import { commitDelete, commitNew, commitValues } from './commit.js'
import { notThere } from './key.js'
import { lensOf, rowObject } from './lens.js'

type Record_ = Record<string, unknown>

/** What became of the writes of an action: one that was refused takes all of it back, whatever the action makes of the refusal. */
export interface Fate {
  refused: { readonly by: unknown } | null
}

/** The records of a resource as the caller of an action may see and change them. */
export function scopedStore(given: Call, fate: Fate, readOnly: boolean): ScopedStore<Record_, Record_> {
  // What the request says of versions is said of no record here.
  const call: Call = { ...given, input: { ...given.input, ifMatch: null } }
  const { identity, realm, resource, store } = call
  const { model } = resource
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    if (readOnly) throw new Error(`A safe action only reads, and this one writes to "${resource.uriKey}"`)
    try {
      return await work()
    } catch (thrown) {
      fate.refused ??= { by: thrown }
      throw thrown
    }
  }
  return {
    async find(id) {
      allow(realm, identity, resource, 'view')
      const key = keyOf(id, call)
      const row = key === undefined ? null : await store.find(model, key, lens.columns, scopeOf(identity, resource))
      const record = row && rowObject(lens.columns, row)
      return record && mayRecord(identity, resource, 'view', record) ? record : null
    },
    async list({ where, sortColumn = model.key.key, sortDirection = 'ASC', limit = 500, offset = 0 }: ScopedQuery<Record_> = {}) {
      allow(realm, identity, resource, 'viewAny')
      const by = { column: sortColumn, direction: sortDirection }
      const rows = await store.list(model, {
        columns: lens.columns,
        where: scopeOf(identity, resource, where ? condition(where, model.columns) : always),
        order: sortColumn === model.key.key ? [by] : [by, { column: model.key.key, direction: sortDirection }],
        limit,
        offset,
      })
      return rows.map((row) => rowObject(lens.columns, row))
    },
    async count(where) {
      allow(realm, identity, resource, 'viewAny')
      return store.count(model, scopeOf(identity, resource, where ? condition(where, model.columns) : always))
    },
    create: (values) =>
      write(async () => {
        allow(realm, identity, resource, 'create')
        return rowObject(lens.columns, (await commitNew(call, values)).row)
      }),
    update: (id, values) =>
      write(async () => {
        allow(realm, identity, resource, 'update')
        return rowObject(lens.columns, (await commitValues(call, thereOf(id, call), values)).row)
      }),
    delete: (id) =>
      write(async () => {
        allow(realm, identity, resource, 'delete')
        await commitDelete(call, thereOf(id, call))
      }),
  }
}

/** The call with every write and read of its database in one transaction. */
export function joined<C extends Pick<Call, 'realm' | 'store'>>(call: C, tx: Reads & Writes): C {
  const store: Store = {
    list: (...asked) => tx.list(...asked),
    count: (...asked) => tx.count(...asked),
    sum: (...asked) => tx.sum(...asked),
    find: (...asked) => tx.find(...asked),
    findMany: (...asked) => tx.findMany(...asked),
    transaction: (work) => work(tx),
    // It is closed by whoever opened it.
    close: async () => {},
  }
  const realm: Realm = {
    ...call.realm,
    storeOf: (resource) => {
      const own = call.realm.storeOf(resource)
      // A store of one's own that several tables share is spread over them.
      return own === call.store || own.transaction === call.store.transaction ? store : own
    },
  }
  return { ...call, realm, store }
}

function thereOf(id: RecordId, call: Call): KeyValue {
  const key = keyOf(id, call)
  if (key === undefined) throw notThere(call)
  return key
}

function keyOf(id: RecordId, { resource }: Call): KeyValue | undefined {
  return parseKey(keyText(id), resource.model.key)
}

/** @throws DaymarkError what a write of the action was refused with */
export function checkFate({ refused }: Fate): void {
  if (refused) throw refused.by instanceof DaymarkError ? refused.by : new Error('A write of the action failed', { cause: refused.by })
}
