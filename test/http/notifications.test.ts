import { spawnSync } from 'node:child_process'
import { apiKeys, authenticate, type DeclarationError, definePanel, defineResource, password, refuse, usersResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeJobs } from '../../src/crud/realm/jobs.js'
import { modelOf } from '../../src/resource/model/model.js'
import type { Job, JobStore } from '../../src/store/panel/jobs.js'
import { mostOfUser } from '../../src/store/panel/notifications.js'
import { panelStore } from '../../src/store/panel/open.js'
import { panelTable } from '../../src/store/panel/table.js'
import { notifications as table } from '../../src/store/panel/tables.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import type { Executes, SqlStore } from '../../src/store/sql/sql-store.js'
import { own as twinned } from '../../src/store/sql/twin.js'
import { type Ask, countries, openWorld, secret, type Who, type World, worldsOver } from '../auth/world.js'
import { openDatabase } from '../support/postgresql-shared.js'

const link = '/admin/resource/countries/crud/1'
const Countries = defineResource({
  model: countries,
  hooks: {
    async afterSave({ after, notify }) {
      if (after.name.startsWith('Told')) await notify({ to: { role: 'editor' }, text: `${after.name} is there`, tone: 'good', link })
      if (after.name === 'Told and refused') refuse('name', 'No')
      if (after.name === 'Told of nothing') await notify({ to: { role: 'editor' }, text: ' ' })
    },
  },
  handlers: {
    survey: { label: 'Survey', long: true, run: ({ ids }) => `${ids.length} surveyed` },
    fail: { label: 'Fail', long: true, run: () => refuse('name', 'It cannot be') },
    tell: { run: ({ notify, user }) => notify({ to: user.id, text: 'By yourself' }) },
    look: { safe: true, run: ({ notify, user }) => notify({ to: user.id, text: 'Never' }) },
  },
})
const resources = [Countries, usersResource({ roles: ['admin', 'editor', 'reader'] })]
const list = '/admin/notifications'

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  const statements: string[] = []
  let world: World
  let as: Record<Who, Record<string, string>>
  const ids = new Map<string, string>()
  beforeAll(async () => {
    worldsOver(database)
    world = await openWorld({
      resources,
      notifications: true,
      observe: (sql) => statements.push(sql),
      auth: { middleware: authenticate(), pipelines: [password(), apiKeys()] },
    })
    as = { admin: await world.as('admin'), editor: await world.as('editor'), reader: await world.as('reader'), nobody: {} }
    for (const name of ['admin', 'editor', 'reader'])
      ids.set(name, (await world.inside.store?.users.byUsername(name))?.identity.id as string)
  })
  afterAll(async () => {
    worldsOver('sqlite')
    await world?.close()
  })
  beforeEach(async () => {
    for (const headers of Object.values(as).slice(0, 3)) {
      await world.ask({ method: 'PATCH', path: list, headers, json: { read: true } })
      await world.ask({ method: 'DELETE', path: list, headers })
    }
  })

  const ask = (who: Who, method: string, path: string, more: Partial<Ask> = {}) =>
    world.ask({ method, path, ...more, headers: { ...as[who], ...more.headers } })
  const texts = async (who: Who) => (await ask(who, 'GET', list)).json.data.map(({ text }: { text: string }) => text)
  const create = (name: string) => ask('admin', 'POST', '/admin/resource/countries/crud', { json: { name } })
  const to = (who: Who) => ids.get(who) as string
  const counted = async (work: () => Promise<unknown>) => {
    await world.inside.realm.notifications?.close()
    statements.length = 0
    await work()
    return statements.filter((one) => /notifications/.test(one))
  }

  test('a hook tells all who have a role, by one statement in its transaction', async () => {
    const written = await counted(() => create('Told Chile'))
    expect(written).toHaveLength(1)
    expect(written[0]).toMatch(/^insert into .* select /)
    expect(await texts('reader')).toEqual([])
    const { json } = await ask('editor', 'GET', list)
    expect(json).toEqual({
      data: [{ id: expect.any(Number), text: 'Told Chile is there', tone: 'good', link, createdAt: expect.any(String), readAt: null }],
      meta: { unread: 1, perPage: 25, nextCursor: null },
    })
  })

  test('a write that is rolled back tells nobody', async () => {
    expect((await create('Told and refused')).status).toBe(422)
    expect((await create('Told of nothing')).status).toBe(500)
    expect(await texts('editor')).toEqual([])
  })

  test('a handler tells its user, and one that only reads tells nobody', async () => {
    expect((await ask('admin', 'POST', '/admin/resource/countries/handler/tell', { json: {} })).status).toBe(200)
    expect((await ask('admin', 'POST', '/admin/resource/countries/handler/look', { json: {} })).status).toBe(500)
    expect(await texts('admin')).toEqual(['By yourself'])
  })

  test('code outside of requests tells users by their ids, whoever of them exists', async () => {
    await world.panel.notify({ to: [to('admin'), Number(to('reader')), 999_999, 'none'], text: 'To two' })
    await world.panel.notify({ to: { role: ['reader', 'admin'] }, text: `${'x'.repeat(499)}😀`, link: 'https://example.com/a?b=c' })
    expect((await texts('reader')).map((text: string) => text.length)).toEqual([500, 6])
    expect(await texts('admin')).toHaveLength(2)
    expect(await texts('editor')).toEqual([])
    for (const wrong of ['javascript:alert(1)', '//example.com', '/\\example.com', 'ftp://example.com', '/a b', ''])
      await expect(world.panel.notify({ to: to('admin'), text: 'No', link: wrong })).rejects.toThrow(TypeError)
    await expect(world.panel.notify({ to: null as never, text: 'No' })).rejects.toThrow(TypeError)
  })

  test('a list and its count are two statements, and unchanged it is a 304', async () => {
    await world.panel.notify({ to: to('reader'), text: 'One' })
    expect(await counted(() => ask('reader', 'GET', list))).toHaveLength(2)
    const etag = (await ask('reader', 'GET', list)).headers.get('etag') as string
    expect((await ask('reader', 'GET', list, { headers: { 'if-none-match': etag } })).status).toBe(304)
    await world.panel.notify({ to: to('reader'), text: 'Two' })
    expect((await ask('reader', 'GET', list, { headers: { 'if-none-match': etag } })).status).toBe(200)
    // A page asks nothing of them.
    expect(await counted(() => ask('reader', 'GET', '/admin/resource/countries/crud', { face: 'html' }))).toEqual([])
  })

  test('programs mark and delete them', async () => {
    for (const text of ['One', 'Two', 'Three']) await world.panel.notify({ to: to('reader'), text })
    const [{ id }] = (await ask('reader', 'GET', list)).json.data
    const own = `${list}/${id}`
    expect((await ask('reader', 'GET', own)).json.data).toMatchObject({ id, text: 'Three', readAt: null })
    const marked = await ask('reader', 'PATCH', own, { json: { read: true } })
    expect(marked.json).toEqual({ data: expect.objectContaining({ id, readAt: expect.any(String) }), message: 'Marked as read' })
    expect((await ask('reader', 'PATCH', own, { json: { read: false } })).json.data.readAt).toBeNull()
    for (const json of [{}, { read: 'x' }, { other: true }]) expect((await ask('reader', 'PATCH', own, { json })).status).toBe(422)
    expect(await counted(() => ask('reader', 'PATCH', list, { json: { read: true } }))).toHaveLength(1)
    expect((await ask('reader', 'GET', list)).json.meta.unread).toBe(0)
    await ask('reader', 'PATCH', own, { json: { read: false } })
    expect((await ask('reader', 'DELETE', list)).json).toEqual({ message: 'Read notifications deleted' })
    expect(await texts('reader')).toEqual(['Three'])
    expect((await ask('reader', 'DELETE', own)).json).toEqual({ message: 'Notification deleted' })
    expect(await texts('reader')).toEqual([])
  })

  test('nobody sees or changes those of somebody else', async () => {
    await world.panel.notify({ to: to('reader'), text: 'For the reader' })
    const [{ id }] = (await ask('reader', 'GET', list)).json.data
    for (const face of ['json', 'html'] as const) {
      expect((await ask('admin', 'GET', `${list}/${id}`, { face })).status).toBe(404)
      expect((await ask('admin', 'PATCH', `${list}/${id}`, { face, json: { read: true } })).status).toBe(404)
      expect((await ask('admin', 'DELETE', `${list}/${id}`, { face })).status).toBe(404)
    }
    for (const id of ['0', 'x', '1e3', '99999999999999999999']) expect((await ask('admin', 'GET', `${list}/${id}`)).status).toBe(404)
    await ask('admin', 'PATCH', list, { json: { read: true } })
    expect((await ask('reader', 'GET', list)).json.meta.unread).toBe(1)
    expect((await world.ask({ path: list })).status).toBe(401)
  })

  test('a key of the user reads them, and one that is limited to some roles has none', async () => {
    await world.panel.notify({ to: to('editor'), text: 'For the editor' })
    const key = async (more: object) => {
      const json = { name: 'Key', currentPassword: secret, ...more }
      const { json: made } = await ask('editor', 'POST', '/admin/profile/api-keys', { json })
      return { authorization: `Bearer ${made.key}` }
    }
    const whole = await key({ readOnly: true })
    const [one] = (await world.ask({ path: list, headers: whole })).json.data
    expect(one.text).toBe('For the editor')
    expect((await world.ask({ path: `${list}/${one.id}`, headers: whole, face: 'html' })).status).toBe(303)
    expect((await world.ask({ method: 'PATCH', path: list, headers: whole, json: { read: true } })).status).toBe(403)
    expect((await ask('editor', 'GET', list)).json.meta.unread).toBe(1)
    expect((await world.ask({ path: list, headers: await key({ roles: ['editor'] }) })).json.data).toEqual([])
  })

  test('pages are read by their cursors', async () => {
    for (let n = 1; n <= 26; n++) await world.panel.notify({ to: to('reader'), text: `Number ${n}` })
    const { data, meta } = (await ask('reader', 'GET', list)).json
    expect([data.length, data[0].text, meta.unread]).toEqual([25, 'Number 26', 26])
    const rest = (await ask('reader', 'GET', `${list}?cursor=${meta.nextCursor}`)).json
    expect([rest.data.map(({ text }: { text: string }) => text), rest.meta.nextCursor]).toEqual([['Number 1'], null])
    expect((await ask('reader', 'GET', `${list}?cursor=x`)).status).toBe(422)
    expect((await ask('reader', 'GET', `${list}?cursor=x`, { face: 'html' })).status).toBe(200)
  })

  test('people read, follow, mark and delete them on their page, which shows texts as they are', async () => {
    await world.panel.notify({ to: to('reader'), text: '<b>Bold</b>', link })
    const page = (await ask('reader', 'GET', list, { face: 'html' })).text
    expect(page).toContain('&lt;b&gt;Bold&lt;/b&gt;')
    expect(page).toContain('1 unread')
    const own = /href="(\/admin\/notifications\/\d+)"/.exec(page)?.[1] as string
    const token = /name="_token" value="([^"]+)"/.exec(page)?.[1] as string
    const post = (path: string, form: Record<string, string>) => ask('reader', 'POST', path, { face: 'html', form })
    expect((await post(own, { _method: 'PATCH', read: '1' })).status).toBe(403)
    expect((await post(own, { _method: 'PATCH', read: '0', _token: token })).status).toBe(303)
    expect((await ask('reader', 'GET', list)).json.meta.unread).toBe(1)
    const followed = await ask('reader', 'GET', own, { face: 'html' })
    expect([followed.status, followed.headers.get('location')]).toEqual([303, link])
    expect((await ask('reader', 'GET', list)).json.meta.unread).toBe(0)
    const deleted = await post(own, { _method: 'DELETE', _token: token })
    expect([deleted.status, deleted.headers.get('location')]).toEqual([303, list])
    expect((await ask('reader', 'GET', list, { face: 'html' })).text).toContain('Nothing yet')
  })

  test('who starts a job is told how it has ended', async () => {
    const begin = (name: string) => ask('admin', 'POST', `/admin/resource/countries/handler/${name}`, { json: { ids: [1, 2] } })
    const survey = (await begin('survey')).json.data
    await vi.waitFor(async () => expect(await texts('admin')).toEqual(['Survey: 2 surveyed']), 10_000)
    expect((await ask('admin', 'GET', list)).json.data[0]).toMatchObject({ tone: 'good', link: survey.url })
    await begin('fail')
    await vi.waitFor(async () => expect(await texts('admin')).toEqual(['Fail: It cannot be', 'Survey: 2 surveyed']), 10_000)
    expect((await ask('admin', 'GET', list)).json.data[0].tone).toBe('bad')
  })

  test('who has started a job is told that it was interrupted, once, whoever finds that out', async () => {
    const { jobs, notifications } = { jobs: world.inside.store?.jobs, notifications: world.inside.realm.notifications }
    const survey = (await ask('admin', 'POST', '/admin/resource/countries/handler/survey', { json: { ids: [1] } })).json.data
    await vi.waitFor(async () => expect(await texts('admin')).toEqual(['Survey: 1 surveyed']), 10_000)
    const ended = (await jobs?.find(survey.id)) as Job
    const killed = {
      ...ended,
      state: 'running',
      endedAt: null,
      boot: 'another',
      pid: spawnSync(process.execPath, ['--version']).pid,
    } as const
    const failed = vi.fn()
    const watch = async (store = jobs as JobStore) => {
      const one = makeJobs(store, failed, notifications)
      one.watch()
      await one.close()
    }
    const another = panelStore(world.inside.realm.store as SqlStore, undefined, 'another').jobs
    await jobs?.create({ ...killed, id: 'killed' })
    await watch(another)
    expect([await another.find('killed'), (await jobs?.find('killed'))?.state]).toEqual([null, 'running'])
    await Promise.all([watch(), watch(), watch()])
    expect(await texts('admin')).toEqual(['Survey: Interrupted: the server process ended', 'Survey: 1 surveyed'])
    expect((await ask('admin', 'GET', list)).json.data[0]).toMatchObject({ tone: 'bad', link: survey.url })
    await jobs?.create({ ...killed, id: 'seen' })
    const looked = () => ask('admin', 'GET', '/admin/job/seen')
    expect((await Promise.all([looked(), looked(), watch()])).slice(0, 2).map((one) => one?.json.data.state)).toEqual(
      Array(2).fill('interrupted'),
    )
    expect(await texts('admin')).toHaveLength(3)
    expect(failed).not.toHaveBeenCalled()
    statements.length = 0
    await watch()
    expect(statements.filter((one) => /jobs/.test(one))).toHaveLength(1)
  })

  const kept = panelTable(table)
  const store = () => world.inside.realm.store
  const ofUser = (id: string) => ({ op: 'eq', column: 'userId', value: id }) as const

  test('whoever may not sign in is not told, and those of a user who is deleted go', async () => {
    const user = await world.inside.store?.admin?.create({ username: 'late', name: 'Late', roles: ['editor'], passwordHash: null })
    const id = String(user?.id)
    await world.panel.notify({ to: id, text: 'One' })
    await world.inside.store?.admin?.setActive('late', false)
    await world.panel.notify({ to: [id], text: 'Two' })
    expect(await store().count(modelOf(table), ofUser(id))).toBe(1)
    expect((await ask('admin', 'DELETE', `/admin/resource/users/crud/${id}`)).status).toBe(200)
    expect(await store().count(modelOf(table), ofUser(id))).toBe(0)
  })

  test('old ones are deleted, and all but the newest of somebody who has too many', async () => {
    const userId = to('reader')
    const one = { panel: 'admin', userId, username: 'reader', text: 'Old', createdAt: new Date() }
    await store().transaction(async (tx) => {
      await kept.create(tx, { ...one, text: 'Too old', createdAt: new Date(Date.now() - 3 * 86_400_000), readAt: null })
      for (let n = 0; n < mostOfUser + 5; n++) await kept.create(tx, { ...one, text: `Number ${n}` })
    })
    const failed = vi.fn()
    const tidy = world.inside.store?.notifications(2, failed)
    tidy?.start()
    await tidy?.close()
    expect(failed).not.toHaveBeenCalled()
    expect(await store().count(modelOf(table), ofUser(userId))).toBe(mostOfUser)
    const [oldest] = await kept.first(store(), 1, ofUser(userId))
    expect(oldest?.text).toBe('Number 5')
  })

  test('the users of an application are told by their roles, in JSON or with commas', async () => {
    const { url, drop } = database === 'postgresql' ? await openDatabase() : { url: 'sqlite::memory:', drop: async () => {} }
    const sql = openSqlStore({ database: url })
    const people = twinned(
      sqliteTable('people', {
        id: integer().primaryKey(),
        login: varchar().notNull(),
        hash: varchar().notNull(),
        roles: varchar({ mode: 'json' }).$type<string[]>(),
        groups: varchar(),
        active: integer({ mode: 'boolean' }),
      }),
    )
    const columns = { username: 'login', password: 'hash', active: 'active' } as const
    const over = (roles: 'roles' | 'groups') =>
      panelStore(sql, { model: people, columns: { ...columns, roles } } as never).notifications(90, () => {})
    await over('roles').open()
    await sql.transaction(async (tx) => {
      const [name, json, boolean] = database === 'sqlite' ? ['daymark_people', 'text', 'integer'] : ['daymark.people', 'jsonb', 'boolean']
      await tx.execute(
        `create table ${name.replace('daymark_', '')} (id bigint primary key, login text, hash text, roles ${json}, groups text, active ${boolean})`,
      )
      const person = (id: number, roles: string[] | null, groups: string | null, active = true) =>
        tx.create(modelOf(people), { id, login: `p${id}`, hash: '', roles, groups, active })
      await person(1, ['chief'], ' boss ,\tchief')
      await person(2, ['chiefs', 'x,chief'], 'chiefs,"chief",chi ef')
      await person(3, ['chief'], 'chief', false)
      await person(4, null, null)
      await person(5, ['Chief', 'a "quoted" one'], 'a "quoted" one')
    })
    const told = async (roles: 'roles' | 'groups', role: string) => {
      await sql.transaction((tx) => over(roles).add(tx as typeof tx & Executes, { to: { role }, text: role }))
      const found = await kept.first(sql, 10, { op: 'eq', column: 'text', value: role })
      await sql.transaction((tx) => kept.deleteAll(tx, { op: 'eq', column: 'text', value: role }))
      return found.map(({ username }) => username)
    }
    for (const roles of ['roles', 'groups'] as const) {
      expect(await told(roles, 'chief')).toEqual(['p1'])
      expect(await told(roles, 'a "quoted" one')).toEqual(['p5'])
    }
    // An id that is given again is somebody else's.
    await sql.transaction((tx) => over('roles').add(tx, { to: 1, text: 'Yours' }))
    expect(await over('roles').of({ id: '1', username: 'p1' }, 10, null)).toHaveLength(1)
    expect(await over('roles').of({ id: '1', username: 'other' }, 10, null)).toHaveLength(0)
    await sql.close()
    await drop()
  })
})

