import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  authenticate,
  definePanel,
  defineResource,
  type Identity,
  id,
  type Panel,
  password,
  type Resource,
  text as textField,
} from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../src/auth/password.js'
import { Sqlite } from '../support/sqlite.js'
import { askPanel, cookiesOf, secret } from './world.js'

const staff = sqliteTable('staff', {
  uuid: text('uuid').primaryKey(),
  email: text('email').notNull().unique(),
  hash: text('password_hash'),
  groups: text('groups'),
  employed: integer('employed').notNull(),
})
const things = sqliteTable('things', { id: integer().primaryKey() })

const folder = mkdtempSync(join(tmpdir(), 'daymark-own-'))
const path = join(folder, 'app.db')
let panel: Panel
beforeAll(async () => {
  const client = new Sqlite(path)
  client.exec(
    'create table staff (uuid text primary key not null, email text not null unique, password_hash text, groups text, employed integer not null)',
  )
  client.exec('create table things (id integer primary key)')
  const hash = await hashPassword(secret)
  const insert = client.prepare('insert into staff values (?, ?, ?, ?, ?)')
  insert.run('a-1', 'Ada@Example.com', hash, 'admin, editor', 1)
  insert.run('b-2', 'bob@example.com', hash, '', 1)
  insert.run('c-3', 'cy@example.com', hash, 'admin', 0)
  insert.run('d-4', 'dee@example.com', null, 'admin', 1)
  insert.run('e-5', 'eve@example.com', 'plain text', 'admin', 1)
  client.close()
  panel = definePanel({
    database: `sqlite:${path}`,
    resources: [defineResource({ model: things })],
    users: { model: staff, columns: { username: 'email', password: 'hash', roles: 'groups', active: 'employed' } },
  })
})
afterAll(async () => {
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

const signIn = (username: string, password = secret) =>
  askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username, password } })

test('users of the application sign in by the columns that were named', async () => {
  const answer = await signIn('Ada@Example.com')
  expect(answer.json.user).toEqual({ id: 'a-1', username: 'Ada@Example.com', name: 'Ada@Example.com', roles: ['admin', 'editor'] })
  const cookie = cookiesOf(answer)
  expect((await askPanel(panel, { path: '/admin/resource/things/crud', headers: { cookie } })).status).toBe(200)
  const nobody = cookiesOf(await signIn('bob@example.com'))
  expect((await askPanel(panel, { path: '/admin/resource/things/crud', headers: { cookie: nobody } })).status).toBe(403)
})

test.each([
  ['who is switched off', 'cy@example.com'],
  ['who has no password', 'dee@example.com'],
  ['whose password was never hashed', 'eve@example.com'],
  ['who does not exist', 'fay@example.com'],
])('not %s', async (_, username) => {
  for (const password of [secret, '', 'plain text']) expect([401, 422]).toContain((await signIn(username, password)).status)
})

test('administrators look at the panel as users of the application, from the page of their record', async () => {
  const own = definePanel({
    database: `sqlite:${path}`,
    resources: [
      defineResource({ model: things }),
      defineResource({ model: staff, uriKey: 'staff', column: 'email', fields: { uuid: id(), email: textField('E-mail') } }),
    ],
    users: { model: staff, columns: { username: 'email', password: 'hash', roles: 'groups', active: 'employed' } },
    auth: { middleware: authenticate(), pipelines: [password()], viewAs: ['admin'] },
  })
  const signedIn = await askPanel(own, {
    method: 'POST',
    path: '/admin/authenticate',
    json: { username: 'Ada@Example.com', password: secret },
  })
  const headers = { cookie: cookiesOf(signedIn) }
  const shown = async (key: string) => (await askPanel(own, { path: `/admin/resource/staff/crud/${key}`, headers, face: 'html' })).text
  expect(await shown('b-2')).toContain('formaction="/admin/view-as/b-2"')
  // Themselves, who may not sign in, and another administrator.
  for (const key of ['a-1', 'c-3', 'd-4']) expect(await shown(key)).not.toContain('/admin/view-as/')
  expect((await askPanel(own, { method: 'PUT', path: '/admin/view-as/b-2', headers })).status).toBe(200)
  expect((await askPanel(own, { path: '/admin/resource/things/crud', headers })).status).toBe(403)
  expect((await askPanel(own, { method: 'DELETE', path: '/admin/view-as/b-2', headers })).status).toBe(200)
  expect((await askPanel(own, { path: '/admin/resource/things/crud', headers })).status).toBe(200)
  await own.close()
})

