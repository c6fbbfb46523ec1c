import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { date, definePage, definePanel, defineResource, id, number, select, switcher, tableBuilder, text, view } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { Sqlite } from '../support/sqlite.js'

const states = ['open', 'late', 'done'] as const
const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar({ enum: states }).notNull(),
  due: varchar(),
  hours: integer().notNull(),
  secret: integer({ mode: 'boolean' }).notNull(),
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})
const folder = mkdtempSync(join(tmpdir(), 'daymark-any-'))
const file = join(folder, 'tasks.db')
const db = new Sqlite(file)
db.exec(
  'create table tasks (id integer primary key, title text not null, state text not null, due text, hours integer not null, secret integer not null, deleted_at integer)',
)

const shared = {
  model: tasks,
  fields: {
    id: id(),
    title: text('Title').searchable(),
    state: select('State').sortable(),
    due: date('Due'),
    hours: number('Hours').sortable(),
    secret: switcher('Secret').visible(['admin']),
  },
  filters: ['title', 'state', 'due', 'hours', 'secret'],
  sortColumn: 'id',
  sortDirection: 'ASC',
} as const
const statements: string[] = []
const Tasks = defineResource({
  ...shared,
  uriKey: 'tasks',
  softDelete: 'deletedAt',
  scope: ({ user }) => (user.roles.includes('admin') ? {} : { secret: false }),
  views: [view.board('state', { limit: 1 }), view.calendar('due')],
  handlers: {
    find: { method: 'GET', safe: true, input: z.object({ match: z.string() }), run: ({ ids, input }) => `${ids.join()} ${input.match}` },
  },
})
const panel = definePanel({
  auth: 'open',
  database: `sqlite:${file}`,
  observe: (sql) => void statements.push(sql),
  resources: [Tasks, defineResource({ ...shared, uriKey: 'walks', simplePaginate: true })],
  pages: [definePage({ uri: 'work', title: 'Work', components: [tableBuilder(Tasks, { name: 'long', where: { hours: { gte: 2 } } })] })],
})
beforeEach(() => {
  db.exec(`delete from tasks; insert into tasks values
    (1, 'Write', 'open', '2026-01-10', 1, 0, null), (2, 'Read', 'late', '2026-01-20', 2, 0, null), (3, 'Send', 'done', null, 3, 0, null),
    (4, 'Hide', 'late', '2026-01-10', 4, 1, null), (5, 'Drop', 'late', '2026-01-10', 5, 0, 1)`)
})
afterAll(async () => {
  await panel.close()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const list = '/admin/resource/tasks/crud'
const as = (role: string) => testPanel(panel).as({ id: role, username: role, name: role, roles: [role] })
const html = { headers: { accept: 'text/html' } }
const page = async (path: string, role = 'editor') =>
  (await as(role).get(path, html)).text
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('&amp;', '&')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
const keys = async (query: string, role = 'editor') =>
  (await as(role).get(`${list}?${query}`)).json<{ data: { id: number }[] }>().data.map(({ id }) => id)
const chips = (markup: string) =>
  (/<div class="chips".+?<\/div>/s.exec(markup)?.[0] ?? '')
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, '|')
    .split('|')
    .filter(Boolean)

const either = 'filter[state]=late&filter[due][to]=2026-01-15&match=any'

test('none that the caller may not see, or that is in the trash, whatever it meets', async () => {
  expect(await keys(either)).toEqual([1, 2])
  expect(await keys(either, 'admin')).toEqual([1, 2, 4])
  expect(await keys('filter[title]=Hide&filter[title][startsWith]=D&match=any')).toEqual([])
  // A field that one may not see is none: it neither narrows nor widens.
  expect((await as('editor').get(`${list}?${either}&filter[secret]=1`)).status).toBe(422)
  const shown = await page(`${list}?${either}&filter[secret]=1`)
  expect([shown.includes('>Write<'), shown.includes('>Hide<'), shown.includes('class="notice')]).toEqual([true, false, true])
})

test('it takes the statements that all of the filters take', async () => {
  const asked = async (match: string) => {
    statements.length = 0
    await as('editor').get(`${list}?filter[hours]=1&filter[state]=late&match=${match}`)
    return statements.length
  }
  expect([await asked('all'), await asked('any')]).toEqual([2, 2])
})

test('the page has a switch from two filters on, and words between them', async () => {
  const of = async (query: string) => chips(await page(`${list}?${query}`))
  const range = 'filter[due][from]=2026-01-01&filter[due][to]=2026-01-15'
  const ends = ['Due ≥ Jan 1, 2026', 'Due ≤ Jan 15, 2026']
  expect(await of('filter[state]=late&match=any')).toEqual(['State: Late', 'Clear all'])
  expect(await of(`${range}&match=any`)).toEqual([...ends, 'Clear all'])
  expect(await of(`${range}&filter[state]=late`)).toEqual(['All of these', 'Any of these', 'State: Late', ...ends, 'Clear all'])
  const joined = ['All of these', 'Any of these', 'State: Late', 'or', 'Due ≥ Jan 1, 2026', 'and', 'Due ≤ Jan 15, 2026', 'Clear all']
  expect(await of(`${range}&filter[state]=late&match=any`)).toEqual(joined)
  expect(await of(`${range}&filter[state]=late&match=any&search=x`)).toEqual(['Search: x', ...joined])
  const none = await page(`${list}?filter[state]=done&filter[title]=Nothing&match=any&search=zz`)
  expect(none).toContain('No records match: “zz”, Title: Nothing or State: Done')
  // It is chosen by links alone, and taken away with the filters.
  const both = await page(`${list}?filter[state]=late&filter[hours][from]=1&match=any`)
  expect(both).toContain(`href="${list}?filter[state]=late&filter[hours][from]=1"`)
  expect(both).toContain(`href="${list}?filter[state]=late&filter[hours][from]=1&match=any" aria-current="true"`)
  expect(both).toContain(`<a href="${list}">Clear all</a>`)
})

test('what leads on from the list says it too', async () => {
  const shown = await page(`${list}?${either}&view=table`, 'admin')
  expect(shown).toContain(`/admin/resource/tasks/export?${either}`)
  expect(shown).toContain('<input type="hidden" name="match" value="any">')
  // A record that is created from such a list begins with none of its filters; from one filter, with that.
  expect(shown).not.toContain('value[')
  expect(await page(`${list}?filter[state]=late&match=any&view=table`)).toContain('value[state]=late')
  const saved = await as('editor').patch('/admin/preferences', { views: { tasks: { Mine: either } } })
  expect(saved.json()).toMatchObject({ data: { views: { tasks: { Mine: either.replaceAll('[', '%5B').replaceAll(']', '%5D') } } } })
  const wrong = await as('editor').patch('/admin/preferences', { views: { tasks: { Mine: `${either}some` } } })
  expect(wrong.status).toBe(422)
})

test('a board and a calendar hold those that meet any, and lead no further where no URL could say what is meant', async () => {
  db.exec("insert into tasks values (6, 'Late too', 'late', '2026-01-10', 6, 0, null), (7, 'Later', 'late', '2026-01-10', 7, 0, null)")
  const board = (query: string) => page(`${list}?${query}&view=board`)
  const any = await board('filter[hours][from]=2&filter[title]=Write&match=any')
  expect(['Write', 'Read', 'Send', 'Hide'].map((title) => any.includes(`>${title}<`))).toEqual([true, true, true, false])
  const more = /href="([^"]*filter\[state\]=late)"/
  expect(any).not.toMatch(more)
  expect(any).toContain('2 more')
  // Of a single filter, all of them are meant then.
  expect((await board('filter[hours][from]=2&match=any')).match(more)?.[1]).toBe(`${list}?filter[hours][from]=2&filter[state]=late`)
  const month = await page(`${list}?filter[state]=open&filter[hours]=6&match=any&view=calendar&month=2026-01`)
  expect(['Write', 'Late too', 'Later', 'Read'].map((title) => month.includes(`>${title}<`))).toEqual([true, true, false, false])
})

