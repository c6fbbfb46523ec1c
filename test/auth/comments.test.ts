import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiKeys, authenticate, definePanel, defineResource, password, usersResource } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/auth/password.js'
import { Sqlite } from '../support/sqlite.js'
import { type Ask, askPanel, cookiesOf, countries, openWorld, secret, type Who, type World, worldsOver } from './world.js'

const Countries = defineResource({
  model: countries,
  comments: true,
  can: { view: ['admin', 'editor', 'reader'], comment: ['admin', 'editor'], delete: ['admin'] },
})
const all = '/admin/resource/countries/crud/1/comments'
const record = '/admin/resource/countries/crud/1'

describe.each(['sqlite', 'postgresql'] as const)('over %s, comments', (database) => {
  let world: World
  const users = new Map<Who, Record<string, string>>()
  const ask = (who: Who, what: Ask) => world.ask({ ...what, headers: { ...users.get(who), ...what.headers } })
  const write = (who: Who) => ask(who, { method: 'POST', path: all, json: { text: `By ${who}` } })
  const said = async () => (await ask('admin', { path: all })).json.data.map((one: { text: string }) => one.text)
  const idOf = async (username: string) => (await world.inside.store?.users.byUsername(username))?.identity.id as string
  /** Everything that changes comments, in JSON and as forms. */
  const changes = (own: string): readonly Ask[] => [
    { method: 'POST', path: all, json: { text: 'x' } },
    { method: 'PATCH', path: own, json: { text: 'x' } },
    { method: 'DELETE', path: own },
    { method: 'POST', path: all, form: { text: 'x' }, face: 'html' },
    { method: 'POST', path: own, form: { _method: 'PATCH', text: 'x' }, face: 'html' },
    { method: 'POST', path: own, form: { _method: 'DELETE' }, face: 'html' },
    { method: 'POST', path: own, form: { _method: 'DELETE', _confirmed: '1' }, face: 'html' },
  ]
  const statuses = async (who: Who, tries: readonly Ask[], headers: Record<string, string> = {}) => {
    const answers = []
    for (const what of tries) answers.push((await ask(who, { ...what, headers })).status)
    return new Set(answers)
  }
  let own: string
  beforeAll(async () => {
    worldsOver(database)
    const viewAs = ['admin']
    world = await openWorld({
      resources: [Countries, usersResource({ roles: ['admin', 'editor', 'reader'] })],
      auth: { middleware: authenticate(), pipelines: [password(), apiKeys()], viewAs },
    })
    worldsOver('sqlite')
  })
  beforeEach(async () => {
    for (const who of ['admin', 'editor', 'reader', 'nobody'] as const) users.set(who, await world.as(who))
    for (const { id } of (await ask('admin', { path: all })).json.data) await ask('admin', { method: 'DELETE', path: `${all}/${id}` })
    own = (await write('editor')).headers.get('location') as string
  })
  afterAll(() => world?.close())

  test('are of the user who has signed in', async () => {
    const { data } = (await ask('reader', { path: own })).json
    expect(data).toMatchObject({ text: 'By editor', user: { id: await idOf('editor'), name: 'editor' } })
    expect(await statuses('reader', changes(own), { origin: 'http://localhost:3000' })).toEqual(new Set([403]))
    expect(await statuses('nobody', [{ path: all }, { path: own }, ...changes(own)], { origin: 'http://localhost:3000' })).toEqual(
      new Set([403]),
    )
    for (const what of [{ path: all }, { path: own }, ...changes(own).slice(0, 3)]) expect((await world.ask(what)).status).toBe(401)
    expect(await said()).toEqual(['By editor'])
  })

  test('are not changed from another site, nor by a form without its token', async () => {
    expect(await statuses('editor', changes(own), { origin: 'https://evil.example' })).toEqual(new Set([403]))
    expect(await statuses('editor', changes(own), { 'sec-fetch-site': 'cross-site' })).toEqual(new Set([403]))
    expect(await statuses('editor', changes(own).slice(3))).toEqual(new Set([403]))
    expect(await said()).toEqual(['By editor'])
  })

  test('are only read by who looks at the panel as somebody else, even their own', async () => {
    const mine = (await write('admin')).headers.get('location') as string
    const headers = { origin: 'http://localhost:3000' }
    const looks = async (method: string) => ask('admin', { method, path: `/admin/view-as/${await idOf('editor')}` })
    expect((await looks('PUT')).status).toBe(200)
    for (const path of [all, own, mine]) expect((await ask('admin', { path })).status).toBe(200)
    for (const path of [record, all, own]) expect((await ask('admin', { path, face: 'html' })).text).toContain('By editor')
    expect(await statuses('admin', [...changes(own), ...changes(mine)], headers)).toEqual(new Set([403]))
    expect((await ask('admin', { method: 'POST', path: all, json: { text: 'x' } })).json.detail).toBe(
      'You look at the panel as editor and can change nothing',
    )
    expect((await looks('DELETE')).status).toBe(200)
    expect(await said()).toEqual(['By admin', 'By editor'])
  })

  test('written with an API key are of its user, with the roles of the key, and none are with one that only reads', async () => {
    const keyOf = async (who: Who, more: object) => {
      const json = { name: 'Key', currentPassword: secret, ...more }
      const { json: made } = await ask(who, { method: 'POST', path: '/admin/profile/api-keys', json })
      return { authorization: `Bearer ${made.key}` }
    }
    const send = async (headers: Record<string, string>, what: Ask) => (await world.ask({ ...what, headers })).status
    const reads = await keyOf('editor', { readOnly: true })
    for (const path of [all, own]) expect(await send(reads, { path })).toBe(200)
    for (const what of changes(own)) expect(await send(reads, what)).toBe(403)
    const writes = await keyOf('editor', {})
    const made = await world.ask({ method: 'POST', path: all, json: { text: 'By key' }, headers: writes })
    expect(made.json.data.user).toEqual({ id: await idOf('editor'), name: 'editor' })
    // Of the same user, whichever way it was written.
    expect(await send(writes, { method: 'PATCH', path: own, json: { text: 'Changed' } })).toBe(200)
    expect((await ask('editor', { method: 'DELETE', path: made.headers.get('location') as string })).status).toBe(200)
    // Without the role that may delete records, the key of an administrator deletes no comments of others.
    await world.inside.store?.admin?.create({
      username: `both-${database}`,
      name: 'Both',
      roles: ['admin', 'reader'],
      passwordHash: await hashPassword(secret),
    })
    const both = await world.ask({ method: 'POST', path: '/admin/authenticate', json: { username: `both-${database}`, password: secret } })
    const json = { name: 'Key', currentPassword: secret, roles: ['reader'] }
    const narrow = await world.ask({ method: 'POST', path: '/admin/profile/api-keys', json, headers: { cookie: cookiesOf(both) } })
    expect(await send({ authorization: `Bearer ${narrow.json.key}` }, { method: 'DELETE', path: own })).toBe(403)
    expect(await said()).toEqual(['Changed'])
  })

  test('stay when their author is locked out, who changes nothing more', async () => {
    const path = `/admin/resource/users/crud/${await idOf('editor')}`
    const set = async (active: boolean) => expect((await ask('admin', { method: 'PATCH', path, json: { active } })).status).toBe(200)
    await set(false)
    expect(await statuses('editor', changes(own).slice(0, 3))).toEqual(new Set([401]))
    expect(await said()).toEqual(['By editor'])
    await set(true)
  })
})

