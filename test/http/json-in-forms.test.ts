import { definePanel, defineResource, id, json, memoryStore } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const things = sqliteTable('things', { id: integer().primaryKey(), data: text({ mode: 'json' }) })
const store = memoryStore()
const Things = defineResource({ model: { ...store, table: things }, fields: { id: id(), data: json('Data') } })
const app = testPanel(definePanel({ auth: 'open', resources: [Things] }))
const path = '/admin/resource/things/crud/1'
const put = (data: string) => app.put(path, new URLSearchParams({ data }))

beforeEach(() =>
  store.transaction(async (tx) => {
    await tx.deleteMany(Things.model, [1])
    await tx.create(Things.model, { id: 1, data: { kept: true } })
  }),
)

test.each<[typed: string, says: string]>([
  ['12345678901234567890', 'cannot be represented exactly'],
  ['{"a":[9007199254740993]}', 'cannot be represented exactly'],
  ['[1e999]', 'out of range'],
  ['{"a":1,"a":2}', '"a" is given twice'],
  ['["a\\u0000b"]', 'NUL'],
  ['"\\ud800"', 'surrogate'],
  [`${'['.repeat(201)}${']'.repeat(201)}`, 'Nested deeper than 200'],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'Nested deeper than 200'],
  ['{', 'not valid JSON'],
])('a form keeps JSON exactly or refuses it (%#)', async (typed, says) => {
  const answer = await put(typed)
  expect(answer.status).toBe(422)
  expect(answer.json()).toMatchObject({ errors: { data: [expect.stringContaining(says)] } })
  expect((await app.get(path)).json()).toMatchObject({ data: { data: { kept: true } } })
})

test.each(['[1.5,-0.25,1e21,9007199254740991]', '{"__proto__":{"a":"\\ud83d\\ude00"}}', `${'['.repeat(200)}${']'.repeat(200)}`, '"null"'])(
  'and keeps it (%#)',
  async (typed) => {
    expect((await put(typed)).status).toBe(200)
    const answer = await app.get(path)
    expect(answer.text).toContain(JSON.stringify(JSON.parse(typed)))
  },
)
