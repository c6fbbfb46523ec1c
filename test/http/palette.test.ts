import { belongsTo, definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const lands = sqliteTable('lands', { id: integer().primaryKey(), name: varchar().notNull(), capital: varchar() })
const towns = sqliteTable('towns', { id: integer().primaryKey(), name: varchar().notNull(), landId: integer('land_id').notNull() })
const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull(), secret: varchar() })

const panel = definePanel({
  auth: 'open',
  resources: [
    defineResource({
      model: memoryStore(lands, [
        { id: 1, name: 'Germany', capital: 'Berlin' },
        { id: 2, name: 'Berlinia', capital: 'Berlin' },
      ]),
      title: 'Lands',
      fields: { id: id(), name: text('Name').searchable(), capital: text('Capital').searchable() },
      pages: { index: ['name'] },
    }),
    defineResource({
      model: memoryStore(towns, [
        { id: 1, name: 'Berlin', landId: 1 },
        { id: 2, name: 'Berlin', landId: 2 },
        { id: 3, name: 'Berlin', landId: 2 },
      ]),
      title: 'Towns',
      fields: { id: id(), name: text('Name').searchable(), landId: belongsTo('Land', lands) },
    }),
    defineResource({
      model: memoryStore(people, [{ id: 1, name: 'Ada', secret: 'Berlin' }]),
      title: 'People',
      fields: { id: id(), name: text('Name').searchable(), secret: text('Secret').searchable().visible(false) },
    }),
  ],
} as never)

test('the palette puts names before what else matches, says why it found a record, and tells equal names apart', async () => {
  const answer = await panel.fetch(new Request('http://localhost/admin/palette?query=berlin', { headers: { accept: 'application/json' } }))
  const { data } = (await answer.json()) as { data: readonly { group: string; label: string; hint?: string }[] }
  expect(data.map(({ group, label, hint }) => [group, label, hint])).toEqual([
    ['Towns', 'Berlin', 'Germany'],
    ['Towns', 'Berlin', 'Berlinia, 2'],
    ['Towns', 'Berlin', 'Berlinia, 3'],
    ['Lands', 'Berlinia', undefined],
    ['Lands', 'Germany', 'Capital: Berlin'],
  ])
})