test('a password changed by the application ends the sessions of before', async () => {
  const cookie = cookiesOf(await signIn('Ada@Example.com'))
  const hash = await hashPassword('set by another program')
  const client = new Sqlite(path)
  client.prepare("update staff set password_hash = ? where uuid = 'a-1'").run(hash)
  client.close()
  expect((await askPanel(panel, { path: '/admin/profile', headers: { cookie } })).status).toBe(401)
  const again = cookiesOf(await signIn('Ada@Example.com', 'set by another program'))
  const page = await askPanel(panel, { path: '/admin/profile', headers: { cookie: again }, face: 'html' })
  // No column was named for it.
  expect(page.text).not.toMatch(/name="(?:timeZone|name)"/)
  const name = await askPanel(panel, { method: 'PUT', path: '/admin/profile', headers: { cookie: again }, json: { name: 'Ada' } })
  expect([name.status, Object.keys(name.json.errors)]).toEqual([422, ['name']])
  const put = await askPanel(panel, {
    method: 'PUT',
    path: '/admin/profile',
    headers: { cookie: again },
    json: { currentPassword: 'set by another program', newPassword: 'set on the profile page' },
  })
  expect(put.status).toBe(200)
  expect((await signIn('Ada@Example.com', 'set on the profile page')).status).toBe(200)
})

test('the panel makes no users where they are not its own', async () => {
  await expect(panel.ensureUser({ username: 'x', roles: [], password: secret })).rejects.toThrow('keeps no users of its own')
})

test('no resource over them shows the hashes, whatever their column is called', () => {
  const people = sqliteTable('people', { id: integer().primaryKey(), email: text().notNull(), pw: text().notNull(), roles: text() })
  const start = (resource: Resource) => () =>
    definePanel({
      database: `sqlite:${path}`,
      resources: [resource],
      users: { model: people, columns: { username: 'email', password: 'pw', roles: 'roles' } },
    })
  expect(start(defineResource({ model: people }))).toThrow(/users-password {2}people\.fields\.pw: .*declare `fields`/)
  expect(start(defineResource({ model: people, fields: { id: id(), pw: textField() } }))).toThrow(/users-password/)
  expect(start(defineResource({ model: people, fields: { id: id(), email: textField() } }))).not.toThrow()
  expect(start(defineResource({ model: people, fields: { id: id(), pw: textField().visible(false) } }))).not.toThrow()
})

