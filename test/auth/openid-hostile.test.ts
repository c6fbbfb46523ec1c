import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiKeys, authenticate, definePanel, type PanelSpec, password, usersResource } from 'daymark'
import { type OpenIdOptions, openId } from 'daymark/openid'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { answerJson, type HostileProvider, startHostile } from '../support/hostile-provider.js'
import { Sqlite } from '../support/sqlite.js'
import { type Answer, type Ask, askPanel, cookiesOf, openWorld, type World } from './world.js'

const begins = '/admin/authenticate/openid/test'
type Asks = Pick<World, 'ask'>

let provider: HostileProvider
beforeAll(async () => {
  provider = await startHostile()
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.info = null
  provider.forge = null
  provider.metadata = {}
  provider.instead.clear()
})
afterEach(() => void vi.useRealTimers())

const wayOf = (more: Partial<OpenIdOptions> = {}) =>
  openId({ id: 'test', label: 'Test', issuer: provider.issuer, clientId: 'panel', clientSecret: 'SECRET-CLIENT', ...more })

const openWith = (more: Partial<OpenIdOptions> = {}, spec: Partial<PanelSpec> = {}) =>
  openWorld({ auth: { middleware: authenticate(), pipelines: [password(), apiKeys(), wayOf(more)] }, ...spec })

const page = ({ ask }: Asks, path: string, cookie = '', more: Partial<Ask> = {}) =>
  ask({ path, face: 'html', headers: { cookie }, ...more })

/** Signs in as whom the provider claims. */
async function signIn(world: Asks, claims: Readonly<Record<string, unknown>>, path = begins, before = ''): Promise<Answer> {
  const begun = await page(world, path, before)
  provider.claims = claims
  return page(world, provider.back(begun.headers.get('location') ?? ''), [cookiesOf(begun), before].filter(Boolean).join('; '))
}

const person = (sub: string, email = `${sub}@example.com`) => ({ sub, email, email_verified: true })

async function me({ ask }: Asks, answer: Answer) {
  const cookie = cookiesOf(answer)
  return /daymark-admin=/.test(cookie) ? (await ask({ path: '/admin/profile', headers: { cookie } })).json?.data : null
}

const create = (world: World, username: string, roles: string[] = ['editor']) =>
  world.inside.store?.admin?.create({ username, name: username, roles, passwordHash: null })

/** A panel whose users are in a table of the application's, which uses ids again. */
function clerksPanel() {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-clerks-'))
  const clerks = sqliteTable('clerks', {
    id: integer().primaryKey(),
    email: text().notNull(),
    hash: text().notNull(),
    roles: text().notNull(),
  })
  const client = new Sqlite(join(folder, 'clerks.db'))
  client.exec('create table clerks (id integer primary key, email text not null, hash text not null, roles text not null)')
  const panel = definePanel({
    database: `sqlite:${join(folder, 'clerks.db')}`,
    resources: [],
    users: { model: clerks, columns: { username: 'email', password: 'hash', roles: 'roles' } },
    auth: { middleware: authenticate(), pipelines: [wayOf()] },
  })
  const close = async () => {
    client.close()
    await panel.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { client, close, ask: (what: Ask) => askPanel(panel, what) }
}

test('a session ends with its user, even if another one without a password gets the id', async () => {
  const { client, close, ...panel } = clerksPanel()
  client.exec("insert into clerks values (1, 'old@example.com', '', 'reader')")
  const cookie = cookiesOf(await signIn(panel, person('old')))
  expect((await panel.ask({ path: '/admin/profile', headers: { cookie } })).json.data.username).toBe('old@example.com')
  client.exec("delete from clerks; insert into clerks values (1, 'boss@example.com', '', 'admin')")
  expect((await panel.ask({ path: '/admin/profile', headers: { cookie } })).status).toBe(401)
  await close()
})

test('who has no password cannot give themselves one', async () => {
  const world = await openWith({ create: ['reader'] })
  const cookie = cookiesOf(await signIn(world, person('keyless')))
  const json = { newPassword: 'a very new password', currentPassword: '' }
  const answer = await world.ask({ method: 'PUT', path: '/admin/profile', headers: { cookie }, json })
  expect([answer.status, Object.keys(answer.json.errors ?? {})]).toEqual([422, ['newPassword', 'currentPassword']])
  const after = await world.ask({
    method: 'POST',
    path: '/admin/authenticate',
    json: { username: 'keyless@example.com', password: json.newPassword },
  })
  expect(after.status).toBe(401)
  await world.close()
})

test.each<[unknown]>([['javascript:alert(1)//'], ['data:text/html,hello'], ['/auth'], [''], [5]])(
  'an address to sign in at that is %s leads nowhere',
  async (at) => {
    provider.metadata = { authorization_endpoint: at }
    const world = await openWith()
    const [shown, json] = [await page(world, begins), await world.ask({ path: begins })]
    expect([shown.status, shown.headers.get('location'), json.status, json.json.url]).toEqual([401, null, 401, undefined])
    await world.close()
  },
)

const seconds = Math.floor(Date.now() / 1000)
const signed = (alg: string, key: Parameters<SignJWT['sign']>[0]) => (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg, kid: 'k' }).sign(key)

