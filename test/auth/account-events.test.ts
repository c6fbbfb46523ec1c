import {
  accountEventsResource,
  apiKeys,
  apiKeysResource,
  authenticate,
  definePanel,
  type PanelSpec,
  passkeys,
  password,
  usersResource,
} from 'daymark'
import { openId } from 'daymark/openid'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { accountEventStore, mostComings, mostEntries } from '../../src/store/panel/account-events.js'
import { panelStore } from '../../src/store/panel/open.js'
import { accountEvents } from '../../src/store/panel/tables.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import { authenticator } from '../support/authenticator.js'
import { client, startProvider, type TestProvider } from '../support/openid-provider.js'
import { type Ask, askPanel, Countries, cookiesOf, openWorld, secret, tokenMode, type World, worldsOver } from './world.js'

const origin = 'http://localhost:3000'
const list = '/admin/resource/account-events/crud'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider([`${origin}/admin/authenticate/openid/test/return`])
})
afterAll(() => provider.close())

const Users = usersResource({ roles: ['admin', 'editor', 'reader'] })
const open = (more: Partial<PanelSpec> = {}) =>
  openWorld({
    url: origin,
    resources: [Countries, Users, accountEventsResource(), apiKeysResource()],
    mail: async () => {},
    auth: {
      middleware: authenticate(),
      pipelines: [
        password(),
        passkeys(),
        apiKeys(),
        openId({ id: 'test', label: 'Test', issuer: provider.issuer, ...client, roles: () => ['editor'] }),
      ],
    },
    ...more,
  })

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  let world: World
  beforeAll(async () => {
    worldsOver(database)
    world = await open()
    admin = await world.as('admin')
  })
  afterAll(async () => {
    worldsOver('sqlite')
    await world?.close()
  })

  let admin: Record<string, string>
  let last: number
  const all = async (query = '') => (await world.ask({ path: `${list}${query}`, headers: admin })).json.data
  beforeEach(async () => {
    await world.inside.store?.accountEvents?.close()
    last = (await all('?perPage=1'))[0].id
  })
  /** What has happened since the test began, oldest first, without what is always there. */
  const since = async () => {
    await world.inside.store?.accountEvents?.close()
    const entries: readonly Record<string, unknown>[] = (await all('?perPage=100')).filter(({ id }: { id: number }) => id > last)
    return [...entries]
      .reverse()
      .map((entry) => Object.fromEntries(Object.entries(entry).filter(([name, value]) => shown.has(name) && value !== null)))
  }
  const shown = new Set(['event', 'username', 'way', 'reason', 'detail', 'byUsername', 'address'])
  const idOf = async (username: string) => (await world.inside.store?.users.byUsername(username))?.identity.id ?? ''
  const enter = (username: string, password: string, more: Partial<Ask> = {}) =>
    world.ask({ method: 'POST', path: '/admin/authenticate', json: { username, password }, ...more })
  const from = { address: '192.0.2.1' }
  const by = { way: 'administration', byUsername: 'admin', ...from }
  const own = (event: string, more: object = {}) => ({ event, username: 'editor', way: 'profile', ...from, ...more })
  const byName = (a: { event?: unknown }, b: { event?: unknown }) => String(a.event).localeCompare(String(b.event))
  const signedIn = (username = 'editor', way = 'password') => ({ event: 'signedIn', username, way, ...from })

  test('a sign-in and its end, with address and browser', async () => {
    const headers = { cookie: cookiesOf(await enter('editor', secret, { headers: { 'user-agent': firefox } })) }
    await world.ask({ method: 'POST', path: '/admin/logout', headers, json: {} })
    expect(await since()).toEqual([signedIn(), own('signedOut')])
    const [, { id }] = await all('?perPage=2')
    const entry = (await world.ask({ path: `${list}/${id}`, headers: admin })).json.data
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      event: 'signedIn',
      username: 'editor',
      userId: await idOf('editor'),
      way: 'password',
      reason: null,
      detail: null,
      byUsername: null,
      byId: null,
      address: '192.0.2.1',
      agent: 'Firefox, Linux',
      count: 1,
      lastAt: entry.at,
    })
  })

  test('sign-ins that fail, alike ones in one entry, and nothing of what was typed', async () => {
    const peer = '192.0.2.7'
    for (const typed of ['hunter2-typed-here', 'hunter2-typed-here-too']) await enter(typed, 'a wrong password', { peer })
    await enter('EDITOR', 'a wrong password', { peer })
    await enter('editor', 'a wrong password', { peer })
    const failed = { event: 'signInFailed', way: 'password', address: peer }
    expect(await since()).toEqual([
      { ...failed, reason: 'unknownUser' },
      { ...failed, reason: 'wrongPassword', username: 'editor' },
    ])
    // One more, once they are written.
    await enter('hunter2-typed-again', 'a wrong password', { peer })
    expect(await since()).toHaveLength(2)
    const kept = await all('?perPage=2')
    expect(kept.map(({ count }: { count: number }) => count)).toEqual([2, 3])
    const entry = (await world.ask({ path: `${list}/${kept[1].id}`, headers: admin })).json.data
    expect(entry.lastAt > entry.at).toBe(true)
    expect(JSON.stringify([await all('?perPage=100'), world.log])).not.toMatch(/hunter2|wrong password/)
  })

  test('too many attempts, and somebody who is disabled', async () => {
    const peer = '192.0.2.8'
    for (let i = 0; i < 7; i++) await enter('reader', 'a wrong password', { peer })
    const id = await idOf('nobody')
    await world.ask({ method: 'PATCH', path: `/admin/resource/users/crud/${id}`, headers: admin, json: { active: false } })
    await enter('nobody', secret, { peer })
    await world.ask({ method: 'PATCH', path: `/admin/resource/users/crud/${id}`, headers: admin, json: { active: true } })
    const failed = { event: 'signInFailed', way: 'password', address: peer }
    expect(new Set(await since())).toEqual(
      new Set([
        { event: 'userDisabled', username: 'nobody', ...by },
        { event: 'userEnabled', username: 'nobody', ...by },
        { ...failed, reason: 'wrongPassword', username: 'reader' },
        { ...failed, reason: 'throttled' },
        { ...failed, reason: 'disabled', username: 'nobody' },
      ]),
    )
    const counts = (await all('?perPage=5')).map(({ reason, count }: { reason: string; count: number }) => [reason, count])
    expect(counts).toEqual(
      expect.arrayContaining([
        ['wrongPassword', 5],
        ['throttled', 2],
        ['disabled', 1],
      ]),
    )
  })

  test('what users do in their profile', async () => {
    let headers = await world.as('editor')
    const profile = async (method: string, json: object, path = '') => {
      const answer = await world.ask({ method, path: `/admin/profile${path}`, headers, json })
      // A new password comes with a new cookie.
      if (answer.headers.getSetCookie().length > 0) headers = { cookie: cookiesOf(answer) }
      return answer
    }
    expect((await profile('PUT', { currentPassword: 'not this one', newPassword: 'another battery' })).status).toBe(422)
    expect((await profile('PUT', { name: 'Ed' })).status).toBe(200)
    expect((await profile('PUT', { currentPassword: secret, newPassword: 'another battery' })).status).toBe(200)
    const { key, data } = (await profile('POST', { name: 'Import', currentPassword: 'another battery' }, '/api-keys')).json
    expect((await profile('DELETE', {}, `/api-keys/${data.id}`)).status).toBe(200)
    expect((await profile('PUT', { currentPassword: 'another battery', newPassword: secret })).status).toBe(200)
    await world.as('editor')
    const [other] = (await world.ask({ path: '/admin/profile', headers })).json.data.sessions.filter(
      ({ current }: { current: boolean }) => !current,
    )
    expect((await world.ask({ method: 'DELETE', path: `/admin/profile/sessions/${other.id}`, headers })).status).toBe(200)
    expect((await world.ask({ method: 'DELETE', path: '/admin/profile/sessions', headers })).status).toBe(200)
    const detail = `Import (${key.slice(0, 12)}…)`
    expect((await since()).filter(({ event }) => event !== 'signInFailed')).toEqual([
      signedIn(),
      own('passwordChanged'),
      own('apiKeyCreated', { detail }),
      own('apiKeyDeleted', { detail }),
      own('passwordChanged'),
      signedIn(),
      own('sessionsEnded'),
      own('sessionsEnded'),
    ])
    expect(await since()).toContainEqual(own('signInFailed', { reason: 'wrongPassword' }))
    expect(JSON.stringify(await all('?perPage=100'))).not.toMatch(/another battery|not this one|argon2/)
    expect(JSON.stringify(await all('?perPage=100'))).not.toContain(key)
  })

  test('two-factor sign-in: on, wrong code, recovery code, new codes, off', async () => {
    const headers = await world.as('editor')
    const path = '/admin/profile/two-factor'
    const { secret: shared } = (await world.ask({ path, headers })).json.data.setUp
    const code = new TOTP({ secret: Secret.fromBase32(shared) }).generate()
    const currentPassword = secret
    const { codes } = (await world.ask({ method: 'PUT', path, headers, json: { secret: shared, code, currentPassword } })).json
    const give = async (json: object) => {
      const { ticket } = (await enter('editor', secret)).json
      return world.ask({ method: 'POST', path: '/admin/authenticate/code', json: { ticket, ...json } })
    }
    expect((await give({ code: '000000' })).status).toBe(401)
    expect((await give({ recoveryCode: 'AAAAAA-AAAAAA-AAAAAA-AAAAAA' })).status).toBe(401)
    expect((await give({ recoveryCode: codes[0] })).status).toBe(200)
    await world.ask({ method: 'POST', path: `${path}/codes`, headers, json: { currentPassword } })
    await world.ask({ method: 'DELETE', path, headers, json: { currentPassword } })
    expect((await since()).filter(({ event }) => event !== 'signInFailed')).toEqual([
      signedIn(),
      own('twoFactorOn'),
      own('recoveryCodeUsed', { way: 'passwordAndCode' }),
      signedIn('editor', 'passwordAndCode'),
      own('recoveryCodes'),
      own('twoFactorOff'),
    ])
    expect(await since()).toContainEqual(own('signInFailed', { way: 'passwordAndCode', reason: 'wrongCode' }))
    const text = JSON.stringify(await all('?perPage=100'))
    for (const one of [shared, code, '000000', ...codes]) expect(text).not.toContain(one)
  })

  test('passkeys', async () => {
    const device = authenticator(origin)
    const headers = await world.as('editor')
    const add = async () => {
      const path = '/admin/profile/passkeys'
      const asked = { name: 'Laptop', currentPassword: secret }
      const begun = await world.ask({ method: 'POST', path: `${path}/options`, headers, json: asked })
      const json = { name: 'Laptop', credential: device.make(begun.json.options) }
      const added = await world.ask({ method: 'POST', path, headers: { cookie: `${headers.cookie}; ${cookiesOf(begun)}` }, json })
      expect(added.status).toBe(201)
      return added.json.data.id
    }
    const id = await add()
    const give = async () => {
      const asked = await world.ask({ method: 'POST', path: '/admin/authenticate/passkey/options', json: {} })
      const credential = device.signIn(asked.json.options)
      const headers = { cookie: cookiesOf(asked) }
      return world.ask({ method: 'POST', path: '/admin/authenticate/passkey', headers, json: { credential } })
    }
    expect((await give()).status).toBe(200)
    expect((await world.ask({ method: 'DELETE', path: `/admin/profile/passkeys/${id}`, headers })).status).toBe(200)
    expect((await give()).status).toBe(401)
    await add()
    const path = `/admin/resource/users/handler/passkeysOff?ids[]=${await idOf('editor')}`
    expect((await world.ask({ method: 'POST', path, headers: admin, json: {} })).status).toBe(200)
    // A failure is written when the rest is: its place is that of the writing.
    expect((await since()).sort(byName)).toEqual(
      [
        signedIn(),
        own('passkeyAdded', { detail: 'Laptop' }),
        signedIn('editor', 'passkey'),
        own('passkeyRemoved', { detail: 'Laptop' }),
        { event: 'signInFailed', way: 'passkey', reason: 'wrongPasskey', ...from },
        own('passkeyAdded', { detail: 'Laptop' }),
        { event: 'passkeyRemoved', username: 'editor', ...by },
      ].sort(byName),
    )
  })

  test('providers: whom they are, the roles that they decide, and who has no access', async () => {
    const begins = '/admin/authenticate/openid/test'
    const signIn = async (as: string) => {
      const begun = await world.ask({ path: begins, face: 'html' })
      const back = await provider.visit(begun.headers.get('location') ?? '', as)
      return world.ask({ path: back.slice(origin.length), face: 'html', headers: { cookie: cookiesOf(begun) } })
    }
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true })
    provider.people.set('bob', { email: 'bob@example.com', email_verified: true })
    await world.inside.store?.admin?.create({ username: 'ada@example.com', name: 'Ada', roles: ['reader'], passwordHash: null })
    expect((await signIn('ada')).status).toBe(303)
    expect((await signIn('bob')).status).toBe(401)
    const ada = { username: 'ada@example.com', way: 'provider', ...from }
    const store = world.inside.store
    const account = await store?.users.byUsername('ada@example.com')
    const [link] = (await store?.openIdLinks.of(account?.identity.id ?? '')) ?? []
    const user = account?.identity ?? null
    if (link) await store?.openIdLinks.remove(link, { event: 'providerUnlinked', way: 'command', user, client: null, detail: link.issuer })
    expect(await since()).toEqual([
      { event: 'userCreated', username: 'ada@example.com', way: 'program', detail: 'reader' },
      { event: 'providerLinked', ...ada, detail: 'test' },
      { event: 'rolesChanged', ...ada, detail: 'reader → editor' },
      { event: 'signedIn', ...ada, detail: 'test' },
      { event: 'providerUnlinked', username: 'ada@example.com', way: 'command', detail: provider.issuer },
      { event: 'signInFailed', way: 'provider', reason: 'unknownUser', ...from },
    ])
  })

  test('what administrators do to others, in the transaction of it', async () => {
    const users = '/admin/resource/users/crud'
    const send = (method: string, path: string, json?: object) =>
      world.ask({ method, path: `${users}${path}`, headers: admin, ...(json && { json }) })
    const made = await send('POST', '', { username: 'kim', name: 'Kim', password: 'first password', roles: ['reader'] })
    const { id } = made.json.data
    expect((await send('PATCH', `/${id}`, { name: 'Kim B.' })).status).toBe(200)
    expect((await send('PATCH', `/${id}`, { username: 'kim.b', roles: ['reader', 'editor'], password: 'second password' })).status).toBe(
      200,
    )
    // Refused as a whole: of the password, nothing is told.
    expect((await send('PATCH', `/${id}`, { password: 'third password', roles: ['sailor'] })).status).toBe(422)
    const run = (handlerUri: string) =>
      world.ask({ method: 'POST', path: `/admin/resource/users/handler/${handlerUri}?ids[]=${id}`, headers: admin, json: {} })
    expect((await run('passwordLink')).status).toBe(200)
    expect((await send('DELETE', `/${id}`)).status).toBe(200)
    expect(await since()).toEqual([
      { event: 'userCreated', username: 'kim', detail: 'reader', ...by },
      { event: 'usernameChanged', username: 'kim.b', detail: 'kim → kim.b', ...by },
      { event: 'rolesChanged', username: 'kim.b', detail: 'reader → reader, editor', ...by },
      { event: 'passwordChanged', username: 'kim.b', ...by },
      { event: 'passwordLink', username: 'kim.b', ...by },
      { event: 'userDeleted', username: 'kim.b', detail: 'reader, editor', ...by },
    ])
    expect(JSON.stringify(await all('?perPage=100'))).not.toMatch(/(?:first|second|third) password/)
  })

  test('factors and keys that administrators take from others', async () => {
    const headers = await world.as('reader')
    const made = await world.ask({
      method: 'POST',
      path: '/admin/profile/api-keys',
      headers,
      json: { name: 'Export', currentPassword: secret },
    })
    const id = await idOf('reader')
    await world.inside.store?.users.changeTwoFactor(id, null, 'anything')
    const handler = (uri: string) =>
      world.ask({ method: 'POST', path: `/admin/resource/users/handler/${uri}?ids[]=${id}`, headers: admin, json: {} })
    expect((await handler('twoFactorOff')).status).toBe(200)
    await handler('passkeysOff')
    expect((await world.ask({ method: 'DELETE', path: `/admin/resource/api-keys/crud/${made.json.data.id}`, headers: admin })).status).toBe(
      200,
    )
    const detail = expect.stringMatching(/^Export \(daymark_.{4}…\)$/)
    expect(await since()).toEqual([
      signedIn('reader'),
      { event: 'apiKeyCreated', username: 'reader', way: 'profile', detail, ...from },
      { event: 'twoFactorOff', username: 'reader', ...by },
      { event: 'apiKeyDeleted', username: 'reader', detail, ...by },
    ])
  })

  test('a link that was asked for by mail, and a password set by it', async () => {
    const store = world.inside.store
    await store?.admin?.create({ username: 'lea@example.com', name: 'Lea', roles: [], passwordHash: 'none' })
    for (const username of ['lea@example.com', 'stranger@example.com'])
      await world.ask({ method: 'POST', path: '/admin/forgot', json: { username } })
    const lea = { username: 'lea@example.com', ...from }
    await expect.poll(since).toEqual([
      { event: 'userCreated', username: 'lea@example.com', way: 'program', detail: '—' },
      { event: 'passwordLink', ...lea, way: 'mail' },
    ])
    const { makeReset } = await import('../../src/crud/account/reset-password.js')
    const account = await store?.users.byUsername('lea@example.com')
    const token = await makeReset(world.inside.realm.auth.services, account as never)
    expect((await world.ask({ method: 'POST', path: `/admin/reset/${token}`, json: { password: 'by a link, this' } })).status).toBe(200)
    expect((await since()).at(-1)).toEqual({ event: 'passwordChanged', ...lea, way: 'link' })
    expect(JSON.stringify(await all('?perPage=100'))).not.toContain(token)
  })

  test('only those who may see it do, and nobody can change it', async () => {
    const editor = await world.as('editor')
    expect((await world.ask({ path: list, headers: editor })).status).toBe(403)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await world.ask({ method, path: `${list}/${last}`, headers: admin, json: { event: 'signedOut' } })).status).toBe(403)
    expect((await world.ask({ method: 'POST', path: list, headers: admin, json: { event: 'signedOut' } })).status).toBe(403)
    const filtered = await all('?filter[event]=signedIn&filter[username]=editor&filter[address]=192.0.2.1')
    expect(filtered[0]).toMatchObject({ event: 'signedIn', username: 'editor' })
    const csv = await world.ask({ path: '/admin/resource/account-events/export?format=csv&filter[event]=signedIn', headers: admin })
    expect([csv.status, csv.text.split('\n')[0]]).toEqual([200, expect.stringContaining('Time')])
  })

  test('keys that nobody has, without their text, and nothing of requests without one', async () => {
    const ask = (authorization: string) => world.ask({ path: list, headers: { authorization } })
    const wrong = `daymark_${'a'.repeat(43)}`
    for (const key of [wrong, wrong, `daymark_${'b'.repeat(43)}`]) expect((await ask(`Bearer ${key}`)).status).toBe(401)
    expect((await ask('Bearer other')).status).toBe(401)
    expect(await since()).toEqual([{ event: 'signInFailed', way: 'apiKey', reason: 'wrongKey', ...from }])
    const { text } = await world.ask({ path: `${list}?perPage=1`, headers: admin })
    expect(JSON.parse(text).data[0]).toMatchObject({ count: 3 })
    expect(text).not.toContain('aaa')
  })

  test('a sign-in from before its user was renamed is still in their profile', async () => {
    const { json } = await world.ask({
      method: 'POST',
      path: '/admin/resource/users/crud',
      headers: admin,
      json: { username: 'ida', name: 'Ida', roles: ['reader'], password: secret },
    })
    await enter('ida', secret)
    await world.ask({ method: 'PATCH', path: `/admin/resource/users/crud/${json.data.id}`, headers: admin, json: { username: 'ada' } })
    const headers = { cookie: cookiesOf(await enter('ada', secret)) }
    const { data } = (await world.ask({ path: '/admin/profile', headers })).json
    expect(data.signIns.map(({ event }: { event: string }) => event)).toEqual(['signedIn', 'signedIn'])
  })

  test('whoever comes and goes without end, counted beyond so many within an hour', async () => {
    const { json } = await world.ask({
      method: 'POST',
      path: '/admin/resource/users/crud',
      headers: admin,
      json: { username: 'zoe', name: 'Zoe', roles: ['reader'], password: secret },
    })
    const session = async () => {
      const headers = { cookie: cookiesOf(await enter('zoe', secret)) }
      await world.ask({ method: 'POST', path: '/admin/logout', headers, json: {} })
    }
    for (let i = 0; i < mostComings / 2 + 3; i++) await session()
    const { data, meta } = (await world.ask({ path: `${list}?filter[userId]=${json.data.id}`, headers: admin })).json
    // And that the user was made.
    expect(meta.total).toBe(mostComings + 3)
    expect(data.slice(0, 3).map(({ event, count, address }: Record<string, unknown>) => [event, count, address])).toEqual([
      ['signedOut', 3, null],
      ['signedIn', 3, null],
      ['signedOut', 1, '192.0.2.1'],
    ])
  })

  test('the profile shows the last sign-ins of its user, on both faces', async () => {
    await enter('editor', 'a wrong password', { peer: '198.51.100.9', headers: { 'user-agent': firefox } })
    await world.inside.store?.accountEvents?.close()
    const headers = await world.as('editor')
    const { data } = (await world.ask({ path: '/admin/profile', headers })).json
    expect(data.signIns).toHaveLength(5)
    expect(data.signIns[1]).toEqual({
      at: expect.any(String),
      event: 'signInFailed',
      way: 'password',
      reason: 'wrongPassword',
      address: '198.51.100.9',
      agent: 'Firefox, Linux',
      count: 1,
    })
    const page = await world.ask({ path: '/admin/profile', headers, face: 'html' })
    expect(page.text).toContain('Last sign-ins')
    expect(page.text).toContain('Wrong password &#183; 198.51.100.9')
  })
})

