import { definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { testPanel } from '../../src/testing.js'

const shops = sqliteTable('shops', { id: integer().primaryKey(), slug: varchar(), code: varchar() })
const slug = text('Slug')
  .rule(z.string().regex(/^[a-z-]+$/, 'Small letters only'))
  .rule(z.string().refine(async (typed) => !typed.includes('--'), 'Not two hyphens'))
const Shops = defineResource({
  model: memoryStore(shops),
  fields: { id: id(), slug, code: text('Code').required().rule(z.string().startsWith('C', 'Begins with C')) },
})
const app = testPanel(definePanel({ auth: 'open', resources: [Shops] }))
const path = '/admin/resource/shops/crud'

test.each<[what: string, fields: Record<string, string | null>, errors: Record<string, string[]>]>([
  ['one rule', { slug: 'A', code: 'C1' }, { slug: ['Small letters only'] }],
  ['one that takes its time', { slug: 'a--b', code: 'C1' }, { slug: ['Not two hyphens'] }],
  [
    'two of them, and of two fields',
    { slug: 'A--', code: 'x' },
    { slug: ['Small letters only', 'Not two hyphens'], code: ['Begins with C'] },
  ],
  ['nothing where something is required', { slug: 'a', code: '' }, { code: ['Code is required'] }],
])('a create is refused by %s', async (_, fields, errors) => {
  for (const body of [fields, new URLSearchParams(fields as Record<string, string>)]) {
    const answer = await app.post(path, body)
    expect([answer.status, (answer.json() as { errors?: unknown }).errors]).toEqual([422, errors])
  }
})

test('of an empty field no rule is asked', async () => {
  const made = [await app.post(path, { code: 'C1' }), await app.post(path, new URLSearchParams({ slug: '', code: 'C1' }))]
  expect(made.map(({ status, json }) => [status, (json() as { data: { slug: unknown } }).data.slug])).toEqual([
    [201, null],
    [201, null],
  ])
  const { data } = (await app.post(path, { slug: 'a', code: 'C1' })).json() as { data: { id: number } }
  for (const body of [{ slug: null }, new URLSearchParams({ slug: '' })]) {
    expect((await app.patch(`${path}/${data.id}`, { slug: 'a' })).status).toBe(200)
    expect((await app.patch(`${path}/${data.id}`, body)).json()).toMatchObject({ data: { slug: null } })
  }
  expect((await app.patch(`${path}/${data.id}`, { code: null })).status).toBe(422)
})
