import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dateTime, defineKind, definePanel, defineResource, id, html as markup, number, type Panel } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { row } from '../../src/html/components/row.js'
import { Sqlite } from '../support/sqlite.js'

vi.mock(import('../../src/html/components/row.js'), async (original) => {
  const module = await original()
  return { ...module, row: vi.fn(module.row) }
})

/** A page of which some rows have changed: the others are not written again, and nobody can tell. */

const folder = mkdtempSync(join(tmpdir(), 'daymark-known-rows-'))
const file = join(folder, 'notes.db')
const db = new Sqlite(file)
db.exec('create table notes (id integer primary key, title text, amount real, at integer)')
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  title: varchar(),
  amount: real(),
  at: integer({ mode: 'timestamp_ms' }),
})
// How often a title is written for a program: once for each record that is.
let written = 0
const title = defineKind<string>({
  name: 'title',
  columns: ['text'],
  operators: ['eq', 'contains'],
  schema: () => z.string(),
  wire: (value) => {
    written++
    return value
  },
  input: () => markup``,
})
const fields = { id: id().sortable(), title: title().sortable(), amount: number().sortable(), at: dateTime() }
const list = '/admin/resource/notes/crud'
const open = () =>
  definePanel({
    auth: 'open',
    database: `sqlite:${file}`,
    resources: [
      defineResource({ model: notes, fields, filters: ['title'] }),
      defineResource({ model: notes, uriKey: 'simple', fields, simplePaginate: true }),
    ],
  })

const fill = () => {
  db.exec('delete from notes')
  db.exec(
    "insert into notes with recursive n(i) as (select 1 union all select i + 1 from n where i < 12) select i * 10, '<' || i, i / 4.0, i * 1e9 from n",
  )
}
let knowing: Panel
beforeEach(() => {
  fill()
  vi.mocked(row).mockClear()
  knowing = open()
  return () => knowing.close()
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

async function ask(panel: Panel, path: string, accept: string): Promise<string> {
  const answer = await panel.fetch(new Request(`http://localhost${path}`, { headers: { accept } }))
  expect(answer.status).toBe(200)
  return `${answer.headers.get('etag')}\n${await answer.text()}`.replace(uuid, 'uuid')
}

const json = 'application/json'
const html = 'text/html'
// A page that is asked for a second time while nothing changes is known as a whole: not so where each is another one.
const asked = [
  [`${list}?perPage=10`, json],
  [`${list}?perPage=9`, html],
  [`${list}?perPage=10&sort=title&filter[title][contains]=1`, json],
  [`${list}?perPage=10&fields=id,title`, json],
  ['/admin/resource/simple/crud?perPage=5', json],
  ['/admin/resource/simple/crud?perPage=6', html],
  [`${list}?perPage=10`, html],
] as const

const change = fc.oneof(
  fc.record({ id: fc.integer({ min: 50, max: 140 }), title: fc.constantFrom('a', '', '<b>', 'ä – ✓', '"1"', null) }).map(
    ({ id, title }) =>
      () =>
        void db.prepare('insert into notes values (?, ?, 0.5, 5) on conflict (id) do update set title = excluded.title').run([id, title]),
  ),
  fc
    .integer({ min: 0, max: 11 })
    .map((at) => () => void db.prepare('delete from notes where id = (select id from notes order by id desc limit 1 offset ?)').run([at])),
  fc
    .constantFrom('amount = 0.0', 'amount = -0.0', 'amount = 1e21', 'amount = null', 'at = null', 'at = at + 1', 'id = id + 1')
    .map((set) => () => void db.exec(`update notes set ${set} where id = (select max(id) from notes)`)),
  fc.constant(() => db.exec('update notes set amount = amount + 1 where id > 40')),
)

test('whatever has changed, a panel that knows the rows says what one says that has never seen them', { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 8 }), async (changes) => {
      for (const one of [fill, () => {}, ...changes]) {
        one()
        const fresh = open()
        for (const [path, accept] of asked)
          expect(await ask(knowing, path, accept), `${accept} ${path}`).toBe(await ask(fresh, path, accept))
        await fresh.close()
      }
    }),
    { numRuns: 15 },
  ),
)

test('a row is drawn once, however often others change, as long as it stands where it stood', async () => {
  const drawings = async (set: string) => {
    db.exec(`update notes ${set}`)
    vi.mocked(row).mockClear()
    await ask(knowing, `${list}?perPage=10`, html)
    return vi.mocked(row).mock.calls.length
  }
  await drawings('set amount = 1')
  // Kept, kept as a page, and one by one since some of it has changed.
  for (const title of ['a', 'b', 'c']) await drawings(`set title = '${title}' where id = 60`)
  expect(await drawings("set title = 'd' where id = 60")).toBe(1)
  expect(await drawings("set title = 'e' where id in (60, 80)")).toBe(2)
  expect(await drawings("set title = 'e' where id = 60")).toBe(0)
  expect(await drawings('set title = upper(title) || id')).toBe(10)
})

test('a page of which one row more was read is drawn once, too', async () => {
  const path = '/admin/resource/simple/crud?perPage=5'
  for (const _ of [1, 2]) await ask(knowing, path, html)
  vi.mocked(row).mockClear()
  await ask(knowing, path, html)
  expect(row).toHaveBeenCalledTimes(0)
})

test('a row is written once, wherever it stands', async () => {
  const writes = async (statement: string) => {
    db.exec(statement)
    written = 0
    await ask(knowing, `${list}?perPage=10`, json)
    return written
  }
  for (const title of ['a', 'b', 'c']) await writes(`update notes set title = '${title}' where id = 60`)
  expect(await writes("update notes set title = 'd' where id = 60")).toBe(1)
  expect(await writes("insert into notes (id, title) values (500, 'new')")).toBe(1)
  expect(await writes('delete from notes where id = 70')).toBe(1)
  expect(await writes('update notes set title = title || id')).toBe(10)
})
