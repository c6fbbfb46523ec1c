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
