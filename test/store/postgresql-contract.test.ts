import { openSqlStore } from 'daymark'
import { storeContract } from 'daymark/testing'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { type Server, startServer } from '../support/postgresql.js'
import { asContract, empty, schema } from '../support/postgresql-contract.js'

let server: Server
let admin: pg.Client

beforeAll(async () => {
  server = await startServer()
  admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(schema)
})
afterAll(async () => {
  await admin.end()
  await server.remove()
})

test.each(storeContract.filter((one) => !one.inTurns).map((one) => [one.name, one] as const))(
  'by its URL: %s',
  async (_, one) => {
    await admin.query(empty)
    await one.run(() => asContract(openSqlStore({ database: server.url })))
  },
  60_000,
)

test.each(storeContract.map((one) => [one.name, one] as const))(
  'by a Drizzle database with one connection: %s',
  async (_, one) => {
    await admin.query(empty)
    await one.run(() => asContract(openSqlStore({ database: drizzle(admin) })))
  },
  60_000,
)