test.each<[string, object, HostileProvider['forge']?]>([
  ['for another client', { aud: 'other' }],
  ['for another client, too', { aud: ['panel', 'other'], azp: 'other' }],
  ['of another issuer', { iss: 'https://id.example' }],
  ['for another sign-in', { nonce: 'other' }],
  ['for no sign-in', { nonce: undefined }],
  ['of the past', { exp: seconds - 60 }],
  ['without an end', { exp: undefined }],
  ['of the future', { nbf: seconds + 600 }],
  ['that nobody has signed', {}, (claims) => new UnsecuredJWT(claims).encode()],
  ['that somebody else has signed', {}, async (claims) => signed('RS256', (await generateKeyPair('RS256')).privateKey)(claims)],
  ['that is signed with the secret', {}, signed('HS256', Buffer.from('SECRET-CLIENT'))],
  ['that is none', {}, () => 'a.b.c'],
])('an ID token %s lets nobody in', async (_, claims, forge = null) => {
  const world = await openWith({ create: ['reader'] })
  expect((await signIn(world, person('x'))).status).toBe(303)
  provider.forge = forge
  const answer = await signIn(world, { ...person('x'), ...claims })
  expect([answer.status, answer.text.includes('The sign-in with Test did not work')]).toEqual([401, true])
  expect(cookiesOf(answer)).not.toContain('daymark-admin=')
  expect(messages(world)[0]).toContain('The sign-in with the provider "test" failed: ')
  await world.close()
})

const messages = (world: World) => world.log.map(({ message }) => message)

test.each<[string, unknown, string]>([
  ['undefined', undefined, 'undefined'],
  ['a text', 'admin', 'string'],
  ['a list of something else', ['admin', null, 5], 'a list of something else'],
  ['an empty name', [''], 'a list of something else'],
  ['a set', new Set(['admin']), 'object'],
])('roles that are %s let nobody in, and the log says so', async (_, roles, type) => {
  const world = await openWith({ create: ['reader'], roles: () => roles as string[] })
  await create(world, 'known@example.com', ['admin'])
  for (const sub of ['known', 'new']) expect((await signIn(world, person(sub))).status).toBe(401)
  expect(messages(world)).toEqual([`The function roles of openId() returned ${type}`, `The function roles of openId() returned ${type}`])
  expect(await world.inside.store?.users.byUsername('new@example.com')).toBe(null)
  await world.close()
})

