import { belongsTo, definePage, definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const vaults = sqliteTable('vaults', { id: integer().primaryKey(), name: varchar().notNull() })
const keys = sqliteTable('keys', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  vaultId: integer().references(() => vaults.id),
  spareId: integer()
    .notNull()
    .references(() => vaults.id),
})
const store = memoryStore()
const fields = { vault: belongsTo('Vault', vaults) }
const run = ({ input }: { input: unknown }) => JSON.stringify(input)
const Vaults = defineResource({ model: { ...store, table: vaults }, can: { view: ['keeper'] } })
const Keys = defineResource({
  model: { ...store, table: keys },
  fields: { id: id(), name: text('Name'), vaultId: belongsTo('Vault', vaults), spareId: belongsTo('Spare', vaults).default(1) },
  handlers: { move: { fields, run } },
  methods: { look: { fields, run } },
})
const move = definePage({ uri: 'move', title: 'Move', components: [], methods: { move: { fields, run } } })
const panel = definePanel({ auth: 'open', resources: [Vaults, Keys], pages: [move] })
const as = (...roles: string[]) => testPanel(panel).as({ roles })
const path = '/admin/resource/keys'

beforeEach(async () => {
  await store.transaction(async (tx) => {
    for (const { model } of [Keys, Vaults]) await tx.deleteMany(model, [1, 2])
    for (const key of [1, 2]) await tx.create(Vaults.model, { id: key, name: `Vault ${key}` })
    await tx.create(Keys.model, { id: 1, name: 'Brass', vaultId: 2, spareId: 1 })
  })
})

test.each<[string, (vault: number) => readonly [method: 'post' | 'put' | 'patch', path: string, body: unknown]]>([
  ['a create', (vaultId) => ['post', `${path}/crud`, { name: 'New', vaultId }]],
  ['an update', (vaultId) => ['patch', `${path}/crud/1`, { vaultId }]],
  ['a form', (vaultId) => ['put', `${path}/crud/1`, new URLSearchParams({ vaultId: String(vaultId) })]],
  ['one field', (value) => ['put', '/admin/update-field/column/keys/1', { field: 'vaultId', value, was: 2 }]],
  ['what is only checked', (vaultId) => ['post', `${path}/validate/1`, { vaultId }]],
  ['a handler', (vault) => ['post', `${path}/handler/move`, { vault }]],
  ['a method', (vault) => ['post', '/admin/method/index-page/keys?method=look', { vault }]],
  ['a method of a page', (vault) => ['post', '/admin/method/move?method=move', { vault }]],
])('of %s who may not see what a relation leads to does not learn what is there', async (_, ask) => {
  const said = async (role: string, vault: number) => {
    const [method, to, body] = ask(vault)
    const answer = await as(role)[method](to, body as object)
    return [answer.status, (answer.json() as { detail?: string }).detail]
  }
  const none = [422, 'Vault: no such record']
  expect([await said('clerk', 1), await said('clerk', 99)]).toEqual([none, none])
  expect(await said('keeper', 99)).toEqual(none)
  expect((await said('keeper', 1))[0]).toBeLessThan(300)
})

test('what is stored already may be sent back, taken away, and what a field begins with may stay', async () => {
  const clerk = as('clerk')
  expect((await clerk.patch(`${path}/crud/1`, { name: 'Iron', vaultId: 2, spareId: 1 })).status).toBe(200)
  expect((await clerk.patch(`${path}/crud/1`, { vaultId: null })).status).toBe(200)
  expect((await clerk.post(`${path}/crud`, { name: 'New' })).status).toBe(201)
  expect((await clerk.post(`${path}/crud`, { name: 'New', spareId: 1 })).status).toBe(201)
  expect((await clerk.post(`${path}/crud`, { name: 'New', spareId: 2 })).status).toBe(422)
})
