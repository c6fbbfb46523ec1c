import type { InferInsertModel, InferSelectModel, Table } from 'drizzle-orm'
import type { Condition } from '../../resource/condition/condition.js'
import { modelOf } from '../../resource/model/model.js'
import { endingOf, type Last } from '../ending.js'
import type { Order, Reads, Row, Store, Writes } from '../store.js'
import { bySql } from './by-sql.js'

type Of<T extends Table> = InferSelectModel<T>

/** A table of the panel's own, read as objects. */
export interface PanelTable<T extends Table> {
  find(reads: Reads, key: unknown): Promise<Of<T> | null>
  findMany(reads: Reads, keys: readonly unknown[]): Promise<readonly Of<T>[]>
  /** The first records that meet a condition. */
  first(reads: Reads, limit: number, where: Condition, order?: Order): Promise<readonly Of<T>[]>
  /** With `last`, it ends the transaction. */
  create(tx: Writes, values: InferInsertModel<T>, last?: Last): Promise<unknown>
  /** Updates a record, if it exists and meets the condition. Returns how many it was. */
  update(tx: Writes, key: unknown, values: Partial<InferInsertModel<T>>, where?: Condition): Promise<number>
  delete(tx: Writes, keys: readonly unknown[]): Promise<number>
  /** Deletes all records that meet a condition by one statement. Returns how many it was. */
  deleteAll(tx: Reads & Writes, where: Condition): Promise<number>
  /** Deletes all records that meet a condition, some at a time, each time in a transaction of its own: others may write in between. */
  deleteInTurn(store: Store, where: Condition): Promise<void>
  /** Creates a record in a transaction of its own, which is a single statement on a server, unless something goes `along` with it. */
  createAlone(store: Store, values: InferInsertModel<T>, along?: (tx: Reads & Writes) => Promise<void>): Promise<void>
  /** Updates a record, if it exists and meets the condition, in such a transaction. */
  updateAlone(store: Store, key: unknown, values: Partial<InferInsertModel<T>>, where?: Condition): Promise<void>
}

/** How many records are read and deleted at once. */
export const chunk = 500

export function panelTable<T extends Table>(table: T): PanelTable<T> {
  const model = modelOf(table)
  const columns = [...model.columns.keys()]
  const objectOf = (row: Row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])) as Of<T>
  const byKey: Order = { column: model.key.key, direction: 'ASC' }
  const orderBy = (order = byKey) => (order.column === byKey.column ? [order] : [order, byKey])
  const first: PanelTable<T>['first'] = async (reads, limit, where, order) =>
    (await reads.list(model, { columns, where, order: orderBy(order), limit })).map(objectOf)
  const create: PanelTable<T>['create'] = (tx, values, last) =>
    last?.can('create', model) ? last.create(model, values, columns) : tx.create(model, values)
  return {
    async find(reads, key) {
      const row = await reads.find(model, key, columns)
      return row && objectOf(row)
    },
    findMany: async (reads, keys) => (await reads.findMany(model, keys, columns)).map(objectOf),
    first,
    create,
    update: (tx, key, values, where) => tx.update(model, key, values, where),
    delete: (tx, keys) => tx.deleteMany(model, keys),
    deleteAll: (tx, where) => bySql(tx).deleteAll(model, where),
    async deleteInTurn(store, where) {
      for (;;) {
        const some = await store.list(model, { columns: [model.key.key], where, order: [byKey], limit: chunk })
        if (some.length === 0) return
        const keys = some.map(([key]) => key)
        await store.transaction((tx) => tx.deleteMany(model, keys))
        if (some.length < chunk) return
      }
    },
    async createAlone(store, values, along) {
      const work = async (tx: Reads & Writes, last?: Last) => {
        if (along) await along(tx)
        await create(tx, values, last)
      }
      await endingOf(store)(work, { trusted: true })
    },
    async updateAlone(store, key, values, where) {
      const work = (tx: Writes, last?: Last): Promise<unknown> =>
        last?.can('update', model) ? last.update(model, key, values, columns, where) : tx.update(model, key, values, where)
      await endingOf(store)(work, { trusted: true })
    },
  }
}

export const eq = (column: string, value: unknown): Condition => ({ op: 'eq', column, value })
