import { belongsTo, definePanel, defineResource, id, memoryStore, select, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar().notNull() })
const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  ownerId: integer().references(() => owners.id),
  tier: varchar(),
  perk: varchar(),
})
const base = '/admin/resource/things'

/** A panel whose user sees neither who owns a thing, nor that owner, nor its tier. */
async function world() {
  const store = memoryStore()
  const Owners = defineResource({ model: { ...store, table: owners }, fields: { id: id(), name: text() }, scope: () => ({ id: 2 }) })
  const Things = defineResource({
    model: { ...store, table: things },
    fields: {
      id: id(),
      name: text('Name'),
      ownerId: belongsTo('Concealed').default(1).visible(['boss']),
      tier: select().options(['gilded', 'tin']).visible(['boss']),
      perk: text('Perk').showWhen('tier', 'gilded'),
    },
    handlers: {
      make: {
        ability: 'create',
        fields: { mode: select().options(['gilded', 'tin']).visible(['boss']), more: text('More').showWhen('mode', 'gilded') },
        run: async ({ create }) => void (await create({ name: 'other', ownerId: 3 })),
      },
    },
  })
  await store.transaction(async (tx) => {
    for (const key of [1, 2, 3]) await tx.create(Owners.model, { id: key, name: `owner ${key}` })
  })
  return testPanel(definePanel({ auth: 'open', resources: [Owners, Things] }))
}

test('the initial value of a relation that the user may not see is nobody’s choice', async () => {
  const { post, html } = await world()
  expect((await post(`${base}/validate`, { name: 'x' })).status).toBe(200)
  expect((await post(`${base}/crud`, { name: 'x' })).status).toBe(201)
  expect((await html.post(`${base}/crud`, new URLSearchParams({ name: 'y' }))).status).toBe(303)
})

test('a relation that is refused is not named to whoever may not see it', async () => {
  const { post } = await world()
  const answer = await post(`${base}/handler/make`, {})
  expect(answer.status).toBe(422)
  expect(answer.text).not.toMatch(/ownerId|Concealed/)
})

test('no form says what a field depends on that its user may not see', async () => {
  const { html } = await world()
  for (const answer of [await html.get(`${base}/form-page`), await html.post(`${base}/handler/make`, new URLSearchParams({ _ask: '1' }))]) {
    expect(answer.status).toBe(200)
    expect(answer.text).toMatch(/Perk|More/)
    expect(answer.text).not.toMatch(/gilded|tier|mode|show-when/)
  }
})
