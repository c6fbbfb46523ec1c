import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number, text, trashResource } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const parts = sqliteTable('parts', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  whole: integer(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})

// A whole before its part, and after it.
test.each([
  [false, [1, 2, 3]],
  [false, [2, 1, 3]],
  [true, [1, 2, 3]],
  [true, [2, 1, 3]],
])('of several records, one that a hook of another has deleted is deleted once: soft %s, %s', async (soft, ids) => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-cascades-'))
  const client = new Sqlite(join(folder, 'parts.db'))
  client.exec(
    "create table parts (id integer primary key, name text not null, whole integer, deleted_at integer); insert into parts values (1, 'whole', null, null), (2, 'part', 1, null), (3, 'other', null, null), (4, 'kept', null, null)",
  )
  const ran: string[] = []
  const Parts = defineResource({
    model: parts,
    ...(soft && { softDelete: 'deletedAt' as const }),
    history: true,
    fields: { id: id(), name: text('Name'), whole: number('Whole') },
    hooks: {
      async beforeDelete({ record, list, delete: remove, update }) {
        ran.push(`before ${record.name}`)
        if (record.name === 'other') await update(1, { name: 'renamed' })
        for (const part of await list({ where: { whole: record.id } })) await remove(part.id)
      },
      afterDelete({ record }) {
        ran.push(`after ${record.name}`)
      },
    },
  })
  const panel = definePanel({
    auth: 'open',
    database: `sqlite:${join(folder, 'parts.db')}`,
    resources: [Parts, ...(soft ? [trashResource(Parts)] : [])],
  })
  try {
    const app = testPanel(panel)
    const answer = await app.delete('/admin/resource/parts/crud', { ids })
    expect([answer.status, (answer.json() as { deleted: number }).deleted]).toEqual([200, 3])
    const of = (when: string) => ran.flatMap((one) => (one.startsWith(when) ? [one.slice(when.length + 1)] : [])).sort()
    // A part that was asked about first is asked about again when its whole deletes it.
    expect(of('before')).toEqual(ids[0] === 1 ? ['other', 'part', 'whole'] : ['other', 'part', 'part', 'whole'])
    expect(of('after')).toEqual(['other', 'part', 'renamed'])
    const noted = client.prepare("select record from daymark_history where action = 'delete' order by record").all() as { record: string }[]
    expect(noted.map(({ record }) => record)).toEqual(['1', '2', '3'])
    const { json } = await app.get('/admin/resource/parts/crud')
    expect((json() as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(['kept'])
  } finally {
    await panel.close()
    client.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
