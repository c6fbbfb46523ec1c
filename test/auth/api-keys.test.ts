import { setTimeout } from 'node:timers/promises'
import { apiKeys, apiKeysResource, authenticate, defineResource, password, usersResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PanelSpec } from '../../src/panel/spec.js'
import { type Answer, type Ask, Cities, Countries, cookiesOf, openWorld, secret, tokenMode, type World, worldsOver } from './world.js'

const own = '/admin/profile/api-keys'
const cities = '/admin/resource/cities/crud'

const withKeys = (options?: Parameters<typeof apiKeys>[0], more: Partial<PanelSpec> = {}) =>
  openWorld({ auth: { middleware: authenticate(), pipelines: [password(), apiKeys(options)] }, ...more })

/** Makes a key on the profile page of a user, and returns it with the answer. */
async function make(
  world: World,
  who: 'admin' | 'editor' | 'reader' | 'nobody',
  json: object = {},
): Promise<{ key: string; made: Answer }> {
  const headers = await world.as(who)
  const made = await world.ask({ method: 'POST', path: own, headers, json: { name: 'Import', currentPassword: secret, ...json } })
  return { key: made.json?.key, made }
}

const bearing = (key: string, more: Partial<Ask> = {}): Ask => ({
  path: cities,
  ...more,
  headers: { authorization: `Bearer ${key}`, ...more.headers },
})

