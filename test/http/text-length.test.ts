// Lengths of texts are counted in characters, as JSON Schema and databases do: an emoji is one of them, and two of a string's units.
import { definePanel, defineResource, id, memoryStore, tags, text, textarea, url } from 'daymark'
import { markdown } from 'daymark/markdown'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'

const notes = pg.pgTable('notes', {
  id: pg.integer().primaryKey().generatedByDefaultAsIdentity(),
  line: pg.text(),
  column: pg.varchar({ length: 3 }),
  area: pg.text(),
  prose: pg.text(),
  words: pg.text().array(),
  link: pg.varchar({ length: 22 }),
})
const Notes = defineResource({
  model: memoryStore(notes),
  fields: {
    id: id(),
    line: text('Line').max(3).min(2),
    column: text('Column'),
    area: textarea('Area').max(3).min(2),
    prose: markdown('Prose').max(3).min(2),
    words: tags('Words').itemMax(3),
    link: url('Link'),
  },
})
const app = testPanel(definePanel({ auth: 'open', resources: [Notes] }))
const path = '/admin/resource/notes/crud'

const cases = [
  ['line', '🙂🙂🙂', '🙂🙂🙂🙂', '🙂'],
  ['column', '🙂🙂🙂', '🙂🙂🙂🙂', null],
  ['area', '🙂🙂🙂', '🙂🙂🙂🙂', '🙂'],
  ['prose', '🙂🙂🙂', '🙂🙂🙂🙂', '🙂'],
  ['words', ['🙂🙂🙂'], ['🙂🙂🙂🙂'], null],
  ['link', 'https://example.com/🙂🙂', 'https://example.com/🙂🙂🙂', null],
] as const

describe.each(cases)('%s', (name, fits, long, short) => {
  test('takes what has as many characters, in JSON and in a form', async () => {
    expect((await app.post(path, { [name]: fits })).status).toBe(201)
    const form = new URLSearchParams({ [name]: Array.isArray(fits) ? fits.join('\n') : String(fits) })
    expect((await app.html.post(path, form)).status).toBe(303)
  })
  test.each([long, short].filter((one) => one !== null))('refuses %j', async (wrong) => {
    expect([...(await app.post(path, { [name]: wrong })).is('invalid').error.errors.keys()]).toEqual([name])
  })
})

test('a form says how many characters a text may have, and cuts none', async () => {
  const form = (await app.html.get('/admin/resource/notes/form-page')).text
  expect(form).not.toContain('maxlength')
  expect(
    [...form.matchAll(/name="(\w+)"[^>]*data-characters="(\d+)"|data-characters="(\d+)"[^>]*name="(\w+)"/g)].map((one) => one[1] ?? one[4]),
  ).toEqual(['line', 'column', 'area', 'prose'])
})