test('a panel without the resource keeps nothing, and its profile says nothing of it', async () => {
  const world = await openWorld()
  const headers = await world.as('editor')
  expect((await world.ask({ path: '/admin/profile', headers })).json.data).not.toHaveProperty('signIns')
  expect((await world.ask({ path: '/admin/profile', headers, face: 'html' })).text).not.toContain('Last sign-ins')
  const store = openSqlStore({ database: `sqlite:${world.path}` })
  const { modelOf } = await import('../../src/resource/model/model.js')
  const { always } = await import('../../src/resource/condition/condition.js')
  expect(await store.count(modelOf(accountEvents), always)).toBe(0)
  await store.close()
  await world.close()
})

test('tokens are told of as sessions are', async () => {
  const { auth, middleware } = tokenMode()
  const world = await open({ auth, middleware, mail: undefined, resources: [Countries, Users, accountEventsResource()] } as never)
  const headers = await world.as('editor')
  await world.ask({ method: 'POST', path: '/admin/logout', headers, json: {} })
  const events = (await world.ask({ path: list, headers: await world.as('admin') })).json.data.map(({ event }: { event: string }) => event)
  expect(events.slice(0, 3)).toEqual(['signedIn', 'signedOut', 'signedIn'])
  await world.close()
})

test('a refresh token that is used again later is told of, to its user, too', async () => {
  const { auth, middleware } = tokenMode()
  const world = await open({ auth, middleware, mail: undefined, resources: [Countries, Users, accountEventsResource()] } as never)
  const post = (path: string, json: object) => world.ask({ method: 'POST', path, json })
  const { refreshToken } = (await post('/admin/authenticate', { username: 'editor', password: secret })).json
  expect((await post('/admin/refresh', { refreshToken })).status).toBe(200)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 })
  for (let i = 0; i < 2; i++) expect((await post('/admin/refresh', { refreshToken })).status).toBe(401)
  vi.useRealTimers()
  await world.inside.store?.accountEvents?.close()
  const { text } = await world.ask({ path: `${list}?filter[event]=signInFailed`, headers: await world.as('admin') })
  expect(JSON.parse(text).data).toEqual([
    expect.objectContaining({ username: 'editor', way: 'refreshToken', reason: 'usedTwice', address: '192.0.2.1', count: 1 }),
  ])
  expect(text).not.toContain(refreshToken)
  await world.close()
})