test('functions that are async or throw let nobody in, and end nothing', async () => {
  const wrong = [
    [{ roles: async () => Promise.reject(new Error('no')) }, 'The function roles of openId() returned a promise'],
    [{ username: () => undefined }, 'The function username of openId() returned undefined'],
    [{ username: () => 5 }, 'The function username of openId() returned number'],
    [
      {
        username: () => {
          throw new Error('no groups')
        },
      },
      'The function username of openId() failed: no groups',
    ],
  ] as unknown as readonly [OpenIdOptions, string][]
  for (const [options, said] of wrong) {
    const world = await openWith(options)
    const answer = await signIn(world, person('x'))
    expect([answer.status, answer.text.includes('The sign-in with Test did not work'), messages(world)]).toEqual([401, true, [said]])
    await world.close()
  }
})

test('who has no access finds the reason in the log alone', async () => {
  const world = await openWith({ roles: ({ groups }) => (groups ? ['reader'] : null) })
  const answers = [await signIn(world, person('s1')), await signIn(world, { ...person('s2'), groups: [] })]
  expect(answers.map(({ status, text }) => [status, text.includes('Test knows you')])).toEqual([
    [401, true],
    [401, true],
  ])
  expect(messages(world)).toEqual([
    `No access for s1 of ${provider.issuer}: roles returned null`,
    `No access for s2 of ${provider.issuer}: there is no user of this name`,
  ])
  await world.close()
})

test('an address that only looks like another one is nobody', async () => {
  const world = await openWith({ create: ['reader'] })
  await create(world, 'boss@example.com', ['admin'])
  for (const email of [
    'ｂoss@example.com',
    'bo\u017fs@example.com',
    `a${'\u0301\u0316'.repeat(50_000)}`,
    'boss\u200b@example.com',
    'a\0@example.com',
    'a\ud800@b.c',
    ' ',
  ])
    expect([email.slice(0, 20), (await signIn(world, person('x', email))).status]).toEqual([email.slice(0, 20), 401])
  expect((await me(world, await signIn(world, person('boss', ' Boss@Example.com ')))).username).toBe('boss@example.com')
  await world.close()
})

test('which address is verified, only the document says that names it', async () => {
  provider.info = {}
  const world = await openWith()
  await create(world, 'boss@example.com', ['admin'])
  provider.info = { sub: 'x', email: 'own@example.com', email_verified: true }
  expect((await signIn(world, { sub: 'x', email: 'boss@example.com' })).status).toBe(401)
  provider.info = { sub: 'x', email: 'boss@example.com' }
  expect((await signIn(world, { sub: 'x', email_verified: true })).status).toBe(401)
  provider.info = { sub: 'x', email: 'boss@example.com', email_verified: true }
  expect((await signIn(world, { sub: 'x' })).status).toBe(303)
  await world.close()
})

test('a name is cleaned, and a subject that cannot be one refused', async () => {
  const world = await openWith({ create: ['reader'] })
  const named = async (sub: string, name: unknown) => (await me(world, await signIn(world, { ...person(sub), name })))?.name
  expect(await named('n1', 'Ada \u202eLove\0lace\ud800')).toBe('Ada Lovelace')
  expect(await named('n2', `${'a'.repeat(199)}😀`)).toBe('a'.repeat(199))
  expect(await named('n3', 5)).toBe('n3@example.com')
  for (const sub of ['', 'a\0b', 'x'.repeat(256), 5, undefined])
    expect([sub, (await signIn(world, { ...person('n4'), sub })).status]).toEqual([sub, 401])
  expect(await world.inside.store?.users.byUsername('n4@example.com')).toBe(null)
  await world.close()
})

const factor = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', codes: [], since: new Date().toISOString() }
const codeNow = () => new TOTP({ secret: Secret.fromBase32(factor.secret) }).generate()

async function withFactor(world: World, username: string, roles: string[]) {
  await create(world, username, roles)
  const { users } = world.inside.store as NonNullable<World['inside']['store']>
  const id = (await users.byUsername(username))?.identity.id ?? ''
  await users.changeTwoFactor(id, null, JSON.stringify(factor))
  return { id, rolesNow: async () => (await users.byId(id))?.identity.roles, links: () => world.inside.store?.openIdLinks.of(id) }
}