test('their second factor stands in the column that was named, and without one nobody has any', async () => {
  const client = new Sqlite(path)
  client.exec('create table clerks (id integer primary key, email text not null, pw text, roles text, factor text)')
  // An empty text counts as none, too.
  for (const [id, factor] of [
    [7, null],
    [8, ''],
  ] as const)
    client.prepare('insert into clerks values (?, ?, ?, ?, ?)').run(id, `gil-${id}`, await hashPassword(secret), 'admin', factor)
  client.close()
  const columns = { id: integer().primaryKey(), email: text().notNull(), pw: text(), roles: text() }
  const clerks = sqliteTable('clerks', { ...columns, factor: text() })
  const named = { username: 'email', password: 'pw', roles: 'roles', twoFactor: 'factor' } as const
  const own = definePanel({ database: `sqlite:${path}`, resources: [], users: { model: clerks, columns: named } })
  const ask = (method: string, at: string, json: object, headers = {}) => askPanel(own, { method, path: `/admin${at}`, json, headers })
  for (const id of [7, 8]) {
    const begun = await ask('POST', '/authenticate', { username: `gil-${id}`, password: secret })
    const headers = { cookie: cookiesOf(begun) }
    const { setUp } = (await askPanel(own, { path: '/admin/profile/two-factor', headers })).json.data
    const code = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(setUp.secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
    const on = await ask('PUT', '/profile/two-factor', { secret: setUp.secret, code: code(0), currentPassword: secret }, headers)
    expect(on.status).toBe(200)
    const asked = await ask('POST', '/authenticate', { username: `gil-${id}`, password: secret })
    expect([asked.status, asked.json.ticket.length]).toEqual([401, 43])
    expect((await ask('POST', '/authenticate/code', { ticket: asked.json.ticket, code: code(1) })).json.user.id).toBe(String(id))
  }
  await own.close()

  const none = await askPanel(panel, { path: '/admin/profile/two-factor', headers: { cookie: 'none' } })
  expect(none.status).toBe(401)
  const cookie = cookiesOf(await signIn('bob@example.com'))
  expect((await askPanel(panel, { path: '/admin/profile/two-factor', headers: { cookie } })).status).toBe(404)

  const start = (table: typeof clerks, more: object) => () =>
    definePanel({ database: `sqlite:${path}`, resources: [], users: { model: table, columns: named }, ...more })
  const bad = { integer: integer(), 'not null': text().notNull(), short: text({ length: 255 }), json: text({ mode: 'json' }) }
  for (const factor of Object.values(bad))
    expect(start(sqliteTable('clerks', { ...columns, factor }) as never, {})).toThrow(/users-two-factor {2}users\.columns\.twoFactor/)
  expect(start(sqliteTable('clerks', { ...columns, factor: text({ length: 2000 }) }) as never, {})).not.toThrow()
  expect(start(clerks, { resources: [defineResource({ model: clerks })] })).toThrow(
    /users-two-factor {2}clerks\.fields\.factor: .*second factors/,
  )
  const auth = { middleware: authenticate(), pipelines: [password()] }
  const { twoFactor: _, ...without } = named
  const lacking = (required: boolean | string[]) => () =>
    definePanel({
      database: `sqlite:${path}`,
      resources: [],
      users: { model: clerks, columns: without },
      auth: { ...auth, twoFactor: { required } },
    })
  for (const required of [true, ['admin']]) expect(lacking(required)).toThrow(/users-two-factor {2}auth\.twoFactor\.required/)
  for (const required of [false, []]) expect(lacking(required)).not.toThrow()
})

test('what is named of them besides, policies and scopes know as it is now, and nobody else', async () => {
  const client = new Sqlite(path)
  client.exec('create table workers (id integer primary key, email text not null, pw text, roles text, company integer, tags text)')
  client.exec('create table orders (id integer primary key, title text not null, company integer not null)')
  const insert = client.prepare('insert into workers values (?, ?, ?, ?, ?, ?)')
  const hash = await hashPassword(secret)
  insert.run(1, 'ann', hash, 'clerk', 10, '["blue"]')
  insert.run(2, 'ben', hash, 'clerk', 20, '[]')
  insert.run(3, 'cleo', hash, 'clerk', null, '[]')
  client.exec("insert into orders (title, company) values ('of ten', 10), ('of twenty', 20)")
  const workers = sqliteTable('workers', {
    id: integer().primaryKey(),
    email: text().notNull(),
    pw: text(),
    roles: text(),
    company: integer(),
    tags: text({ mode: 'json' }).$type<string[]>(),
  })
  const orders = sqliteTable('orders', { id: integer().primaryKey(), title: text().notNull(), company: integer().notNull() })
  // Here, no other test may know `company` of a user.
  type Worker = Identity & { readonly company: number; readonly tags: readonly string[] }
  const own = definePanel({
    database: `sqlite:${path}`,
    resources: [
      defineResource({
        model: orders,
        fields: { id: id(), title: textField('Title') },
        scope: ({ user }) => ({ company: (user as Worker).company ?? undefined }),
        hooks: { beforeSave: ({ user }) => ({ company: (user as Worker).company }) },
      }),
    ],
    shareViews: ({ user }) => (user as Worker).tags.includes('blue'),
    users: {
      model: workers,
      columns: { username: 'email', password: 'pw', roles: 'roles' },
      identity: ['company', 'tags'] as never,
    },
    log: () => {},
  })
  const by = async (username: string) => {
    const answer = await askPanel(own, { method: 'POST', path: '/admin/authenticate', json: { username, password: secret } })
    // Neither here nor in the profile is anything of it.
    expect(Object.keys(answer.json.user)).toEqual(['id', 'username', 'name', 'roles'])
    const headers = { cookie: cookiesOf(answer) }
    const profile = await askPanel(own, { path: '/admin/profile', headers })
    expect(profile.text).not.toMatch(/company|blue/)
    return headers
  }
  const at = '/admin/resource/orders/crud'
  const titles = async (headers: Record<string, string>) =>
    (await askPanel(own, { path: at, headers })).json.data.map(({ title }: { title: string }) => title)
  const page = async (headers: Record<string, string>) => (await askPanel(own, { path: at, headers, face: 'html' })).text
  const [ann, ben, cleo] = [await by('ann'), await by('ben'), await by('cleo')]
  expect([await titles(ann), await titles(ben), await titles(cleo)]).toEqual([['of ten'], ['of twenty'], []])
  expect((await askPanel(own, { method: 'POST', path: at, headers: ben, json: { title: 'new' } })).status).toBe(201)
  expect(await titles(ben)).toEqual(['new', 'of twenty'])
  for (let i = 0; i < 3; i++) {
    expect(await page(ann)).toContain('name="_shared"')
    expect(await page(ben)).not.toContain('name="_shared"')
  }
  client.exec(`update workers set company = 20, tags = '[]' where email = 'ann'`)
  expect(await titles(ann)).toEqual(['new', 'of twenty'])
  expect(await page(ann)).not.toContain('name="_shared"')
  client.close()
  await own.close()
})

test.each([
  ['columns.username: "nope" is not a column', { columns: { username: 'nope', password: 'pw', roles: 'roles' } }],
  ['columns.roles: is missing', { columns: { username: 'email', password: 'pw' } }],
  ['columns.nme: unknown setting "nme"', { columns: { username: 'email', password: 'pw', roles: 'roles', nme: 'email' } }],
  ['more: unknown setting "more"', { columns: { username: 'email', password: 'pw', roles: 'roles' }, more: [] }],
  ['identity: "nope" is not a column', { columns: { username: 'email', password: 'pw', roles: 'roles' }, identity: ['nope'] }],
  ['identity: "pw" is a secret', { columns: { username: 'email', password: 'pw', roles: 'roles' }, identity: ['pw'] }],
  ['identity: "roles" is what the panel', { columns: { username: 'email', password: 'pw', roles: 'roles' }, identity: ['roles'] }],
])('a wrong setting of them stops the start: %s', (fault, users) => {
  const people = sqliteTable('people', { id: integer().primaryKey(), email: text().notNull(), pw: text(), roles: text() })
  const start = () => definePanel({ database: `sqlite:${path}`, resources: [], users: { model: people, ...users } as never })
  expect(start).toThrow(`  users.${fault}`)
})