test('each panel of a database has its own', async () => {
  const world = await open()
  const other = definePanel({
    id: 'other',
    database: `sqlite:${world.path}`,
    resources: [Countries, accountEventsResource({ panel: 'other' })],
  })
  const answer = await askPanel(other, { method: 'POST', path: '/admin/authenticate', json: { username: 'admin', password: secret } })
  await world.as('editor')
  const { data } = (await askPanel(other, { path: list, headers: { cookie: cookiesOf(answer) } })).json
  expect(data.map(({ username }: { username: string }) => username)).toEqual(['admin'])
  await other.close()
  await world.close()
})

test('whoever floods a panel with failures fills neither its disk nor hides whom they try', async () => {
  const world = await open()
  const events = world.inside.store?.accountEvents
  const failed = (user: { id: string; username: string } | null, address: string) =>
    events?.failed({ event: 'signInFailed', way: 'password', reason: 'wrongPassword', user, client: { address, agent: '' } })
  for (let i = 0; i < 5000; i++) failed(null, `10.${i >> 8}.${i & 255}.1`)
  // A network of IPv6 counts as one address.
  for (let i = 0; i < 50; i++) failed({ id: '1', username: 'admin' }, `2001:db8::${i}`)
  await events?.close()
  const headers = await world.as('admin')
  const { data, meta } = (await world.ask({ path: `${list}?filter[event]=signInFailed&perPage=1`, headers })).json
  expect(meta.total).toBe(mostEntries + 2)
  expect(data[0]).toMatchObject({ username: 'admin', address: null, count: 50 })
  await world.close()
})

