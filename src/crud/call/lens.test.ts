import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineKind } from '../../field/kind.js'
import { text } from '../../field/kinds/text.js'
import { defineResource } from '../../resource/define.js'
import { lensOf } from './lens.js'

const silent = defineKind<string>({
  name: 'silent',
  columns: ['text'],
  operators: [],
  schema: () => z.string(),
  read: (typed) => typed,
  wire: () => undefined as never,
  input: () => null as never,
})

const Things = defineResource({
  model: sqliteTable('things', { id: integer().primaryKey(), secret: varchar() }),
  fields: { secret: silent('Secret') },
})

test('what a kind leaves out is nothing, and is there', () => {
  const lens = lensOf({ id: '1', username: 'ann', name: 'Ann', roles: ['admin'] }, Things as never, { name: 'record', whole: true })
  expect(lens.record([7, 'x'])).toEqual({ id: 7, secret: null })
  expect(lens.text([7, 'x'])).toBe('{"id":7,"secret":null}')
})

test('what a database may write is what the caller may read, and nothing that a kind makes of a value', () => {
  const model = sqliteTable('notes', { id: integer().primaryKey(), title: varchar(), pay: varchar(), 7: varchar('seven') })
  const of = (roles: readonly string[], fields: object) => {
    const resource = defineResource({ model, fields } as never)
    return lensOf({ id: '1', username: 'ann', name: 'Ann', roles }, resource as never, { name: 'index', whole: false }).written
  }
  const fields = { title: text(), pay: text().visible(['boss']) }
  const both = [
    { name: 'id', at: 0 },
    { name: 'title', at: 1 },
  ]
  expect(of(['boss'], fields)).toEqual([...both, { name: 'pay', at: 2 }])
  expect(of(['clerk'], fields)).toEqual(both)
  expect(of(['boss'], { title: silent() })).toBeNull()
  // In an object, a whole number comes before the key.
  expect(of(['boss'], { 7: text() })).toBeNull()
})