test('whoever has another username, or the id of somebody else, changes no comment that was written before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-comments-'))
  const file = join(folder, 'app.db')
  const staff = sqliteTable('staff', { id: integer().primaryKey(), email: text().notNull(), hash: text(), groups: text() })
  const notes = sqliteTable('notes', { id: integer().primaryKey() })
  const client = new Sqlite(file)
  client.exec(
    'create table staff (id integer primary key, email text not null, hash text, groups text); create table notes (id integer primary key); insert into notes values (1)',
  )
  const hire = async (id: number, email: string) =>
    client.prepare('insert into staff values (?, ?, ?, ?)').run(id, email, await hashPassword(secret), 'staff')
  await hire(1, 'ada@example.com')
  const panel = definePanel({
    database: `sqlite:${file}`,
    resources: [defineResource({ model: notes, comments: true, activeActions: ['view'] })],
    users: { model: staff, columns: { username: 'email', password: 'hash', roles: 'groups' } },
  })
  const signIn = async (username: string) => ({
    cookie: cookiesOf(await askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username, password: secret } })),
  })
  const path = '/admin/resource/notes/crud/1/comments'
  const ada = await signIn('ada@example.com')
  const { json } = await askPanel(panel, { method: 'POST', path, json: { text: 'By Ada' }, headers: ada })
  const change = async (headers: Record<string, string>) =>
    (await askPanel(panel, { method: 'PATCH', path: `${path}/${json.data.id}`, json: { text: 'By Ada' }, headers })).status
  expect(await change(ada)).toBe(200)
  client.exec("update staff set email = 'lovelace@example.com'")
  expect(await change(ada)).toBe(403)
  client.exec('delete from staff')
  await hire(1, 'bob@example.com')
  const bob = await signIn('bob@example.com')
  expect(await change(bob)).toBe(403)
  expect((await askPanel(panel, { path: '/admin/resource/notes/crud/1', headers: bob, face: 'html' })).text).not.toContain(
    `comments/${json.data.id}`,
  )
  await panel.close()
  client.close()
  rmSync(folder, { recursive: true, force: true })
})
