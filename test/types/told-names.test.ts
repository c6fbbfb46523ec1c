import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compileFaults } from '../support/docs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const code = `import { defineResource, figure, hasMany } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
const firms = sqliteTable('firms', { id: integer().primaryKey(), name: text().notNull() })
const Firms = defineResource({ model: firms })
export const sum = figure.sum(Firms, 'nmae')
export const related = hasMany(Firms, { by: 'nmae' })
export const called = defineResource({ model: firms, column: 'nmae' })
export const sorted = defineResource({ model: firms, sortColumn: 'nmae' })
export const versioned = defineResource({ model: firms, version: 'nmae' })
`

test('where a column is misspelt, the compiler lists the columns', { timeout: 120_000 }, () => {
  const faults = compileFaults([{ file: 'a.ts', line: 1, code }], root)
  expect(faults).toHaveLength(5)
  for (const fault of faults) expect(fault).toMatch(/"name" \| "id"|"id" \| "name"/)
})

test('where a list is kept in json without a type, the compiler says how to give it one', { timeout: 120_000 }, () => {
  const lists = `import { defineResource, file, select, tags } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
const firms = sqliteTable('firms', { id: integer().primaryKey(), list: text({ mode: 'json' }) })
export const tagged = defineResource({ model: firms, fields: { list: tags() } })
export const chosen = defineResource({ model: firms, fields: { list: select().options(['a']).multiple() } })
export const filed = defineResource({ model: firms, fields: { list: file().multiple() } })
`
  const faults = compileFaults([{ file: 'a.ts', line: 1, code: lists }], root)
  expect(faults).toHaveLength(3)
  for (const fault of faults) expect(fault).toContain('give it $type<string[]>()')
})
