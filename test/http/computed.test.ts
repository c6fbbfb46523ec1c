import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), title: varchar().notNull() })

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

test('a caller who has the version of a record gets computed values made of what it does not cover', async () => {
  const store = memoryStore()
  const Notes = defineResource({
    model: { ...store, table: notes },
    fields: { id: id() },
    computed: { made: { label: 'Made', needs: ['title'], value: ({ title }) => title } },
    handlers: { rename: { run: async ({ update }) => void (await update(1, { title: 'Two' })) } },
  })
  await store.transaction((tx) => tx.create(Notes.model, { id: 1, title: 'One' }))
  const app = testPanel(definePanel({ auth: 'open', resources: [Notes] }))
  const etag = (await app.get(`${path}/1`)).headers.get('etag') as string
  await app.post('/admin/resource/notes/handler/rename', {})
  const again = await app.get(`${path}/1`, { headers: { 'if-none-match': etag } })
  expect([again.status, again.json()]).toEqual([200, { data: { id: 1, made: 'Two' } }])
  const { text: whole } = await app.get(`${path}/1?fields=id`)
  expect(whole).toBe('{"data":{"id":1}}')
})

test('one that fails for a record takes only what shows it: the record can still be mended, on both faces', async () => {
  const store = memoryStore()
  const Notes = defineResource({
    model: { ...store, table: notes },
    fields: { id: id(), title: text('Title') },
    computed: {
      initial: {
        label: 'Initial',
        needs: ['title'],
        value: ({ title }) => {
          if (title === '') throw new Error('no letter')
          return title.charAt(0)
        },
      },
    },
    pages: { index: ['id', 'title'], detail: ['id', 'title'] },
  })
  await store.transaction((tx) => tx.create(Notes.model, { id: 1, title: '' }))
  const app = testPanel(definePanel({ auth: 'open', resources: [Notes], log: () => {} }))
  expect((await app.put(`${path}/1`, { title: 'One' })).json()).toMatchObject({ data: { id: 1, title: 'One' } })
  // Sent back, it is held against what it is.
  expect((await app.put(`${path}/1`, { title: 'Two', initial: 'O' })).status).toBe(200)
  expect((await app.put(`${path}/1`, { title: 'Three', initial: 'X' })).json()).toMatchObject({
    errors: { initial: ['Initial cannot be changed'] },
  })
  await store.transaction((tx) => tx.update(Notes.model, 1, { title: '' }))
  expect((await app.html.put(`${path}/1`, { title: 'Four' })).status).toBe(303)
  expect((await app.get(`${path}/1`)).json()).toMatchObject({ data: { title: 'Four' } })
})
