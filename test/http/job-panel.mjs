// A panel with a long handler whose every batch waits for a message, in a process that a test kills.
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { definePanel, defineResource } from '../../dist/index.js'

const [, , path] = process.argv
const rows = sqliteTable('rows', { id: integer().primaryKey(), touched: integer().notNull() })
const panel = definePanel({
  database: `sqlite:${path}`,
  middleware: [],
  auth: {
    middleware: { name: 'test', challenge: 'Bearer' },
    pipelines: [{ name: 'test', cookies: false, identify: () => ({ id: 'ada', username: 'ada', name: 'Ada', roles: ['admin'] }) }],
  },
  resources: [
    defineResource({
      model: rows,
      handlers: {
        slow: {
          long: true,
          async run({ ids, update, done }) {
            for (const id of ids) await update(id, { touched: 1 })
            // The second batch never ends.
            if (done > 0) await new Promise(() => process.send({ is: 'stuck' }))
          },
        },
      },
    }),
  ],
})
const answer = await panel.fetch(
  new Request('http://127.0.0.1/admin/resource/rows/handler/slow?_all=1&_total=1203', {
    method: 'POST',
    headers: { accept: 'application/json' },
  }),
)
process.send({ is: 'started', id: (await answer.json()).data.id })
