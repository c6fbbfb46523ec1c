import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineKind } from '../field/kind.js'
import { defineResource } from '../resource/resource.js'
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
