import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { id } from '../field/kinds/id.js'
import { always } from '../resource/condition/condition.js'
import { defineResource } from '../resource/define.js'
import { modelOf } from '../resource/model/model.js'
import { memoryStore } from './memory.js'

const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  text: text().notNull().unique(),
  madeAt: text().default(sql`current_timestamp`),
})
const model = modelOf(notes)

test('starts with the rows that it is given', async () => {
  const store = memoryStore(notes, [
    { text: 'Milk', madeAt: null },
    { id: 7, text: 'Bread', madeAt: 'today' },
  ])
  expect(
    await store.list(model, { columns: ['id', 'text', 'madeAt'], where: always, order: [{ column: 'id', direction: 'ASC' }], limit: 10 }),
  ).toEqual([
    [1, 'Milk', null],
    [7, 'Bread', 'today'],
  ])
})

test('refuses rows that its table refuses', () => {
  expect(() =>
    memoryStore(notes, [
      { text: 'a', madeAt: null },
      { text: 'a', madeAt: null },
    ]),
  ).toThrow('Already taken')
  expect(() => memoryStore(notes, [{ text: 'a' }])).toThrow('only a database can compute')
})

test('can stand as the model of a resource', () => {
  const store = memoryStore(notes)
  expect(store.table).toBe(notes)
  expect(defineResource({ model: store, fields: { id: id() } })).toMatchObject({ ownStore: store, model })
  expect(memoryStore()).not.toHaveProperty('table')
})
