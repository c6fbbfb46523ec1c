import { belongsTo, definePanel, defineResource, email, id, memoryStore, switcher, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

const towns = sqliteTable('towns', { id: integer().primaryKey(), name: varchar().notNull() })
const people = sqliteTable('people', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  mail: varchar().notNull(),
  townId: integer().notNull(),
  active: integer({ mode: 'boolean' }).notNull(),
})

/** The first row of a list that shows these fields. */
async function rowOf(index: readonly ('mail' | 'townId' | 'active')[]): Promise<string> {
  const store = memoryStore()
  const Towns = defineResource({ model: { ...store, table: towns }, fields: { id: id(), name: text() } })
  const People = defineResource({
    model: { ...store, table: people },
    fields: {
      id: id(),
      name: text(),
      mail: email(),
      townId: belongsTo('Town', towns),
      active: switcher().updateOnPreview().event('first').updateRow('index-table-people').event('second', 'first'),
    },
    column: 'name',
    pages: { index },
  })
  await store.transaction(async (tx) => {
    await tx.create(Towns.model, { id: 1, name: 'Bern' })
    await tx.create(People.model, { id: 1, name: 'Ada', mail: 'ada@example.com', townId: 1, active: true })
  })
  const panel = definePanel({ auth: 'open', resources: [Towns, People] })
  const answer = await panel.fetch(new Request('http://localhost/admin/resource/people/crud', { headers: { accept: 'text/html' } }))
  return /<tbody.*?<\/tbody>/s.exec(await answer.text())?.[0] ?? ''
}

const nested = /<a [^>]*>(?:(?!<\/a>).)*<a /s

test('what leads to the record holds no other link: a mail and a relation stand as text', async () => {
  const mail = await rowOf(['mail'])
  expect(mail).toMatch(/<a href="\/admin\/resource\/people\/crud\/1">ada@example\.com<\/a>/)
  const town = await rowOf(['townId'])
  expect(town).toMatch(/<a href="\/admin\/resource\/people\/crud\/1">Bern<\/a>/)
  for (const row of [mail, town]) expect(row).not.toMatch(nested)
})

test('a record whose name nobody can see is called by its key, and has something to click', async () => {
  const store = memoryStore()
  const Towns = defineResource({ model: { ...store, table: towns }, fields: { id: id(), name: text() } })
  await store.transaction((tx) => tx.create(Towns.model, { id: 7, name: ' \t\u00a0' }))
  const { fetch } = definePanel({ auth: 'open', resources: [Towns] })
  const page = async (path: string) =>
    (await fetch(new Request(`http://localhost/admin/resource/towns/crud${path}`, { headers: { accept: 'text/html' } }))).text()
  expect(await page('')).toContain('<a href="/admin/resource/towns/crud/7"><span class="none">&mdash;</span></a>')
  expect(await page('/7')).toContain('<h1><span>7</span>')
})

test('a switch fires every event that it was told, in their order and each once', async () => {
  const [, events = ''] = /data-events="([^"]*)"/.exec(await rowOf(['mail', 'active'])) ?? []
  expect(JSON.parse(events.replaceAll('&quot;', '"'))).toEqual(['first', 'second', 'table-row-updated-index-table-people-1'])
})
