import { definePanel, defineResource, memoryStore } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: text().notNull() })

async function world(given: unknown) {
  const store = memoryStore()
  const Notes = defineResource({
    model: { ...store, table: notes },
    computed: { made: { label: 'Made', needs: ['title'], value: () => given as string } },
    pages: { index: ['id', 'made'] },
  })
  await store.transaction((tx) => tx.create(Notes.model, { id: 1, title: 'One' }))
  return testPanel(definePanel({ auth: 'open', resources: [Notes], log: () => {} }))
}

const path = '/admin/resource/notes/crud'

test.each<[what: string, given: unknown, inJson: unknown]>([
  ['a text', 'x', 'x'],
  ['a time', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['a time that is none', new Date('none'), null],
  ['nothing', undefined, null],
  ['a number that is none', Number.NaN, null],
  ['a large number', 9_007_199_254_740_993n, '9007199254740993'],
])('a computed value may be %s', async (_, given, inJson) => {
  const app = await world(given)
  expect((await app.get(path)).json()).toMatchObject({ data: [{ id: 1, made: inJson }] })
  const { text: page } = await app.html.get(path)
  expect(page).toContain(inJson === null ? '<span class="none">' : String(inJson))
  expect(page).not.toMatch(/undefined|NaN|Invalid Date/)
  expect((await app.html.get('/admin/resource/notes/export')).text).toContain(inJson === null ? '1,' : `1,${inJson}`)
})

test('a computed value that comes later is a mistake that is told', async () => {
  expect((await (await world(Promise.resolve('x'))).get(path)).status).toBe(500)
})