afterEach(() => {
  vi.useRealTimers()
})

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  let world: World
  beforeAll(async () => {
    worldsOver(database)
    world = await withKeys()
  })
  afterAll(async () => {
    worldsOver('sqlite')
    await world?.close()
  })

  test('a key does what its user may, and nothing else', async () => {
    const { key, made } = await make(world, 'editor')
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(made.json).toEqual({
      data: {
        id: expect.stringMatching(/^[\w-]{43}$/),
        name: 'Import',
        start: key.slice(0, 12),
        roles: null,
        readOnly: false,
        valid: true,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        lastSeenAt: null,
      },
      key: expect.stringMatching(/^daymark_[\w-]{43}$/),
      message: 'The key "Import" was created. Copy it now: it is not shown again',
    })
    expect(Date.parse(made.json.data.expiresAt) - Date.parse(made.json.data.createdAt)).toBeCloseTo(90 * 86_400_000, -4)
    expect((await world.ask(bearing(key))).status).toBe(200)
    // No token of a form is needed, since no browser sends the key by itself.
    const created = await world.ask(bearing(key, { method: 'POST', json: { name: 'Rome' } }))
    expect(created.status).toBe(201)
    expect((await world.ask(bearing(key, { method: 'DELETE', path: `${cities}/${created.json.data.id}` }))).status).toBe(403)
    expect((await world.ask(bearing(key, { path: '/admin/resource/vaults/crud' }))).status).toBe(403)
    expect(created.json.data).not.toHaveProperty('launchCode')
    // What is stored is the hash, and it is no key.
    for (const wrong of [made.json.data.id, `daymark_${made.json.data.id}`, `${key}A`, key.slice(0, -1), `${key.slice(0, -1)}~`])
      expect((await world.ask(bearing(wrong))).status).toBe(401)
    // Nor is it one elsewhere than in this header.
    expect((await world.ask({ path: `${cities}?key=${key}` })).status).toBe(401)
    expect((await world.ask({ path: cities, headers: { authorization: `Basic ${key}` } })).status).toBe(401)
  })

  test('a caller without one is told of both ways', async () => {
    const answer = await world.ask({ path: cities })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Session, Bearer'])
  })

  test('it is listed without the key, with its last use, and deleted at once', async () => {
    const { key, made } = await make(world, 'reader', { name: 'Watcher' })
    const headers = await world.as('reader')
    await world.ask(bearing(key))
    await expect.poll(async () => (await world.ask({ path: own, headers })).json.data[0].lastSeenAt).not.toBeNull()
    const listed = await world.ask({ path: own, headers })
    expect(listed.json.data[0]).toEqual({ ...made.json.data, lastSeenAt: expect.any(String) })
    expect(listed.text).not.toContain(key)
    // Nobody else's.
    const path = `${own}/${made.json.data.id}`
    expect((await world.ask({ path: own, headers: await world.as('admin') })).text).not.toContain('Watcher')
    expect((await world.ask({ method: 'DELETE', path, headers: await world.as('admin') })).status).toBe(404)
    expect((await world.ask(bearing(key))).status).toBe(200)
    const gone = await world.ask({ method: 'DELETE', path, headers })
    expect([gone.status, gone.json]).toEqual([200, { message: 'The key "Watcher" was deleted' }])
    expect((await world.ask(bearing(key))).status).toBe(401)
    expect((await world.ask({ method: 'DELETE', path, headers })).status).toBe(404)
  })

  test('it may be limited to reading', async () => {
    const { key } = await make(world, 'admin', { readOnly: true })
    expect((await world.ask(bearing(key))).status).toBe(200)
    expect((await world.ask(bearing(key, { method: 'HEAD' }))).status).toBe(200)
    const before = (await world.ask(bearing(key))).json.meta.total
    for (const [method, path, more] of [
      ['POST', cities, { json: { name: 'Oslo' } }],
      ['POST', cities, { form: { name: 'Oslo' } }],
      ['PUT', `${cities}/1`, { json: { name: 'Oslo' } }],
      ['PATCH', `${cities}/1`, { json: { name: 'Oslo' } }],
      ['POST', `${cities}/1`, { form: { _method: 'PUT', name: 'Oslo' } }],
      ['DELETE', `${cities}/1`, {}],
      ['DELETE', `${cities}?ids[]=1`, {}],
      ['PATCH', '/admin/preferences', { json: { theme: 'dark' } }],
      ['POST', '/admin/logout', {}],
    ] as const) {
      const refused = await world.ask(bearing(key, { method, path, ...more }))
      expect([method, refused.status, refused.json?.detail]).toEqual([method, 403, 'You may only read here'])
    }
    expect((await world.ask(bearing(key))).json.meta.total).toBe(before)
    // An export of some rows is a POST only since many keys fit in no address.
    const some = await world.ask(bearing(key, { method: 'POST', path: '/admin/resource/cities/export', json: { _all: true } }))
    expect([some.status, some.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
  })

  test('it is void from its last day on', async () => {
    const { key } = await make(world, 'editor', { days: 1 })
    const now = Date.now()
    // A list without computed values, whose answer is kept.
    const list = bearing(key, { path: '/admin/resource/countries/crud' })
    vi.useFakeTimers({ toFake: ['Date'], now: now + 86_390_000 })
    for (let times = 0; times < 3; times++) expect((await world.ask(list)).status).toBe(200)
    vi.setSystemTime(now + 86_410_000)
    expect((await world.ask(list)).status).toBe(401)
    // The same request, whose answer may have been kept.
    expect((await world.ask(list)).status).toBe(401)
  })

  test('it goes with its user', async () => {
    let { key } = await make(world, 'reader')
    const status = async () => (await world.ask(bearing(key))).status
    const { users } = { users: world.inside.store?.admin }
    expect(await status()).toBe(200)
    await users?.setActive('reader', false)
    expect(await status()).toBe(401)
    await users?.setActive('reader', true)
    expect(await status()).toBe(401)
    key = (await make(world, 'reader')).key
    expect(await status()).toBe(200)
    // A role that is lost is lost to the key, too.
    const headers = await world.as('admin')
    const change = (json: object) => world.ask({ method: 'PUT', path: '/admin/resource/users/crud/3', headers, json })
    expect((await change({ roles: [] })).status).toBe(200)
    expect(await status()).toBe(403)
    await change({ roles: ['reader'] })
    expect(await status()).toBe(200)
    // A password is not what it stands for.
    await change({ password: 'another one for the reader' })
    expect(await status()).toBe(200)
    // An id may be used again, by somebody else.
    await change({ username: 'somebody' })
    expect(await status()).toBe(401)
    const json = { username: 'somebody', password: 'another one for the reader' }
    const cookie = cookiesOf(await world.ask({ method: 'POST', path: '/admin/authenticate', json }))
    expect((await world.ask({ path: own, headers: { cookie } })).json).toEqual({ data: [] })
    await change({ username: 'reader', password: secret })
    expect(await status()).toBe(200)
  })

  test('it cannot change the account', async () => {
    const { key } = await make(world, 'admin')
    const profile = await world.ask(bearing(key, { path: '/admin/profile' }))
    expect([profile.status, profile.json.data.username, profile.json.data.sessions]).toEqual([200, 'admin', []])
    await world.as('admin')
    for (const [method, path, json] of [
      ['GET', own, undefined],
      ['POST', own, { name: 'More', currentPassword: secret }],
      ['PUT', '/admin/profile', { name: 'Mallory' }],
      ['PUT', '/admin/profile', { newPassword: 'a password of the thief', currentPassword: secret }],
      ['PUT', '/admin/profile/two-factor', { secret: 'A'.repeat(32), code: '000000', currentPassword: secret }],
    ] as const) {
      const refused = await world.ask(bearing(key, { method, path, ...(json && { json }) }))
      expect([method, path, refused.status]).toEqual([method, path, 403])
    }
    const ended = await world.ask(bearing(key, { method: 'DELETE', path: '/admin/profile/sessions' }))
    expect([ended.status, ended.json]).toEqual([200, { message: 'Signed out' }])
    expect((await world.ask({ path: '/admin/profile', headers: await world.as('admin') })).json.data.sessions.length).toBeGreaterThan(1)
    // Nor where users are managed.
    const itself = await world.ask(bearing(key, { method: 'PATCH', path: '/admin/resource/users/crud/1', json: { name: 'Mallory' } }))
    expect([itself.status, itself.json.errors]).toEqual([422, { username: ['An API key cannot change the user whose it is'] }])
  })

  test('one that is made while its user is disabled never works', async () => {
    const { makeApiKey } = await import('../../src/auth/api-key.js')
    const before = await world.inside.store?.users.byUsername('reader')
    await world.inside.store?.admin?.setActive('reader', false)
    const { text, key } = makeApiKey({ panel: 'admin' }, before as never, { name: 'Late', roles: null, readOnly: false, expiresAt: null })
    await world.inside.store?.apiKeys.create(key, 100)
    await world.inside.store?.admin?.setActive('reader', true)
    expect((await world.ask(bearing(text))).status).toBe(401)
    const listed = await world.ask({ path: own, headers: await world.as('reader') })
    expect(listed.json.data).toContainEqual(expect.objectContaining({ name: 'Late', valid: false }))
  })

  test('of those that are made at once, no more than a hundred are', async () => {
    const account = await world.inside.store?.users.byUsername('editor')
    const { makeApiKey } = await import('../../src/auth/api-key.js')
    const keys = world.inside.store?.apiKeys
    const there = (await keys?.of(account?.identity.id ?? ''))?.length ?? 0
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        keys?.create(
          makeApiKey({ panel: 'admin' }, account as never, { name: `${i}`, roles: null, readOnly: false, expiresAt: null }).key,
          there + 3,
        ),
      ),
    )
    expect(made.filter(Boolean)).toHaveLength(3)
    for (const { id, name } of (await keys?.of(account?.identity.id ?? '')) ?? []) if (/^\d$/.test(name)) await keys?.remove(id)
  })

  test.each<[string, object, string, string]>([
    ['a name of two lines', { name: 'a\nb' }, 'name', 'A name is one line of plain characters'],
    ['reading as text', { readOnly: 'true' }, 'readOnly', 'Say true or false'],
    ['no name', { name: ' ' }, 'name', 'Name is required'],
    ['a long name', { name: '😀'.repeat(101) }, 'name', 'Name must have at most 100 characters'],
    ['no password', { currentPassword: '' }, 'currentPassword', 'Current password is required'],
    ['a wrong password', { currentPassword: 'wrong' }, 'currentPassword', 'This is not the current password'],
    ['days as text', { days: '30' }, 'days', 'Days must be a whole number from 1 to 3650, or null for a key without an end'],
    ['no day', { days: 0 }, 'days', 'Days must be a whole number from 1 to 3650, or null for a key without an end'],
    ['half a day', { days: 0.5 }, 'days', 'Days must be a whole number from 1 to 3650, or null for a key without an end'],
    ['too many days', { days: 3651 }, 'days', 'Days must be a whole number from 1 to 3650, or null for a key without an end'],
    ['no role', { roles: [] }, 'roles', 'Name at least one role'],
    ['roles as text', { roles: 'editor' }, 'roles', 'Name at least one role'],
    ['a role of somebody else', { roles: ['editor', 'admin'] }, 'roles', 'You do not have the role admin. Yours: editor'],
    ['a number for a name', { name: 1 }, 'name', 'name must be text'],
    ['an unknown field', { scope: 'all' }, 'scope', 'Unknown field "scope". Valid: name, currentPassword, readOnly, days, roles'],
  ])('%s is refused', async (_, json, field, said) => {
    const { made } = await make(world, 'editor', json)
    expect([made.status, made.json.errors[field]]).toEqual([422, [said]])
  })

  test('its name has as many characters as are told, whatever their size, and is cut by no control', async () => {
    const { made } = await make(world, 'editor', { name: '😀'.repeat(100) })
    expect(made.status).toBe(201)
    const { text } = await world.ask({ path: own, face: 'html', headers: await world.as('editor') })
    expect(text).toContain('data-characters="100"')
    expect(text).not.toContain('maxlength')
    await world.inside.store?.apiKeys.remove(made.json.data.id)
  })

  test('a page makes one, shows it once, and asks before it deletes it', async () => {
    const headers = await world.as('nobody')
    const ask = (what: Partial<Ask>) =>
      world.ask({ path: own, face: 'html', headers: { ...headers, 'sec-fetch-site': 'same-origin' }, ...what })
    const page = await ask({})
    expect(page.status).toBe(200)
    expect(page.text).toContain('You have no API keys.')
    const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const wrong = await ask({ method: 'POST', form: { _token: token, name: '<b>CI</b>', days: '', readOnly: '1', currentPassword: 'no' } })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('value="&lt;b&gt;CI&lt;/b&gt;"')
    expect(wrong.text).toContain('<option value="" selected>')
    expect(wrong.text).toContain('name="readOnly" value="1" checked')
    expect(wrong.text).not.toMatch(/daymark_[\w-]{43}/)
    const made = await ask({ method: 'POST', form: { _token: token, name: '<b>CI</b>', days: '', readOnly: '1', currentPassword: secret } })
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, expect.stringContaining('no-store')])
    const key = /daymark_[\w-]{43}/.exec(made.text)?.[0] ?? ''
    expect((await world.ask(bearing(key, { path: '/admin/profile' }))).json.data.username).toBe('nobody')
    const listed = await ask({})
    expect(listed.text).not.toContain(key)
    expect(listed.text).toContain('&lt;b&gt;CI&lt;/b&gt;')
    expect(listed.text).toContain('Only reads')
    expect((await ask({ path: '/admin/profile' })).text).toContain('Keys: 1')
    const action = /action="([^"]+\/api-keys\/[\w-]{43})"/.exec(listed.text)?.[1] ?? ''
    expect((await ask({ method: 'POST', path: action, headers, form: { _method: 'DELETE' } })).status).toBe(403)
    const asked = await ask({ method: 'POST', path: action, form: { _token: token, _method: 'DELETE' } })
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Delete the key &quot;&lt;b&gt;CI&lt;/b&gt;&quot;?')])
    expect((await world.ask(bearing(key, { path: '/admin/profile' }))).status).toBe(200)
    const gone = await ask({ method: 'POST', path: action, form: { _token: token, _method: 'DELETE', _confirmed: '1' } })
    expect([gone.status, gone.headers.get('location')]).toEqual([303, own])
    expect((await world.ask(bearing(key, { path: '/admin/profile' }))).status).toBe(401)
  })
})