test('a cursor belongs to the filters as they were joined', async () => {
  const walk = '/admin/resource/walks/crud?perPage=1&filter[hours]=1&filter[state]=late'
  const admin = as('admin')
  const next = async (query: string) => (await admin.get(walk + query)).json<{ meta: { nextCursor: string } }>().meta.nextCursor
  const any = await next('&match=any')
  expect((await admin.get(`${walk}&match=any&cursor=${any}`)).json<{ data: { id: number }[] }>().data[0]?.id).toBe(2)
  expect((await admin.get(`${walk}&cursor=${any}`)).status).toBe(422)
  // Of a single filter, it is the same list.
  const one = '/admin/resource/walks/crud?perPage=1&filter[state]=late'
  const cursor = (await admin.get(one)).json<{ meta: { nextCursor: string } }>().meta.nextCursor
  expect((await admin.get(`${one}&match=any&cursor=${cursor}`)).status).toBe(200)
})

test('a table of a page has its own, within its condition', async () => {
  const shown = await page('/admin/page/work?long[filter][state]=open&long[filter][title]=Send&long[match]=any&match=nonsense')
  expect(['Write', 'Send', 'Read'].map((title) => shown.includes(`>${title}<`))).toEqual([false, true, false])
  expect(shown).toContain('long[match]=any')
})

test('a parameter of that name may belong to a handler', async () => {
  const find = `/admin/resource/tasks/handler/find?filter[state]=late&match=exactly`
  const answer = await as('editor').get(`${find}&_all=1&_total=1`)
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('2 exactly')])
})
