import { definePanel, defineResource, id, memoryStore, type Panel, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: varchar().notNull() })

/** A small panel to mount. `url` is where the host serves it, including a path. */
export function notesPanel(url: string): Panel {
  return definePanel({
    title: 'Notes',
    auth: 'open',
    url,
    resources: [defineResource({ model: memoryStore(notes, [{ title: 'First' }]), fields: { id: id(), title: text('Title').required() } })],
  })
}