test('a key is limited to some roles of its user, as long as they are theirs', async () => {
  const world = await withKeys()
  const headers = await world.as('admin')
  const users = '/admin/resource/users/crud'
  const both = await world.ask({ method: 'PUT', path: `${users}/2`, headers, json: { roles: ['editor', 'reader'] } })
  expect(both.status).toBe(200)
  const { key, made } = await make(world, 'editor', { roles: ['reader', 'reader'] })
  expect(made.json.data.roles).toEqual(['reader'])
  expect((await world.ask(bearing(key, { path: '/admin/profile' }))).json.data.roles).toEqual(['reader'])
  expect((await world.ask(bearing(key))).status).toBe(200)
  expect((await world.ask(bearing(key, { method: 'POST', json: { name: 'Rome' } }))).status).toBe(403)
  const page = await world.ask({ path: own, face: 'html', headers: await world.as('editor') })
  expect(page.text).toContain('name="roles" value="editor" checked> Editor<')
  expect(page.text).toContain('<span class="badge tag">Reader<')
  await world.ask({ method: 'PUT', path: `${users}/2`, headers, json: { roles: ['editor'] } })
  expect((await world.ask(bearing(key))).status).toBe(403)
  await world.close()
})

test('a panel says whose keys it takes, and for how long', async () => {
  const world = await withKeys({ roles: ['editor'], mostDays: 30 })
  expect((await make(world, 'admin')).made.status).toBe(403)
  expect((await world.ask({ path: own, headers: await world.as('admin') })).status).toBe(403)
  expect((await world.ask({ path: '/admin/profile', face: 'html', headers: await world.as('admin') })).text).not.toContain('api-keys')
  const { key, made } = await make(world, 'editor')
  expect(Date.parse(made.json.data.expiresAt) - Date.parse(made.json.data.createdAt)).toBeCloseTo(30 * 86_400_000, -4)
  for (const days of [31, null])
    expect((await make(world, 'editor', { days })).made.json.errors.days).toEqual(['Days must be a whole number from 1 to 30'])
  const page = await world.ask({ path: own, face: 'html', headers: await world.as('editor') })
  expect(page.text.match(/<option[^>]*>[^<]*/g)).toEqual(['<option value="30" selected>30 days'])
  expect((await world.ask(bearing(key))).status).toBe(200)
  const headers = await world.as('admin')
  await world.ask({ method: 'PUT', path: '/admin/resource/users/crud/2', headers, json: { roles: ['reader'] } })
  expect((await world.ask(bearing(key))).status).toBe(401)
  await world.close()
})

