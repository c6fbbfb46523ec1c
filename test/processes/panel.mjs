// A panel in a process of its own, over DATABASE_URL: tells its URL to whoever started it. OPEN=1: nobody signs in.
import { once } from 'node:events'
import { bigint, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core'
import { definePanel, defineResource, id, number, text, usersResource } from '../../dist/index.js'

const { DATABASE_URL: database = '', OPEN } = process.env
const notes = database.startsWith('postgres')
  ? pgTable('notes', {
      id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
      code: pgText().notNull().unique(),
      n: bigint({ mode: 'number' }).notNull().default(0),
    })
  : sqliteTable('notes', {
      id: integer().primaryKey(),
      code: sqliteText().notNull().unique(),
      n: integer().notNull().default(0),
    })
// Every batch but the first waits for a word of whoever started the process.
const handlers = { slow: { long: true, run: ({ done }) => (done > 0 ? once(process, 'message').then(() => undefined) : undefined) } }
const fields = { id: id(), code: text('Code').required().sortable(), n: number('N') }
const resources = [defineResource({ model: notes, fields, handlers })]
const panel = OPEN
  ? definePanel({ auth: 'open', database, resources })
  : definePanel({
      database,
      attempts: 'database',
      notifications: true,
      resources: [...resources, usersResource({ roles: ['admin', 'editor'] })],
    })
if (!OPEN) {
  for (const [username, role] of [
    ['admin', 'admin'],
    ['editor', 'editor'],
  ])
    await panel.ensureUser({ username, roles: [role], password: 'correct horse battery' })
}
const { url } = await panel.listen({ port: 0 })
process.send?.(url)
