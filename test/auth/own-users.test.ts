import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, type Panel, type Resource, text as textField } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