test('without apiKeys(), there are none', async () => {
  const world = await openWorld()
  const headers = await world.as('admin')
  expect((await world.ask({ path: own, headers })).status).toBe(404)
  expect((await world.ask({ path: '/admin/profile', face: 'html', headers })).text).not.toContain('api-keys')
  expect((await world.ask({ path: cities })).headers.get('www-authenticate')).toBe('Session')
  await world.close()
})

test('they are made with tokens, too, and taken beside them', async () => {
  const { auth, middleware = [] } = tokenMode() as { auth: Exclude<PanelSpec['auth'], 'open' | undefined> } & Pick<PanelSpec, 'middleware'>
  const world = await openWorld({ middleware, auth: { ...auth, pipelines: [...auth.pipelines, apiKeys()] } })
  const { key } = await make(world, 'editor')
  expect((await world.ask(bearing(key))).status).toBe(200)
  expect((await world.ask({ path: cities, headers: await world.as('editor') })).status).toBe(200)
  expect((await world.ask({ path: cities })).headers.get('www-authenticate')).toBe('Bearer')
  await world.close()
})

test('a user has a hundred at most', async () => {
  const world = await withKeys()
  const account = await world.inside.store?.users.byUsername('editor')
  const { makeApiKey } = await import('../../src/auth/api-key.js')
  const keys = world.inside.store?.apiKeys
  for (let i = 0; i < 100; i++) {
    const { key } = makeApiKey({ panel: 'admin' }, account as never, { name: `${i}`, roles: null, readOnly: false, expiresAt: null })
    expect(await keys?.create(key, 100)).toBe(true)
  }
  const { made } = await make(world, 'editor')
  expect([made.status, made.json.detail]).toEqual([422, 'You have 100 keys already. Delete one first'])
  await world.close()
})