test('a flood of wrong keys takes no addresses from the wrong passwords', async () => {
  const world = await open()
  const events = world.inside.store?.accountEvents
  const failed = (way: 'apiKey' | 'password', reason: 'wrongKey' | 'wrongPassword', address: string) =>
    events?.failed({ event: 'signInFailed', way, reason, user: null, client: { address, agent: '' } })
  for (let i = 0; i < 2 * mostEntries; i++) failed('apiKey', 'wrongKey', `10.${i >> 8}.${i & 255}.1`)
  failed('password', 'wrongPassword', '192.0.2.7')
  await events?.close()
  const { data } = (await world.ask({ path: `${list}?filter[event]=signInFailed&perPage=1`, headers: await world.as('admin') })).json
  expect(data[0]).toMatchObject({ way: 'password', address: '192.0.2.7' })
  await world.close()
})

test('failures that could not be written are reported, and written later', async () => {
  const world = await open()
  const store = openSqlStore({ database: `sqlite:${world.path}` })
  const reported: unknown[] = []
  let isAway = true
  const events = accountEventStore(
    async () => {
      if (isAway) throw new Error('away')
      return store
    },
    'admin',
    true,
    (thrown) => reported.push(thrown),
  )
  events.failed({ event: 'signInFailed', way: 'password', reason: 'unknownUser', user: null, client: null })
  await events.close()
  expect(reported).toEqual([new Error('away')])
  isAway = false
  await events.close()
  const { data } = (await world.ask({ path: `${list}?filter[event]=signInFailed`, headers: await world.as('admin') })).json
  expect(data).toEqual([expect.objectContaining({ reason: 'unknownUser', address: null, count: 1 })])
  await store.close()
  await world.close()
})

