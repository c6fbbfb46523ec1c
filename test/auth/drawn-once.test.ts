import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePage, definePanel, defineResource, id, openSqlStore, type Panel, switcher, tableBuilder, text, usersResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askPanel, cookiesOf } from './world.js'

const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  done: integer({ mode: 'boolean' }).notNull().default(false),
})
const Tasks = defineResource({
  model: tasks,
  fields: { id: id(), name: text('Name'), done: switcher('Done').updateOnPreview() },
})
// Each of its rows has a form of its own for what deletes it.
const Notes = defineResource({ model: tasks, uriKey: 'notes', fields: { id: id(), name: text('Name') }, usePagination: false })
const board = definePage({ uri: 'board', title: 'Board', components: [tableBuilder(Notes, { name: 'notes', limit: 5 })] })
// What is drawn once and kept stands on a file: a database in memory keeps nothing.
const folder = mkdtempSync(join(tmpdir(), 'daymark-drawn-'))
const database = `sqlite:${join(folder, 'tasks.db')}`
const password = 'a password for a test'
let panel: Panel

beforeAll(async () => {
  const store = openSqlStore({ database })
  await store.transaction(async (tx) => {
    await tx.execute('create table tasks (id integer primary key, name text not null, done integer not null default 0)')
    await tx.execute("insert into tasks (name) values ('one'), ('two')")
  })
  await store.close()
  panel = definePanel({ database, resources: [Tasks, Notes, usersResource()], pages: [board] })
  for (const username of ['ada@example.com', 'bea@example.com'])
    await panel.ensureUser({ username, password, name: username, roles: ['admin'] })
})
afterAll(async () => {
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

const signIn = async (username: string) =>
  cookiesOf(await askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username, password } }))

/** Every form token of a page. */
async function tokensOf(path: string, cookie: string): Promise<ReadonlySet<string>> {
  const { text } = await askPanel(panel, { path, face: 'html', headers: { cookie } })
  return new Set([...text.matchAll(/name="_token" value="([^"]+)"/g)].map(([, token]) => token as string))
}

test.each(['/admin/resource/tasks/crud', '/admin/resource/daymark-users/crud'])(
  'two users of the same roles see the same rows of %s, each with forms of their own',
  async (path) => {
    const [ada, bea] = [await signIn('ada@example.com'), await signIn('bea@example.com')]
    const first = await tokensOf(path, ada)
    for (const _ of [1, 2, 3]) {
      expect(await tokensOf(path, ada)).toEqual(first)
      const other = await tokensOf(path, bea)
      expect([first.size, other.size]).toEqual([1, 1])
      expect([...other]).not.toEqual([...first])
    }
  },
)

test('a form of a row has its token, however often the row is shown', async () => {
  const ada = await signIn('ada@example.com')
  const store = openSqlStore({ database })
  for (const name of ['one', 'one', 'one', 'uno', 'one']) {
    await store.transaction((tx) => tx.execute(`update tasks set name = '${name}' where id = 1`))
    const { text } = await askPanel(panel, { path: '/admin/page/board', face: 'html', headers: { cookie: ada } })
    const rows = /<tbody[\s\S]*<\/tbody>/.exec(text)?.[0] ?? ''
    expect([rows.match(/<form/g)?.length, rows.match(/name="_token" value="[^"]/g)?.length]).toEqual([2, 2])
  }
  await store.close()
})

test('a page drawn once is drawn anew for another caller, and where the caller has chosen or done something', async () => {
  const path = '/admin/resource/tasks/crud'
  const [ada, bea] = [await signIn('ada@example.com'), await signIn('bea@example.com')]
  const page = async (cookie: string, at = path) => (await askPanel(panel, { path: at, face: 'html', headers: { cookie } })).text
  const first = await page(ada)
  expect((await page(ada)) === first).toBe(true)
  expect(first.includes('ada@example.com')).toBe(true)
  const other = await page(bea)
  expect(other.includes('ada@example.com')).toBe(false)
  expect(other.includes('bea@example.com')).toBe(true)
  expect((await page(ada, `${path}?perPage=10`)).includes('perPage=10')).toBe(true)

  const choose = (json: Record<string, unknown>) =>
    askPanel(panel, { method: 'PATCH', path: '/admin/preferences', json, headers: { cookie: ada } })
  await choose({ theme: 'dark' })
  expect((await page(ada)).includes('data-theme="dark"')).toBe(true)
  expect((await page(bea)).includes('data-theme="dark"')).toBe(false)
  await choose({ theme: 'system' })
  expect((await page(ada)) === first).toBe(true)

  const saved = await askPanel(panel, {
    method: 'PUT',
    path: `${path}/1`,
    face: 'html',
    form: { name: 'one', done: '1' },
    headers: { cookie: ada, 'sec-fetch-site': 'same-origin' },
  })
  const withFlash = `${ada}; ${cookiesOf(saved)}`
  const quiet = 'role="status"></div>'
  expect((await page(withFlash)).includes(quiet)).toBe(false)
  expect((await page(ada)).includes(quiet)).toBe(true)
})