test('administrators see and delete those of everybody', async () => {
  const world = await withKeys(undefined, { resources: [Countries, Cities, apiKeysResource()] })
  const { key, made } = await make(world, 'editor', { name: 'Theirs' })
  const list = '/admin/resource/api-keys/crud'
  expect((await world.ask({ path: list, headers: await world.as('editor') })).status).toBe(403)
  const headers = await world.as('admin')
  const { json, text } = await world.ask({ path: list, headers })
  expect(json.data).toEqual([expect.objectContaining({ name: 'Theirs', username: 'editor', start: key.slice(0, 12), readOnly: false })])
  expect(text).not.toContain(key)
  for (const [method, path] of [
    ['POST', list],
    ['PUT', `${list}/${made.json.data.id}`],
  ] as const)
    expect((await world.ask({ method, path, headers, json: { name: 'Mine' } })).status).toBe(403)
  expect((await world.ask({ path: list, headers, face: 'html' })).text).toContain(`<code>${key.slice(0, 12)}…</code>`)
  expect((await world.ask({ method: 'DELETE', path: `${list}/${made.json.data.id}`, headers })).status).toBe(200)
  expect((await world.ask(bearing(key))).status).toBe(401)
  await world.close()
})

test('each panel of a database has its own', async () => {
  const world = await withKeys()
  const { key } = await make(world, 'admin')
  const { definePanel } = await import('daymark')
  const other = definePanel({
    id: 'other',
    database: `sqlite:${world.path}`,
    resources: [Countries, apiKeysResource({ panel: 'other' })],
    auth: { middleware: authenticate(), pipelines: [password(), apiKeys()] },
  })
  const { askPanel, cookiesOf } = await import('./world.js')
  const path = '/admin/resource/countries/crud'
  expect((await world.ask(bearing(key, { path }))).status).toBe(200)
  expect((await askPanel(other, bearing(key, { path }))).status).toBe(401)
  const signedIn = await askPanel(other, { method: 'POST', path: '/admin/authenticate', json: { username: 'admin', password: secret } })
  const headers = { cookie: cookiesOf(signedIn) }
  expect((await askPanel(other, { path: own, headers })).json).toEqual({ data: [] })
  expect((await askPanel(other, { path: '/admin/resource/api-keys/crud', headers })).json.data).toEqual([])
  await other.close()
  await world.close()
})