test('who is who, and which roles they have, is stored once the code is given', async () => {
  const world = await openWith({ roles: () => ['reader'] })
  const { rolesNow, links } = await withFactor(world, 'two@example.com', ['admin'])
  const asked = await signIn(world, person('first'))
  expect(asked.status).toBe(401)
  const waiting = await signIn(world, person('two'))
  const ticket = /name="ticket" value="([^"]+)"/.exec(waiting.text)?.[1] ?? ''
  expect([ticket.length, await links(), await rolesNow()]).toEqual([43, [], ['admin']])
  const done = await world.ask({ method: 'POST', path: '/admin/authenticate/code', json: { ticket, code: codeNow() } })
  expect([done.status, done.json.user.roles]).toEqual([200, ['reader']])
  expect((await links())?.map(({ subject }) => subject)).toEqual(['two'])
  // Somebody else to whom the provider has given the address is not even asked for a code.
  expect((await signIn(world, person('other', 'two@example.com'))).status).toBe(401)
  await world.close()
})

test('whoever had another username before does not stand in the way of who they are now', async () => {
  const world = await openWith()
  await create(world, 'old@example.com')
  await signIn(world, person('old'))
  const id = (await world.inside.store?.users.byUsername('old@example.com'))?.identity.id
  const headers = await world.as('admin')
  await world.ask({ method: 'PUT', path: `/admin/resource/users/crud/${id}`, headers, json: { username: 'new@example.com' } })
  expect((await me(world, await signIn(world, person('new'))))?.id).toBe(id)
  expect((await world.inside.store?.openIdLinks.of(id ?? ''))?.map(({ subject }) => subject)).toEqual(['new'])
  await world.close()
})

test('a provider whose issuer is spelled otherwise knows the same people', async () => {
  const world = await openWith({ create: ['reader'] })
  await signIn(world, person('first', 'shared@example.com'))
  const panel = definePanel({
    database: `sqlite:${world.path}`,
    resources: [],
    auth: { middleware: authenticate(), pipelines: [wayOf({ issuer: `${provider.issuer}/` })] },
  })
  const other = { ask: (what: Ask) => askPanel(panel, what) }
  expect((await signIn(other, person('second', 'shared@example.com'))).status).toBe(401)
  expect((await signIn(other, person('first', 'shared@example.com'))).status).toBe(303)
  await panel.close()
  await world.close()
})

test('another provider that takes over an id takes over no session, and makes no second factor of it', async () => {
  const required = { twoFactor: { required: true } }
  const auth = { middleware: authenticate(), ...required }
  const world = await openWorld({ auth: { ...auth, pipelines: [wayOf({ create: ['admin'] })] } })
  const cookie = cookiesOf(await signIn(world, person('f')))
  const at = async (way: Partial<OpenIdOptions>) => {
    const panel = definePanel({ database: `sqlite:${world.path}`, resources: [], auth: { ...auth, pipelines: [wayOf(way)] } })
    const { status } = await askPanel(panel, { path: '/admin/resource/users/crud', headers: { cookie } })
    await panel.close()
    return status
  }
  expect([await at({}), await at({ secondFactor: true }), await at({ issuer: 'http://127.0.0.1:1' })]).toEqual([403, 403, 401])
  await world.close()
})

