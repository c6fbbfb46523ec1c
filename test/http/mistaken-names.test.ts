import { actionButton, definePage, definePanel, defineResource, id, memoryStore, paragraph, refuse, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testPanel } from '../../src/testing.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar() })
const jots = sqliteTable('jots', { id: integer().primaryKey(), word: varchar() })
const Jots = defineResource({
  model: memoryStore(jots),
  hooks: { beforeSave: ({ values }) => (values.word === 'no' ? refuse('word', 'Not this word') : undefined) },
})
const Notes = defineResource({
  model: memoryStore(notes),
  fields: { id: id(), name: text('Name') },
  hooks: {
    async beforeSave({ values, of }) {
      if (values.name === 'returns') return { nmae: 'x' } as never
      if (values.name === 'means it') refuse('balance', 'Is wrong')
      if (values.name === 'writes') await of(Jots).create({ wrod: 'x' } as never)
      if (values.name === 'writes no') await of(Jots).create({ word: 'no' })
      return undefined
    },
  },
  handlers: {
    update: { run: ({ update }) => update(1, { nmae: 'x' } as never).then(() => {}) },
    field: { fields: { by: text('By') }, run: () => refuse('by', 'Not today') },
    column: { run: () => refuse('name', 'Not today') },
    other: { run: () => refuse('word', 'Not today') },
    records: { run: () => refuse('ids', 'Not these') },
    schema: { input: z.object({ at: z.string().optional() }), run: () => refuse('at', 'Not today') },
  },
})
const Page = definePage({
  uri: 'desk',
  title: 'Desk',
  components: [paragraph('Here'), actionButton({ label: 'Go', method: 'go' })],
  methods: { go: { fields: { by: text('By') }, run: () => refuse('yb', 'Not today') } },
})
const logged: string[] = []
const app = testPanel(definePanel({ auth: 'open', resources: [Notes, Jots], pages: [Page], log: ({ message }) => logged.push(message) }))
const crud = '/admin/resource/notes/crud'
const handler = '/admin/resource/notes/handler'

test.each<[what: string, path: string, json: object, log: RegExp]>([
  [
    'a hook returns',
    crud,
    { name: 'returns' },
    /^`beforeSave` of "notes" gives a value for "nmae", which is not a column\. Valid: id, name$/,
  ],
  [
    'a hook writes elsewhere',
    crud,
    { name: 'writes' },
    /^`create` of "jots" gives a value for "wrod", which is not a column\. Valid: id, word$/,
  ],
  ['a handler writes', `${handler}/update`, {}, /^`update` of "notes" gives a value for "nmae", which is not a column\. Valid: id, name$/],
])('what %s under a name that nothing has is no fault of the caller', async (_, path, json, log) => {
  logged.length = 0
  const answer = await app.post(path, json)
  expect(answer.status).toBe(500)
  expect(answer.text).not.toMatch(/nmae|wrod/)
  expect(logged).toEqual([expect.stringMatching(log)])
})

test.each<[path: string, json: object, name: string]>([
  [crud, { name: 'means it' }, 'balance'],
  ['/admin/method/desk?method=go', {}, 'yb'],
  [crud, { name: 'writes no' }, 'word'],
  [`${handler}/field`, {}, 'by'],
  [`${handler}/column`, {}, 'name'],
  [`${handler}/other`, {}, 'word'],
  [`${handler}/records`, {}, 'ids'],
  [`${handler}/schema`, {}, 'at'],
])('what is refused by its name is told to the caller: %s %j', async (path, json, name) => {
  logged.length = 0
  const answer = await app.post(path, json)
  expect([answer.status, Object.keys((answer.json() as { errors: object }).errors)]).toEqual([422, [name]])
  expect(logged).toEqual([])
})