test('what is wrong with the settings stops the start', async () => {
  await expect(withKeys({ mostDays: 0 })).rejects.toThrow('mostDays must be a whole number of days, from 1 to 3650')
  await expect(openWorld({ resources: [apiKeysResource()] })).rejects.toThrow('this panel takes no API keys')
  await expect(withKeys(undefined, { id: 'own', resources: [apiKeysResource()] })).rejects.toThrow("apiKeysResource({ panel: 'own' })")
})

test('where two-factor sign-in is required, a key is good once its user has it', async () => {
  const { authenticate: middleware } = await import('daymark')
  const auth = { middleware: middleware(), pipelines: [password(), apiKeys()], twoFactor: { required: ['admin'] } }
  const world = await openWorld({ auth })
  const account = await world.inside.store?.users.byUsername('admin')
  const { makeApiKey } = await import('../../src/auth/api-key.js')
  const { text, key } = makeApiKey({ panel: 'admin' }, account as never, { name: 'CI', roles: null, readOnly: false, expiresAt: null })
  await world.inside.store?.apiKeys.create(key, 100)
  expect((await world.ask(bearing(text))).status).toBe(403)
  await world.inside.store?.users.changeTwoFactor('1', null, 'x')
  expect((await world.ask(bearing(text))).status).toBe(200)
  await world.close()
})