test('the key of a user whose providers all ask for a second factor needs none of the panel', async () => {
  const ways = (secondFactor: boolean) => ({
    middleware: authenticate(),
    pipelines: [apiKeys(), wayOf({ create: ['admin'], secondFactor })],
    twoFactor: { required: true },
  })
  const world = await openWorld({ auth: ways(true) })
  const cookie = cookiesOf(await confirmed(world, 'k'))
  const made = await world.ask({ method: 'POST', path: '/admin/profile/api-keys', headers: { cookie }, json: { name: 'k' } })
  const authorization = `Bearer ${/daymark_[\w-]{43}/.exec(made.text)?.[0]}`
  expect((await world.ask({ path: '/admin/resource/cities/crud', headers: { authorization } })).status).toBe(200)
  const without = definePanel({ database: `sqlite:${world.path}`, resources: [], auth: ways(false) })
  expect((await askPanel(without, { path: '/admin/resource/users/crud', headers: { authorization } })).status).toBe(403)
  await without.close()
  await world.close()
})

/** Signs in, and again to confirm something. */
async function confirmed(world: Asks, sub: string, more: object = { auth_time: Date.now() / 1000 }): Promise<Answer> {
  const before = cookiesOf(await signIn(world, person(sub)))
  return signIn(world, { ...person(sub), ...more }, `${begins}?anew=1&to=%2Fadmin%2Fprofile%2Fapi-keys`, before)
}

test('who has no password confirms what takes one by a sign-in that the provider says is new', async () => {
  const world = await openWith({ create: ['admin'] })
  const first = cookiesOf(await signIn(world, person('keys')))
  const make = (cookie: string) => world.ask({ method: 'POST', path: '/admin/profile/api-keys', headers: { cookie }, json: { name: 'k' } })
  // However new the session is: at an unlocked screen, anybody can sign out and in with the session at the provider.
  const refused = await make(first)
  expect([refused.status, refused.json.detail]).toEqual([422, 'Confirm first with Test that it is you, and do this within ten minutes'])
  for (const path of ['api-keys', 'two-factor']) {
    const shown = await page(world, `/admin/profile/${path}`, first)
    expect(shown.text).toContain(`href="${begins}?anew=1&amp;to=%2Fadmin%2Fprofile%2F${path}"`)
    expect([shown.text.includes('Confirm with Test'), /name="(?:name|code|currentPassword)"/.test(shown.text)]).toEqual([true, false])
  }
  const begun = await page(world, `${begins}?anew=1`, first)
  expect(new URL(begun.headers.get('location') ?? '').searchParams.get('max_age')).toBe('0')
  const answer = await confirmed(world, 'keys')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/profile/api-keys'])
  const cookie = cookiesOf(answer)
  const shown = await page(world, '/admin/profile/api-keys', cookie)
  expect([shown.text.includes('Confirm with Test'), shown.text.includes('name="name"')]).toEqual([false, true])
  expect((await make(cookie)).status).toBe(201)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
  expect((await make(cookie)).status).toBe(422)
  await world.close()
})

test('a provider that says nothing of a new sign-in, or tells of an old one, confirms nothing', async () => {
  const world = await openWith({ create: ['admin'] })
  // The last one in milliseconds, which would be newer than anything.
  for (const more of [{}, { auth_time: Date.now() / 1000 - 60 }, { auth_time: Date.now() - 60_000 }]) {
    const answer = await confirmed(world, 'late', more)
    expect([answer.status, answer.text.includes('Test does not say that you have just signed in there')]).toEqual([401, true])
    expect(cookiesOf(answer)).not.toContain('daymark-admin=')
  }
  await world.close()
})

test('the cookie keeps little, for half an hour, and each tab its own', async () => {
  const world = await openWith({ create: ['reader'] })
  const long = `/admin/resource/cities/crud?page=${'1'.repeat(900)}`
  let cookie = ''
  const tabs: Answer[] = []
  for (const to of [long, 'https://other.example/', '/admin/resource/countries/crud', long]) {
    const begun = await page(world, `${begins}?to=${encodeURIComponent(to)}`, cookie)
    cookie = cookiesOf(begun)
    tabs.push(begun)
  }
  expect(cookie.length).toBeLessThan(3000)
  provider.claims = person('tabs')
  const [, , third, fourth] = tabs.map((tab) => provider.back(tab.headers.get('location') ?? ''))
  const one = await page(world, fourth ?? '', cookie)
  expect(one.headers.get('location')).toBe(long)
  const two = await page(world, third ?? '', cookiesOf(one))
  expect(two.headers.get('location')).toBe('/admin/resource/countries/crud')
  const begun = await page(world, begins)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 60_000 })
  const late = await page(world, provider.back(begun.headers.get('location') ?? ''), cookiesOf(begun))
  expect([late.status, late.text.includes('took too long')]).toEqual([401, true])
  await world.close()
})