test('a panel without them has no page of them, and what notifies there fails', async () => {
  const world = await openWorld({ resources })
  const headers = await world.as('admin')
  expect((await world.ask({ path: list, headers })).status).toBe(404)
  expect((await world.ask({ path: '/admin', headers, face: 'html' })).text).not.toContain('class="bell"')
  expect((await world.ask({ method: 'POST', path: '/admin/resource/countries/crud', headers, json: { name: 'Told' } })).status).toBe(500)
  await expect(world.panel.notify({ to: 1, text: 'x' })).rejects.toThrow('notifications: true')
  await world.close()
})

test('a panel without users has nobody to notify, and days are whole', () => {
  const start = (more: object) => () => definePanel({ database: 'sqlite::memory:', resources: [], ...more } as never)
  const wrong = (more: object) => {
    try {
      start(more)()
      return []
    } catch (thrown) {
      return (thrown as DeclarationError).problems.map(({ id, where }) => `${id} ${where}`)
    }
  }
  expect(wrong({ notifications: true, auth: 'open' })).toEqual(['notifications notifications'])
  for (const keep of [0, 1.5, '90', 1e9]) expect(wrong({ notifications: { keep } })).toEqual(['notifications notifications.keep'])
  expect(wrong({ notifications: { days: 90 } })).toEqual(['setting-unknown notifications.days'])
  expect(wrong({ notifications: 'yes' })).toEqual(['setting-value notifications'])
  expect(wrong({ notifications: { keep: 1 } })).toEqual([])
})