test('a panel that allows fewer days from now on does so for keys that there are', async () => {
  const world = await withKeys()
  const { key } = await make(world, 'admin', { days: null })
  const { definePanel } = await import('daymark')
  const { askPanel } = await import('./world.js')
  const stricter = definePanel({
    database: `sqlite:${world.path}`,
    resources: [Countries, Cities],
    auth: { middleware: authenticate(), pipelines: [password(), apiKeys({ mostDays: 7 })] },
  })
  expect((await askPanel(stricter, bearing(key))).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
  expect((await world.ask(bearing(key))).status).toBe(200)
  expect((await askPanel(stricter, bearing(key))).status).toBe(401)
  await stricter.close()
  await world.close()
})

test('a read-only key reaches nothing that is open to anybody and writes', async () => {
  const world = await withKeys()
  const { key } = await make(world, 'admin', { readOnly: true })
  const json = { username: 'admin', password: secret }
  expect((await world.ask(bearing(key, { method: 'POST', path: '/admin/authenticate', json }))).status).toBe(403)
  await world.close()
})

const people = sqliteTable('people', {
  id: integer().primaryKey(),
  email: varchar().notNull(),
  secret: varchar(),
  groups: varchar().notNull(),
  enabled: integer({ mode: 'boolean' }).notNull(),
})

test('users of an application have keys of their own, which end for good when they are refused', async () => {
  const world = await withKeys()
  const { key: other } = await make(world, 'admin')
  const { Sqlite } = await import('../support/sqlite.js')
  const { hashPassword } = await import('../../src/auth/password.js')
  const client = new Sqlite(world.path)
  // A transaction of the panel that is just about to end waits for this very thread.
  const exec = (sql: string) =>
    expect
      .poll(() => {
        try {
          client.exec(sql)
          return true
        } catch (thrown) {
          return String(thrown)
        }
      })
      .toBe(true)
  client.exec(
    'create table people (id integer primary key, email text not null, secret text, groups text not null, enabled integer not null)',
  )
  const insert = `insert into people values (1, 'admin', '${await hashPassword(secret)}', 'admin', 1)`
  await exec(insert)
  const { definePanel } = await import('daymark')
  const { askPanel, cookiesOf } = await import('./world.js')
  const shop = definePanel({
    database: `sqlite:${world.path}`,
    resources: [Countries, Cities],
    users: { model: people, columns: { username: 'email', password: 'secret', roles: 'groups', active: 'enabled' } },
    auth: { middleware: authenticate(), pipelines: [password(), apiKeys()] },
  })
  // The same id and the same username, but another user.
  expect((await world.ask(bearing(other))).status).toBe(200)
  expect((await askPanel(shop, bearing(other))).status).toBe(401)
  const signedIn = await askPanel(shop, { method: 'POST', path: '/admin/authenticate', json: { username: 'admin', password: secret } })
  const headers = { cookie: cookiesOf(signedIn) }
  expect((await askPanel(shop, { path: own, headers })).json).toEqual({ data: [] })
  const { key } = (await askPanel(shop, { method: 'POST', path: own, headers, json: { name: 'Own', currentPassword: secret } })).json
  expect((await askPanel(shop, bearing(key))).status).toBe(200)
  for (const [out, back] of [
    ['update people set enabled = 0', 'update people set enabled = 1'],
    ['delete from people', insert],
  ] as const) {
    const again = await askPanel(shop, { method: 'POST', path: own, headers, json: { name: 'Own', currentPassword: secret } })
    expect((await askPanel(shop, bearing(again.json.key))).status).toBe(200)
    await exec(out)
    expect((await askPanel(shop, bearing(again.json.key))).status).toBe(401)
    await exec(back)
    await expect.poll(async () => (await askPanel(shop, bearing(again.json.key))).status).toBe(401)
    const anew = await askPanel(shop, { method: 'POST', path: '/admin/authenticate', json: { username: 'admin', password: secret } })
    headers.cookie = cookiesOf(anew)
  }
  client.close()
  await shop.close()
  await world.close()
})

const rows = sqliteTable('rows', { id: integer().primaryKey(), name: varchar() })

describe('a job that a key has started', () => {
  let begun: () => void
  let gate: Promise<void>
  let roles: string[]
  const Rows = defineResource({
    model: rows,
    can: { view: ['editor', 'admin'], update: ['editor', 'admin'] },
    handlers: {
      touch: {
        long: true,
        ability: 'update',
        async run({ done, user }) {
          roles.push(user.roles.join())
          if (done > 0) return
          begun()
          await gate
        },
      },
    },
  })
  let world: World
  let open: () => void
  let started: Promise<void>
  beforeEach(async () => {
    world = await withKeys(undefined, { resources: [Rows, usersResource({ roles: ['admin', 'editor', 'reader'] })] })
    const { Sqlite } = await import('../support/sqlite.js')
    const client = new Sqlite(world.path)
    client.exec(`create table rows (id integer primary key, name text);
      with recursive i (n) as (select 1 union all select n + 1 from i where n < 600) insert into rows (id) select n from i`)
    client.close()
    roles = []
    started = new Promise((resolve) => (begun = resolve))
    gate = new Promise((resolve) => (open = resolve))
  })
  afterEach(() => world.close())

  /** Starts it by a key that is limited to the role `editor`, and returns what its reader sees when it has ended. */
  async function run(meanwhile: (id: string) => unknown) {
    const admin = await world.as('admin')
    const user = '/admin/resource/users/crud/2'
    await world.ask({ method: 'PUT', path: user, headers: admin, json: { roles: ['editor', 'reader'] } })
    const { key, made } = await make(world, 'editor', { roles: ['editor'] })
    const path = '/admin/resource/rows/handler/touch'
    const job = await world.ask(bearing(key, { method: 'POST', path, json: { _all: true, _total: 600 } }))
    expect(job.status).toBe(202)
    await started
    // Written once the batch has let go of the writer.
    const changing = meanwhile(made.json.data.id)
    open()
    await changing
    const shown = () => world.ask({ path: `/admin/job/${job.json.data.id}`, headers: admin })
    await expect.poll(async () => (await shown()).json.data.state).not.toBe('running')
    return { data: (await shown()).json.data, key, path: `/admin/job/${job.json.data.id}` }
  }

  test('ends with its user', async () => {
    const { data } = await run(() => world.inside.store?.admin?.setActive('editor', false))
    expect(data).toMatchObject({ state: 'failed', done: 500, text: 'editor no longer has access' })
    expect(roles).toEqual(['editor'])
  })

  test('ends with the key', async () => {
    const { data } = await run((id) => world.inside.store?.apiKeys.remove(id))
    expect(data).toMatchObject({ state: 'failed', done: 500 })
  })

  test('is not followed by who has deleted the key', { timeout: 20_000 }, async () => {
    const { key, made } = await make(world, 'editor')
    const path = '/admin/resource/rows/handler/touch'
    const job = await world.ask(bearing(key, { method: 'POST', path, json: { _all: true, _total: 600 } }))
    await started
    // As if it were deleted: the batch holds the writer.
    const events = { path: `/admin/job/${job.json.data.id}`, headers: { accept: 'text/event-stream' } }
    let isOver = false
    const following = world.ask(bearing(key, events)).then(({ headers }) => {
      expect(headers.get('content-type')).toContain('text/event-stream')
      isOver = true
    })
    const find = world.inside.realm.auth.services.apiKeys.find
    // The stream has begun by then.
    await setTimeout(1000)
    expect(isOver).toBe(false)
    const gone = vi
      .spyOn(world.inside.realm.auth.services.apiKeys, 'find')
      .mockImplementation(async (id) => (id === made.json.data.id ? null : find(id)))
    try {
      await expect.poll(() => isOver, { timeout: 10_000 }).toBe(true)
    } finally {
      gone.mockRestore()
      open()
    }
    await following
    await expect.poll(async () => (await world.ask(bearing(key, { path: events.path }))).json.data.state).toBe('done')
  })

  test('is not shown to a key whose roles could not start it', async () => {
    const admin = await world.as('admin')
    await world.ask({ method: 'PUT', path: '/admin/resource/users/crud/2', headers: admin, json: { roles: ['editor', 'reader'] } })
    const { key } = await make(world, 'editor', { roles: ['reader'] })
    const headers = await world.as('editor')
    const path = '/admin/resource/rows/handler/touch'
    const job = await world.ask({ method: 'POST', path, headers, json: { _all: true, _total: 600 } })
    await started
    open()
    const shown = { path: `/admin/job/${job.json.data.id}` }
    await expect.poll(async () => (await world.ask({ ...shown, headers })).json.data.state).toBe('done')
    expect((await world.ask(bearing(key, shown))).status).toBe(404)
  })

  test('has no role that the key has not, and is its own', async () => {
    const { data, key, path } = await run(async () => {
      const headers = await world.as('admin')
      await world.ask({ method: 'PUT', path: '/admin/resource/users/crud/2', headers, json: { roles: ['editor', 'admin'] } })
    })
    expect(data).toMatchObject({ state: 'done', done: 600 })
    expect(roles).toEqual(['editor', 'editor'])
    expect((await world.ask(bearing(key, { path }))).status).toBe(200)
  })
})