test('a session keeps little, however many roles there are', async () => {
  const roles = Array.from({ length: 5000 }, (_, i) => `group-${i}`)
  const world = await openWith({ create: [], roles: () => roles })
  const user = await me(world, await signIn(world, person('many')))
  expect(user.roles).toEqual(roles)
  const [session] = (await world.inside.store?.sessions.of(user.id)) ?? []
  expect([session?.openId?.subject, JSON.stringify(session).length < 1000]).toEqual(['many', true])
  await world.close()
})

test('HEAD on the address of return signs nobody in', async () => {
  const world = await openWith({ create: ['reader'] })
  const begun = await page(world, begins)
  provider.claims = person('head')
  const back = provider.back(begun.headers.get('location') ?? '')
  const headers = { cookie: cookiesOf(begun) }
  const head = await world.ask({ method: 'HEAD', path: back, face: 'html', headers })
  expect([head.status, cookiesOf(head).includes('daymark-admin=')]).toEqual([401, false])
  expect((await page(world, back, headers.cookie)).status).toBe(303)
  await world.close()
})

const logout = ({ ask }: Asks, cookie: string) =>
  ask({ method: 'POST', path: '/admin/logout', face: 'html', form: {}, headers: { cookie, origin: 'http://localhost:3000' } })

test.each<[string, unknown]>([
  ['is missing', undefined],
  ['is a number', 5],
  ['is empty', ''],
  ['is a path', '/session/end'],
  ['runs a script', 'javascript:alert(1)//'],
  ['holds a page', 'data:text/html,hello'],
  ['is not secure', 'http://id.example/end'],
  ['is a web socket', 'wss://id.example/end'],
  ['has a name and a password', 'https://id.example:443@evil.example/end'],
  ['is no address', 'https://'],
  ['is too long', `https://id.example/${'x'.repeat(2000)}`],
])('where the address to sign out at %s, signing in and out works here', async (_, end) => {
  provider.metadata = { end_session_endpoint: end }
  const world = await openWith({ create: ['reader'], signOut: true })
  const answer = await signIn(world, person('x'))
  expect(answer.status).toBe(303)
  const left = await logout(world, cookiesOf(answer))
  expect([left.status, left.headers.get('location'), left.headers.get('refresh'), cookiesOf(left)]).toEqual([
    303,
    '/admin/login',
    null,
    'daymark-admin=',
  ])
  expect(await me(world, answer)).toBe(undefined)
  await world.close()
})

