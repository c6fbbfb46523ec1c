import { expect, test } from 'vitest'
import { databaseOf, databaseOfDrizzle, MissingPackage } from './database.js'

test('says what to install where node-postgres is missing', () => {
  const missing = () => {
    throw Object.assign(new Error("Cannot find module 'pg'"), { code: 'MODULE_NOT_FOUND' })
  }
  expect(() => databaseOf('postgres://localhost/x', missing)).toThrow(new MissingPackage('PostgreSQL needs the package pg: npm install pg'))
  const broken = () => {
    throw new SyntaxError('x')
  }
  expect(() => databaseOf('postgres://localhost/x', broken)).toThrow(SyntaxError)
})

test('knows a Drizzle database over node-postgres', () => {
  const client = { query: () => {}, connect: () => {} }
  expect(databaseOfDrizzle({ $client: client })).toEqual({ client, borrowed: true })
  expect(databaseOfDrizzle({ $client: { prepare: () => {}, exec: () => {} } })).toBeNull()
  expect(databaseOfDrizzle({})).toBeNull()
})
