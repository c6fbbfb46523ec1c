import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compileFaults } from '../support/docs.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const begin = `import { definePanel, defineResource, type Identity } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
const people = sqliteTable('people', { id: integer().primaryKey(), email: text().notNull(), pw: text(), roles: text(), companyId: integer().notNull() })
const orders = sqliteTable('orders', { id: integer().primaryKey(), companyId: integer().notNull() })
const columns = { username: 'email', password: 'pw', roles: 'roles' } as const
`
const declared = (type: string) => `declare module 'daymark' {\n  interface Identity {\n    readonly companyId: ${type}\n  }\n}\n`
const settings = (users: string) =>
  `export default definePanel({ database: 'sqlite:app.db', resources: [], users: { model: people, ${users} } })\n`
const faults = (code: string) => compileFaults([{ file: 'a.ts', line: 1, code: begin + code }], root)

// Each is a program of its own, since what one declares of the package would hold for all.
test('a column that Identity declares is known of users wherever they are given', { timeout: 120_000 }, () => {
  const code = `${declared('number')}${settings("columns, identity: ['companyId']")}
export const Orders = defineResource({
  model: orders,
  scope: ({ user }) => ({ companyId: user.companyId }),
  can: { update: ({ user }) => user.companyId > 0 },
  canRecord: { update: ({ user, record }) => record.companyId === user.companyId },
  hooks: { beforeSave: ({ user }) => ({ companyId: user.companyId }) },
})
export const told = (user: Identity): number => user.companyId`
  expect(faults(code)).toEqual([])
})

test('one that it does not declare, or as something else, does not compile, nor a column that is not there', { timeout: 240_000 }, () => {
  expect(faults(settings("columns, identity: ['companyId']"))).toEqual([
    expect.stringContaining('a column that you declare as a member of Identity'),
  ])
  expect(faults(declared('string') + settings("columns, identity: ['companyId']"))).toEqual([expect.stringMatching(/not assignable/)])
  expect(faults(declared('number') + settings("columns, identity: ['email']"))).toEqual([expect.stringMatching(/not assignable/)])
})

test('the columns of users are those of their table, and of their type', { timeout: 120_000 }, () => {
  for (const wrong of ["username: 'nope'", "username: 'id'", "roles: 'companyId'", "active: 'email'"])
    expect(faults(settings(`columns: { ...columns, ${wrong} }`))).toEqual([expect.stringMatching(/not assignable/)])
  expect(faults(settings('columns'))).toEqual([])
})