test('the address to sign out at keeps what it has, is written as one, and stays short', async () => {
  provider.metadata = { end_session_endpoint: 'https://Id.example/end;a\'"><b>?p=1&client_id=other#end' }
  const world = await openWith({ create: ['reader'], signOut: true })
  const at = async (claims: object) => {
    const left = await logout(world, cookiesOf(await signIn(world, { ...person('x'), ...claims })))
    const [, to = ''] = /^0; url=([!-~]+)$/.exec(left.headers.get('refresh') ?? '') ?? []
    expect(left.text).not.toMatch(/<b>|a'"/)
    return new URL(to)
  }
  const some = await at({})
  expect([some.host, some.searchParams.get('p'), some.searchParams.getAll('client_id')]).toEqual(['id.example', '1', ['panel']])
  expect(some.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
  const many = await at({ groups: Array.from({ length: 200 }, (_, i) => `group-${i}`) })
  expect([many.searchParams.has('id_token_hint'), many.searchParams.get('client_id')]).toEqual([false, 'panel'])
  await world.close()
})

test('a provider that is no longer to be signed out at leads nowhere', async () => {
  provider.metadata = { end_session_endpoint: 'https://id.example/end' }
  const world = await openWith({ create: ['reader'], signOut: true })
  const cookie = cookiesOf(await signIn(world, person('x')))
  const panel = definePanel({
    database: `sqlite:${world.path}`,
    resources: [],
    auth: { middleware: authenticate(), pipelines: [wayOf({ create: ['reader'] })] },
  })
  expect((await logout({ ask: (what) => askPanel(panel, what) }, cookie)).headers.get('location')).toBe('/admin/login')
  await panel.close()
  await world.close()
})

test('whoever can write to the database cannot choose where users are led', async () => {
  provider.metadata = { end_session_endpoint: 'https://id.example/end' }
  const world = await openWith({ create: ['reader'], signOut: true })
  const client = new Sqlite(world.path)
  const kept = () => JSON.parse((client.prepare('select open_id from daymark_sessions').get() as { open_id: string }).open_id)
  const first = await signIn(world, person('x'))
  const { signOut: another } = kept()
  await logout(world, cookiesOf(first))
  const changes: ((own: string) => string)[] = [
    () => 'https://evil.example/',
    () => 'eA',
    () => another,
    (own) => own.slice(1),
    (own) => `${own.slice(0, -4)}AAAA`,
  ]
  for (const change of changes) {
    const cookie = cookiesOf(await signIn(world, person('x')))
    client.prepare('update daymark_sessions set open_id = ?').run(JSON.stringify({ ...kept(), signOut: change(kept().signOut) }))
    const left = await logout(world, cookie)
    expect([String(change), left.status, left.headers.get('location')]).toEqual([String(change), 303, '/admin/login'])
  }
  const untouched = await logout(world, cookiesOf(await signIn(world, person('x'))))
  expect(untouched.status).toBe(200)
  client.close()
  await world.close()
})

test('a provider that is busy or slow is away, and what it says of itself is no failed attempt', async () => {
  const world = await openWith({ create: ['reader'] })
  const errorAt = async (error: string) => {
    const begun = await page(world, begins)
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
    return page(world, `${begins}/return?error=${error}&state=${state}`, cookiesOf(begun))
  }
  expect((await errorAt('temporarily_unavailable')).status).toBe(503)
  expect((await errorAt('server_error')).status).toBe(503)
  provider.instead.set('/token', (response) => answerJson(response, 'slow down', 429))
  expect((await signIn(world, person('x'))).status).toBe(503)
  provider.instead.clear()
  for (let i = 0; i < 301; i++) await errorAt('access_denied')
  expect((await errorAt('access_denied')).status).toBe(401)
  expect((await signIn(world, person('x'))).status).toBe(303)
  await world.close()
})

/** What anybody can have their own browser bring back. */
async function bringer(world: World) {
  const begun = await page(world, begins)
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
  return (query: string) => page(world, `${begins}/return?state=${state}&${query}`, cookiesOf(begun))
}

test('what only a browser says fills neither the log nor the memory, and asks the provider of nothing without an end', async () => {
  for (const query of ['error=server_error', 'error=invalid_scope', 'error=&code=wrong']) {
    const world = await openWith()
    provider.asked.length = 0
    provider.instead.set('/token', (response) => answerJson(response, { error: 'invalid_grant' }, 400))
    const last: number[] = []
    for (let i = 0; i < 20; i++) last.push((await (await bringer(world))(`${query}&error_description=${i}`)).status)
    const bring = await bringer(world)
    for (let i = 0; i < 20; i++) last.push((await bring(`${query}&error_description=${i}`)).status)
    if (query === 'error=server_error') expect([new Set(last), world.log.length]).toEqual([new Set([503]), 1])
    // Five for each sign-in that was begun.
    else expect([new Set(last), last.at(-1), world.log.length]).toEqual([new Set([401, 429]), 429, 25])
    expect(provider.asked.length).toBe(query === 'error=&code=wrong' ? 25 : 0)
    await world.close()
  }
})

test('the log says why a sign-in has failed, in a few words, and nothing that is secret', async () => {
  const world = await openWith({ create: ['reader'] })
  const bodies: (readonly [object | string, number])[] = [
    [{ error: 'invalid_grant', error_description: `bad\n${'x'.repeat(999)}` }, 400],
    ['{"access_token":"SECRET-TOKEN"', 200],
    [`{"access_token":"${'x'.repeat(2_000_000)}"}`, 200],
  ]
  for (const [body, status] of bodies) {
    provider.instead.set('/token', (response) => answerJson(response, body, status))
    expect((await signIn(world, person('x'))).status).toBe(401)
  }
  const [grant = '', json = '', long = ''] = messages(world)
  expect(grant).toContain('invalid_grant; bad xxx')
  expect(grant.length).toBeLessThan(700)
  expect(json).toContain('OAUTH_PARSE_ERROR')
  expect(long).toContain('too long')
  expect(JSON.stringify(world.log)).not.toMatch(/SECRET|\\nx/)
  await world.close()
})

test('more wrong options stop the start', () => {
  const start =
    (...all: readonly object[]) =>
    () => {
      const pipelines = all.map((more) => openId({ id: 'a', label: 'A', issuer: 'https://id.example', clientId: 'panel', ...more }))
      definePanel({
        database: 'sqlite::memory:',
        resources: [usersResource({ roles: ['admin', 'reader'] })],
        auth: { middleware: authenticate(), pipelines },
      })
    }
  expect(start({ clientSecret: '' })).toThrow('clientSecret is empty')
  expect(start({ scope: 'email profile' })).toThrow('scope must have openid in it')
  expect(start({ roles: ['admin'] })).toThrow('roles must be a function')
  expect(start({ username: 'email' })).toThrow('username must be a function')
  expect(start({}, { id: 'b', issuer: 'https://id.example/' })).toThrow("is another one's issuer and clientId")
  expect(start({ create: ['raeder'] })).toThrow('has "raeder" in `create`. Roles of usersResource(): admin, reader')
  expect(start({ create: ['reader'] }, { id: 'b', clientId: 'two' })).not.toThrow()
})

test('no provider gets the secret of another one', () => {
  const ways = (...secrets: (string | null | undefined)[]) =>
    secrets.map((secret, i) =>
      openId({
        id: `p${i}`,
        label: 'P',
        issuer: `https://p${i}.example`,
        clientId: 'panel',
        ...(secret !== undefined && { clientSecret: secret }),
      }),
    )
  const start = (...secrets: (string | null | undefined)[]) => {
    const pipelines = ways(...secrets)
    return () => definePanel({ database: 'sqlite::memory:', resources: [], auth: { middleware: authenticate(), pipelines } })
  }
  expect(start(undefined, undefined)).not.toThrow()
  vi.stubEnv('DAYMARK_OPENID_SECRET', 'SECRET-OF-ONE')
  expect(start(undefined, undefined)).toThrow(/openId\(\{ id: 'p1' \}\) would send DAYMARK_OPENID_SECRET, as another one does/)
  expect(start(undefined, null, 'its own')).not.toThrow()
  vi.unstubAllEnvs()
})

test('a public client sends no secret, whatever the environment has', async () => {
  vi.stubEnv('DAYMARK_OPENID_SECRET', 'SECRET-OF-ANOTHER')
  const world = await openWith({ create: ['reader'], clientSecret: null })
  vi.unstubAllEnvs()
  expect((await signIn(world, person('x'))).status).toBe(303)
  expect(provider.asked.at(-1)).toMatch(/^ .*client_id=panel/)
  expect(provider.asked.at(-1)).not.toContain('SECRET-OF-ANOTHER')
  await world.close()
})
