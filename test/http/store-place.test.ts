import { belongsTo, definePanel, defineResource, id, memoryStore, type Store, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import type { Table } from 'drizzle-orm'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', { id: integer().primaryKey(), name: varchar().notNull(), ownerId: integer('owner_id') })

/** A store that a class gives its methods, as users write them. */
class ClassStore<T extends Table> implements Store {
  readonly table: T
  readonly #within: Store
  constructor(table: T, within: Store = memoryStore()) {
    this.table = table
    this.#within = within
  }
  list(...asked: Parameters<Store['list']>) {
    return this.#within.list(...asked)
  }
  count(...asked: Parameters<Store['count']>) {
    return this.#within.count(...asked)
  }
  aggregate(...asked: Parameters<Store['aggregate']>) {
    return this.#within.aggregate(...asked)
  }
  find(...asked: Parameters<Store['find']>) {
    return this.#within.find(...asked)
  }
  findMany(...asked: Parameters<Store['findMany']>) {
    return this.#within.findMany(...asked)
  }
  transaction<R>(...asked: Parameters<Store['transaction']>): Promise<R> {
    return this.#within.transaction(...asked) as Promise<R>
  }
  close() {
    return this.#within.close()
  }
}

test('two stores of one class are two: what a hook writes to the other one is there', async () => {
  const People = defineResource({ model: new ClassStore(people), fields: { id: id(), name: text() } })
  const Orders = defineResource({
    model: new ClassStore(orders),
    fields: { id: id(), name: text() },
    hooks: {
      afterSave: async ({ after, of }) => {
        await of(People).create({ name: `buyer of ${after.name}` })
      },
    },
  })
  const panel = definePanel({ resources: [People, Orders], auth: 'open' })
  const anybody = testPanel(panel)
  expect((await anybody.post('/admin/resource/orders/crud', { name: 'first' })).status).toBe(201)
  const listed = await anybody.get('/admin/resource/people/crud')
  expect(listed.json()).toMatchObject({ data: [{ name: 'buyer of first' }] })
  await panel.close()
})

test('one store that is spread into several objects is one: related records are looked up in the transaction of the write', async () => {
  const store = memoryStore()
  const outside: string[] = []
  const noted: Store = {
    ...store,
    find: (model, ...rest) => {
      outside.push(`find ${model.name}`)
      return store.find(model, ...rest)
    },
    findMany: (model, ...rest) => {
      outside.push(`findMany ${model.name}`)
      return store.findMany(model, ...rest)
    },
  }
  const People = defineResource({ model: { ...noted, table: people }, fields: { id: id(), name: text() } })
  const Orders = defineResource({
    model: { ...noted, table: orders },
    fields: { id: id(), name: text(), ownerId: belongsTo('Owner', people) },
  })
  const panel = definePanel({ resources: [People, Orders], auth: 'open' })
  const anybody = testPanel(panel)
  expect((await anybody.post('/admin/resource/people/crud', { name: 'Ada' })).status).toBe(201)
  outside.length = 0
  expect((await anybody.post('/admin/resource/orders/crud', { name: 'first', ownerId: 1 })).status).toBe(201)
  expect(outside).toEqual([])
  await panel.close()
})