test('failures are written once although their transaction is rolled back and run again', async () => {
  const world = await open()
  const store = openSqlStore({ database: `sqlite:${world.path}` })
  const twice: typeof store = {
    ...store,
    async transaction(work, waiting) {
      const backed = store.transaction(async (tx) => {
        await work(tx)
        throw new Error('rolled back')
      })
      await expect(backed).rejects.toThrow('rolled back')
      return store.transaction(work, waiting)
    },
  }
  const events = accountEventStore(
    async () => twice,
    'admin',
    true,
    (thrown) => expect.fail(String(thrown)),
  )
  for (let i = 0; i < 2; i++) {
    events.failed({ event: 'signInFailed', way: 'password', reason: 'unknownUser', user: null, client: null })
    await events.close()
  }
  const { data } = (await world.ask({ path: `${list}?filter[event]=signInFailed`, headers: await world.as('admin') })).json
  expect(data).toEqual([expect.objectContaining({ reason: 'unknownUser', count: 2 })])
  await store.close()
  await world.close()
})

test('what is wrong with the settings stops the start', async () => {
  await expect(open({ id: 'own' })).rejects.toThrow("accountEventsResource({ panel: 'own' })")
  expect(() => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [accountEventsResource()] })).toThrow(
    'remove accountEventsResource()',
  )
  expect(panelStore(openSqlStore({ database: 'sqlite::memory:' })).accountEvents).toBeNull()
})
