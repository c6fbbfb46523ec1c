import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { authenticate, definePanel, type PanelSpec, passkeys, password, session } from 'daymark'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { openId } from 'daymark/openid'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '../../src/auth/password.js'
import { authenticator, type Bent } from '../support/authenticator.js'
import { Sqlite } from '../support/sqlite.js'
import { type Ask, askPanel, cookiesOf, jwtSecret, openWorld, secret, type Who, type World, worldsOver } from './world.js'

const origin = 'http://localhost:3000'
const own = '/admin/profile/passkeys'
const signsIn = '/admin/authenticate/passkey'

const auth = { middleware: authenticate(), pipelines: [password(), passkeys()] }
const open = (more: Partial<PanelSpec> = {}) => openWorld({ url: origin, auth, ...more })

type Authenticator = ReturnType<typeof authenticator>
type Headers = Readonly<Record<string, string>>

/** The cookies of both, as a browser keeps them: of two with a name the later. */
function joined(...cookies: readonly string[]): string {
  const all = cookies.flatMap((one) => one.split('; ')).filter((one) => one !== '')
  return [...new Map(all.map((one) => [one.split('=')[0], one])).values()].filter((one) => !one.endsWith('=')).join('; ')
}

/** Asks for what a new passkey needs. */
async function begin(world: World, headers: Headers, json: object = {}) {
  const asked = { method: 'POST', path: `${own}/options`, headers, json: { name: 'Laptop', currentPassword: secret, ...json } }
  const answer = await world.ask(asked)
  return { answer, options: answer.json.options, headers: { ...headers, cookie: joined(headers.cookie ?? '', cookiesOf(answer)) } }
}

/** Adds a passkey to a user. */
async function add(world: World, device: Authenticator, who: Who = 'editor', bent: Bent = {}, name = 'Laptop') {
  const begun = await begin(world, await world.as(who), { name })
  expect([begun.answer.status, begun.answer.json.message]).toEqual([200, undefined])
  const json = { name, credential: device.make(begun.options, bent) }
  return { json, begun, answer: await world.ask({ method: 'POST', path: own, headers: begun.headers, json }) }
}

/** Asks for what a sign-in needs. */
async function ask(world: World, more: Partial<Ask> = {}) {
  const answer = await world.ask({ method: 'POST', path: `${signsIn}/options`, json: {}, ...more })
  return { answer, options: answer.json?.options, headers: { cookie: cookiesOf(answer) } }
}

/** Signs in with a passkey. */
async function enter(world: World, device: Authenticator, bent: Bent = {}, more: Partial<Ask> = {}) {
  const { options, headers } = await ask(world)
  const json = { credential: device.signIn(options, bent) }
  return world.ask({ method: 'POST', path: signsIn, headers, json, ...more })
}

const profile = async (world: World, cookie: string) => world.ask({ path: '/admin/profile', headers: { cookie } })
const account = async (world: World, who: string) => world.inside.store?.users.byUsername(who)
async function removeAll(world: World) {
  for (const who of ['admin', 'editor', 'reader', 'nobody']) {
    const one = await account(world, who)
    if (one) await world.inside.store?.passkeys.removeOf(one.identity.id)
  }
}

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  let world: World
  beforeAll(async () => {
    worldsOver(database)
    world = await open()
  })
  afterAll(async () => {
    worldsOver('sqlite')
    await world?.close()
  })
  beforeEach(() => removeAll(world))
  afterEach(() => vi.useRealTimers())

  test.each(['ES256', 'EdDSA', 'RS256'] as const)('a user adds a passkey (%s), and signs in with it, by no name', async (algorithm) => {
    const device = authenticator(origin)
    const { answer, begun } = await add(world, device, 'editor', { algorithm })
    expect(begun.answer.headers.get('cache-control')).toBe('no-store')
    expect(begun.options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { id: 'localhost', name: 'Daymark' },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: 'editor', displayName: 'editor' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    })
    expect([answer.status, answer.json.message]).toEqual([201, 'The passkey "Laptop" was added. You can sign in with it from now on'])
    expect(answer.json.data).toEqual({
      id: expect.stringMatching(/^[\w-]{43}$/),
      name: 'Laptop',
      synced: false,
      createdAt: expect.any(String),
      lastSeenAt: null,
    })

    const { options, headers, answer: asked } = await ask(world)
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [],
    })
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^daymark-admin-passkey=[\w-]+\.[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/),
    ])
    const entered = await world.ask({ method: 'POST', path: signsIn, headers, json: { credential: device.signIn(options) } })
    expect([entered.status, entered.json]).toEqual([200, { message: 'Signed in', user: expect.objectContaining({ username: 'editor' }) }])
    // The session is one like any other, and the challenge is gone.
    const [challenge, cookie] = ['passkey=', 'admin='].map((name) => entered.headers.getSetCookie().find((one) => one.includes(`-${name}`)))
    expect(challenge).toContain('Max-Age=0')
    expect(cookie).toMatch(/^daymark-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    expect((await profile(world, cookiesOf(entered))).status).toBe(200)
    const { data } = (await world.ask({ path: own, headers: { cookie: cookiesOf(entered) } })).json
    expect(data).toEqual([{ ...answer.json.data, lastSeenAt: expect.any(String) }])
  })

  test('what was not signed for this panel, by this user, just now, signs nobody in', async () => {
    const device = authenticator(origin)
    await add(world, device)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const bad: Record<string, Bent> = {
      'another origin': { origin: 'http://localhost:3001' },
      'an origin that only begins so': { origin: `${origin}.example` },
      'another relying party': { rpId: 'example.com' },
      'a signature that was changed': { signature: (one) => Buffer.from(one.map((byte, i) => (i === one.length - 1 ? byte ^ 1 : byte))) },
      'another key': { key: privateKey },
      'no user verification': { verified: false },
      'nobody present': { present: false },
      'another ceremony': { type: 'webauthn.create' },
      'a frame of another site': { crossOrigin: true },
      'another user': { handle: Buffer.alloc(32, 1).toString('base64url') },
      'no user at all': { handle: null },
      'a passkey that may be copied by now': { synced: true },
      'an unknown passkey': { id: Buffer.alloc(32, 2).toString('base64url') },
    }
    for (const [what, bent] of Object.entries(bad)) {
      const answer = await enter(world, device, bent)
      expect([what, answer.status, answer.json.type, answer.json.message]).toEqual([
        what,
        401,
        'urn:daymark:error:unauthenticated',
        'This passkey does not sign in here. Sign in in another way',
      ])
      expect([what, answer.headers.getSetCookie()]).toEqual([what, []])
      expect(answer.headers.get('www-authenticate')).toBe('Session')
    }
    const foreign = await enter(world, device, { challenge: Buffer.alloc(32).toString('base64url') })
    expect([foreign.status, foreign.json.message]).toEqual([401, 'That took too long, or was done already. Try again'])
    // None of it is an error of the panel's, and the passkey is still good.
    expect(world.log).toEqual([])
    expect((await enter(world, device)).status).toBe(200)
  })

  test('a challenge is good once, for five minutes, in the browser that asked, for what it was asked for', async () => {
    const device = authenticator(origin)
    await add(world, device)
    const late = 'That took too long, or was done already. Try again'
    const { options, headers } = await ask(world)
    const send = (given: Headers, json: object) => world.ask({ method: 'POST', path: signsIn, headers: given, json })
    const credential = device.signIn(options)
    // In another browser, and in one whose cookie was changed.
    expect((await send({}, { credential })).json.message).toBe(late)
    const [name, value = ''] = headers.cookie.split('=')
    const [text = '', signature] = value.split('.')
    const other = Buffer.from(JSON.stringify([{ challenge: options.challenge, adds: null, at: Date.now() + 1e9 }])).toString('base64url')
    expect((await send({ cookie: `${name}=${other}.${signature}` }, { credential })).json.message).toBe(late)
    expect((await send({ cookie: `${name}=${text}` }, { credential })).json.message).toBe(late)
    // Of two at once, one succeeds; a copy of the cookie does not help.
    const both = await Promise.all([send(headers, { credential }), send(headers, { credential })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await send(headers, { credential })).json.message).toBe(late)
    expect((await send(headers, { credential: device.signIn(options) })).json.message).toBe(late)

    // A challenge to sign in adds nothing, and the other way round.
    const asEditor = await world.as('editor')
    const toSignIn = await ask(world)
    const begun = await begin(world, asEditor)
    const made = authenticator(origin).make({ ...begun.options, challenge: toSignIn.options.challenge, excludeCredentials: [] })
    const cookie = joined(begun.headers.cookie, toSignIn.headers.cookie)
    const added = await world.ask({ method: 'POST', path: own, headers: { cookie }, json: { name: 'Laptop', credential: made } })
    expect([added.status, added.json.message]).toEqual([422, late])
    expect((await send(begun.headers, { credential: device.signIn(begun.options) })).json.message).toBe(late)

    vi.useFakeTimers({ toFake: ['Date'] })
    const before = await ask(world)
    vi.setSystemTime(Date.now() + 299_000)
    expect((await send(before.headers, { credential: device.signIn(before.options) })).status).toBe(200)
    const tooOld = await ask(world)
    vi.setSystemTime(Date.now() + 301_000)
    expect((await send(tooOld.headers, { credential: device.signIn(tooOld.options) })).json.message).toBe(late)
  })

  test('six tabs can wait for a passkey at once', async () => {
    const device = authenticator(origin)
    await add(world, device)
    let cookie = ''
    const asked = []
    for (let i = 0; i < 7; i++) {
      const one = await ask(world, { headers: { cookie } })
      cookie = one.headers.cookie
      asked.push(one.options)
    }
    const statuses = []
    for (const options of asked)
      statuses.push(
        (await world.ask({ method: 'POST', path: signsIn, headers: { cookie }, json: { credential: device.signIn(options) } })).status,
      )
    expect(statuses).toEqual([401, 200, 200, 200, 200, 200, 200])
    expect(cookie.length).toBeLessThan(1500)
  })

  test('a counter that goes back may be that of a copy: it signs in no more, and the log says so', async () => {
    const device = authenticator(origin, { counts: true })
    await add(world, device)
    expect((await enter(world, device)).status).toBe(200)
    expect((await enter(world, device)).status).toBe(200)
    world.log.length = 0
    // The second time with the same count, and with one that doesn't count at all.
    for (const counter of [3, 1, 0]) {
      const answer = await enter(world, device, { counter })
      expect([counter, answer.status, answer.json.message]).toEqual([
        counter,
        401,
        'This passkey may have been copied, so you are not signed in. Sign in in another way, remove it and tell an administrator',
      ])
    }
    expect(world.log.map(({ message }) => message)).toEqual(
      [3, 1, 0].map((counter) => expect.stringContaining(`it has signed ${counter} times by what it says, and 3 times before`)),
    )
    // Whoever cannot sign cannot claim it.
    const claim = await enter(world, device, { counter: 0, signature: (one) => Buffer.from(one.map((byte) => byte ^ 1)) })
    expect(claim.json.message).toBe('This passkey does not sign in here. Sign in in another way')
    expect(world.log).toHaveLength(3)
    world.log.length = 0
    expect((await enter(world, device, { counter: 100 })).status).toBe(200)
  })

  test('a passkey is of one user: nobody else sees, renames or removes it, or takes it for their own', async () => {
    const device = authenticator(origin)
    const { id } = (await add(world, device)).answer.json.data
    const headers = await world.as('admin')
    expect((await world.ask({ path: own, headers })).json.data).toEqual([])
    for (const asked of [
      { method: 'PATCH', json: { name: 'Mine' } },
      { method: 'DELETE' },
      { method: 'POST', form: { _method: 'DELETE', _confirmed: '1' } },
    ]) {
      const answer = await world.ask({ path: `${own}/${id}`, headers: { ...headers, 'sec-fetch-site': 'same-origin' }, ...asked })
      expect([answer.status, answer.json.message]).toEqual([404, 'There is no such passkey'])
    }
    // The credential of another user cannot be added again: it would sign in as one of them.
    const begun = await begin(world, headers)
    const [kept] = device.kept
    const again = authenticator(origin).make(begun.options, { id: kept?.id ?? '' })
    const taken = await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: 'Laptop', credential: again } })
    expect([taken.status, taken.json.errors]).toEqual([422, { credential: ['This passkey cannot be used here. Try again'] }])
    expect((await enter(world, device)).json.user.username).toBe('editor')
    expect((await world.ask({ path: own, headers })).json.data).toEqual([])
  })

  test('adding one takes the present password, and a session that goes on', async () => {
    const headers = await world.as('editor')
    for (const [json, errors] of [
      [{ currentPassword: 'wrong' }, { currentPassword: ['This is not the current password'] }],
      [{ currentPassword: '' }, { currentPassword: ['Current password is required'] }],
      [{ name: ' ' }, { name: ['Name is required'] }],
      [{ name: 'x'.repeat(101) }, { name: ['Name must have at most 100 characters'] }],
      [{ name: 'a\nb' }, { name: ['A name is one line of plain characters'] }],
    ] as const) {
      const { answer } = await begin(world, headers, json)
      expect([answer.status, answer.json.errors, answer.headers.getSetCookie()]).toEqual([422, errors, []])
    }
    const begun = await begin(world, headers)
    const credential = authenticator(origin).make(begun.options)
    // Another session of the user has confirmed nothing, nor has the next one of this browser.
    const later = { cookie: joined(begun.headers.cookie, (await world.as('editor')).cookie ?? '') }
    const others = await world.ask({ method: 'POST', path: own, headers: later, json: { name: 'Laptop', credential } })
    expect([others.status, others.json.message]).toEqual([422, 'That took too long, or was done already. Try again'])
    expect((await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: '', credential } })).json.errors).toEqual({
      name: ['Name is required'],
    })
    expect((await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: 'Laptop', credential } })).status).toBe(201)
    expect((await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: 'Laptop', credential } })).status).toBe(422)
    expect((await world.ask({ method: 'POST', path: own, json: { name: 'Laptop', credential } })).status).toBe(401)
  })

  test('what no browser would have made is not added', async () => {
    const bad: Record<string, Bent> = {
      'another origin': { origin: 'https://localhost:3000' },
      'another relying party': { rpId: '127.0.0.1' },
      'no user verification': { verified: false },
      'another ceremony': { type: 'webauthn.get' },
      'a frame of another site': { crossOrigin: true },
      'nobody present': { present: false },
      'an algorithm that nobody asked for': { algorithm: 'ES512' },
      'a certificate that nobody asked for': { format: 'fido-u2f' },
    }
    for (const [what, bent] of Object.entries(bad)) {
      const { answer } = await add(world, authenticator(origin), 'editor', bent)
      expect([what, answer.status, answer.json.errors]).toEqual([
        what,
        422,
        { credential: ['This passkey cannot be used here. Try again'] },
      ])
    }
    const begun = await begin(world, await world.as('editor'))
    const made = authenticator(origin).make(begun.options)
    for (const credential of [
      undefined,
      null,
      'text',
      [],
      {},
      { ...made, id: 'other' },
      { ...made, type: 'password' },
      { ...made, response: null },
      { ...made, response: { ...made.response, clientDataJSON: 'e30' } },
      { ...made, response: { ...made.response, clientDataJSON: '!' } },
      { ...made, response: { ...made.response, attestationObject: 'x'.repeat(20_000) } },
    ]) {
      const answer = await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: 'Laptop', credential } })
      expect([answer.status, answer.json.errors]).toEqual([422, { credential: ['This is not what a browser answers with'] }])
    }
    expect((await world.ask({ path: own, headers: begun.headers })).json.data).toEqual([])
    expect(world.log).toEqual([])
  })

  test('the same device is not added twice, and there are twenty passkeys at most', async () => {
    const device = authenticator(origin)
    await add(world, device)
    const { options } = await begin(world, await world.as('editor'))
    expect(options.excludeCredentials).toEqual([{ type: 'public-key', id: device.kept[0]?.id, transports: ['internal', 'hybrid'] }])
    // To the authenticator, it is the same user.
    expect(options.user.id).toBe(device.kept[0]?.handle)
    const { id, username } = (await account(world, 'editor'))?.identity ?? { id: '', username: '' }
    const [first] = (await world.inside.store?.passkeys.of(id)) ?? []
    const create = (n: number) =>
      world.inside.store?.passkeys.create({ ...(first as NonNullable<typeof first>), id: `other ${n}`, userId: id, username }, 20)
    expect((await Promise.all(Array.from({ length: 25 }, (_, n) => create(n)))).filter(Boolean)).toHaveLength(19)
    const { answer } = await begin(world, await world.as('editor'))
    expect([answer.status, answer.json.message]).toEqual([422, 'You have 20 passkeys already. Remove one first'])
    expect((await world.ask({ path: own, headers: await world.as('editor') })).json.data).toHaveLength(20)
  })

  test('a user renames one, and removes one, which ends every other session', async () => {
    const device = authenticator(origin)
    const { id } = (await add(world, device)).answer.json.data
    const [headers, elsewhere] = [await world.as('editor'), await world.as('editor')]
    const renamed = await world.ask({ method: 'PATCH', path: `${own}/${id}`, headers, json: { name: ' Phone ' } })
    expect([renamed.status, renamed.json.data.name, renamed.json.message]).toEqual([200, 'Phone', 'The passkey is called "Phone" now'])
    expect((await world.ask({ method: 'PATCH', path: `${own}/${id}`, headers, json: { name: '' } })).json.errors).toEqual({
      name: ['Name is required'],
    })
    const entered = await enter(world, device)
    const removed = await world.ask({ method: 'DELETE', path: `${own}/${id}`, headers })
    expect([removed.status, removed.json]).toEqual([
      200,
      { message: 'The passkey "Phone" was removed. You are signed out everywhere else' },
    ])
    expect((await profile(world, headers.cookie ?? '')).status).toBe(200)
    expect((await profile(world, elsewhere.cookie ?? '')).status).toBe(401)
    expect((await profile(world, cookiesOf(entered))).status).toBe(401)
    expect((await enter(world, device)).status).toBe(401)
    expect((await world.ask({ method: 'DELETE', path: `${own}/${id}`, headers })).status).toBe(404)
  })

  test('a user who is disabled stays out, and one who is back signs in again', async () => {
    const device = authenticator(origin)
    await add(world, device)
    const entered = await enter(world, device)
    await world.inside.store?.admin?.setActive('editor', false)
    expect((await profile(world, cookiesOf(entered))).status).toBe(401)
    expect((await enter(world, device)).json.message).toBe('This passkey does not sign in here. Sign in in another way')
    await world.inside.store?.admin?.setActive('editor', true)
    expect((await profile(world, cookiesOf(entered))).status).toBe(401)
    expect((await enter(world, device)).status).toBe(200)
  })

  test('a user who was renamed signs in as before; of one who was deleted, nothing is left', async () => {
    const device = authenticator(origin)
    const admin = await world.as('admin')
    const made = await world.ask({
      method: 'POST',
      path: '/admin/resource/users/crud',
      headers: admin,
      json: { username: 'temp', name: 'Temp', password: secret, roles: ['reader'], active: true },
    })
    const { id } = made.json.data
    const headers = {
      cookie: cookiesOf(await world.ask({ method: 'POST', path: '/admin/authenticate', json: { username: 'temp', password: secret } })),
    }
    const begun = await begin(world, headers)
    await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: 'Key', credential: device.make(begun.options) } })
    await world.ask({ method: 'PUT', path: `/admin/resource/users/crud/${id}`, headers: admin, json: { username: 'renamed' } })
    expect((await enter(world, device)).json.user.username).toBe('renamed')
    await world.ask({ method: 'DELETE', path: `/admin/resource/users/crud/${id}`, headers: admin })
    expect((await world.inside.store?.passkeys.of(String(id)))?.length).toBe(1)
    expect((await enter(world, device)).status).toBe(401)
    expect(await world.inside.store?.passkeys.of(String(id))).toEqual([])
  })

  test('an administrator sees how many passkeys a user has, and removes them all', async () => {
    const device = authenticator(origin)
    await add(world, device)
    await add(world, authenticator(origin))
    const entered = await enter(world, device)
    const admin = await world.as('admin')
    const { id } = (await account(world, 'editor'))?.identity ?? { id: '' }
    const show = async () => (await world.ask({ path: `/admin/resource/users/crud/${id}`, headers: admin })).json.data.passkeys
    expect(await show()).toBe(2)
    const page = await world.ask({ path: `/admin/resource/users/crud/${id}`, headers: admin, face: 'html' })
    expect(page.text).toContain('handler/passkeysOff')
    const off = (headers: Headers, ids: readonly string[]) =>
      world.ask({ method: 'POST', path: '/admin/resource/users/handler/passkeysOff', headers, json: { ids } })
    expect((await off(await world.as('reader'), [id])).status).toBe(403)
    const self = (await account(world, 'admin'))?.identity.id ?? ''
    expect((await off(admin, [self])).json.errors).toEqual({ ids: ['Remove your own on your profile'] })
    const done = await off(admin, [id])
    expect([done.status, done.json.message]).toEqual([200, 'Passkeys removed: editor'])
    expect(await show()).toBe(null)
    expect((await enter(world, device)).status).toBe(401)
    expect((await profile(world, cookiesOf(entered))).status).toBe(401)
    const without = await world.ask({ path: `/admin/resource/users/crud/${id}`, headers: admin, face: 'html' })
    expect(without.text).not.toContain('handler/passkeysOff')
  })
})

describe('on pages', () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world?.close())
  beforeEach(() => removeAll(world))

  const form = (path: string, fields: Record<string, string>, headers: Headers) =>
    world.ask({ method: 'POST', path, form: fields, headers: { 'sec-fetch-site': 'same-origin', ...headers }, face: 'html' })

  test('the sign-in page has the button hidden, for the script to show, and leads where the user wanted to go', async () => {
    const shown = await world.ask({ path: '/admin/login?to=/admin/resource/cities/crud', face: 'html' })
    expect(shown.text).toMatch(/<div class="ways" data-passkey-way hidden>/)
    expect(shown.text).toMatch(/autocomplete="username webauthn"/)
    expect(shown.text).toMatch(/<script type="module" src="[^"]*passkeys\.js"/)
    expect(shown.text).toContain('<input type="hidden" name="_to" value="/admin/resource/cities/crud">')
    const device = authenticator(origin)
    await add(world, device)
    const sent = async (to: string, remember = '') => {
      const { options, headers } = await ask(world)
      return form(signsIn, { credential: JSON.stringify(device.signIn(options)), remember, _to: to }, headers)
    }
    const entered = await sent('/admin/resource/cities/crud?page=1')
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/admin/resource/cities/crud?page=1'])
    expect((await profile(world, cookiesOf(entered))).status).toBe(200)
    // Anywhere else, a sign-in leads to the panel.
    for (const to of ['https://evil.example/', '//evil.example', '/elsewhere', '/admin/../evil'])
      expect([to, (await sent(to)).headers.get('location')]).toEqual([to, '/admin'])
    const remembered = (await sent('', '1')).headers.getSetCookie().find((one) => one.startsWith('daymark-admin='))
    expect(remembered).toContain('Max-Age=2592000')
  })

  test('a refusal shows the sign-in page again', async () => {
    const device = authenticator(origin)
    await add(world, device)
    const { options, headers } = await ask(world)
    const credential = JSON.stringify(device.signIn(options, { verified: false }))
    const refused = await form(signsIn, { credential, _to: '/admin/profile' }, headers)
    expect([refused.status, refused.headers.get('location')]).toEqual([401, null])
    expect(refused.text).toContain('This passkey does not sign in here. Sign in in another way')
    expect(refused.text).toContain('<input type="hidden" name="_to" value="/admin/profile">')
    const nothing = await form(signsIn, { credential: '' }, headers)
    expect([nothing.status, nothing.text.includes('This is not what a browser answers with')]).toEqual([422, true])
  })

  test('no page elsewhere signs anybody in, or asks for what a passkey needs', async () => {
    const device = authenticator(origin)
    await add(world, device)
    const { options, headers } = await ask(world)
    const credential = JSON.stringify(device.signIn(options))
    expect((await form(signsIn, { credential }, { ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    // A browser that does not say where a form comes from has to send its token.
    const bare = await world.ask({ method: 'POST', path: signsIn, form: { credential }, headers, face: 'html' })
    expect(bare.status).toBe(403)
    expect((await ask(world, { headers: { 'sec-fetch-site': 'cross-site' } })).answer.status).toBe(403)
  })

  test('the page of the passkeys lists, adds, renames and asks before it removes', async () => {
    const device = authenticator(origin)
    const headers = await world.as('editor')
    const empty = await world.ask({
      path: own,
      headers: { ...headers, 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/150.0' },
      face: 'html',
    })
    expect(empty.text).toContain('You have no passkeys yet.')
    expect(empty.text).toContain(`To add a passkey, open this page at ${origin}`)
    expect(empty.text).toContain('value="Firefox, Linux"')
    expect(empty.text).toMatch(/<form class="card section"[^>]* hidden novalidate data-passkey="make"/)
    const begun = await begin(world, headers)
    const credential = JSON.stringify(device.make(begun.options))
    const added = await form(own, { name: '<b>Key</b>', credential }, begun.headers)
    expect([added.status, added.headers.get('location')]).toEqual([303, own])
    const listed = await world.ask({ path: own, headers: { cookie: joined(headers.cookie ?? '', cookiesOf(added)) }, face: 'html' })
    expect(listed.text).toContain('The passkey &quot;&lt;b&gt;Key&lt;/b&gt;&quot; was added')
    expect(listed.text).not.toContain('<b>Key</b>')
    const id = new RegExp(`${own}/([\\w-]{43})`).exec(listed.text)?.[1] ?? ''
    const renamed = await form(`${own}/${id}`, { _method: 'PATCH', name: 'Phone' }, headers)
    expect([renamed.status, renamed.headers.get('location')]).toEqual([303, own])
    const blank = await form(`${own}/${id}`, { _method: 'PATCH', name: '' }, headers)
    expect([blank.status, blank.text.includes('Name is required')]).toEqual([422, true])
    // What was typed is there to go on with, at the passkey that it was typed for alone.
    const long = 'x'.repeat(101)
    const tooLong = await form(`${own}/${id}`, { _method: 'PATCH', name: long }, headers)
    expect([tooLong.status, tooLong.text.includes('Name must have at most 100 characters')]).toEqual([422, true])
    expect(tooLong.text.match(/<details class="rename" open>[\s\S]*?<\/details>/)?.[0]).toContain(`value="${long}"`)
    expect(tooLong.text.split('aria-invalid')).toHaveLength(2)
    const asked = await form(`${own}/${id}`, { _method: 'DELETE' }, headers)
    expect([asked.status, asked.text.includes('Remove the passkey &quot;Phone&quot;?')]).toEqual([200, true])
    expect((await world.ask({ path: own, headers })).json.data).toHaveLength(1)
    const removed = await form(`${own}/${id}`, { _method: 'DELETE', _confirmed: '1' }, headers)
    expect([removed.status, removed.headers.get('location')]).toEqual([303, own])
    expect((await world.ask({ path: own, headers })).json.data).toEqual([])
  })

  test('the profile leads there, and says which session began with a passkey', async () => {
    const device = authenticator(origin)
    await add(world, device)
    const { text } = await world.ask({ path: '/admin/profile', headers: { cookie: cookiesOf(await enter(world, device)) }, face: 'html' })
    expect(text).toContain(`href="${own}"`)
    expect(text).toContain('Passkeys <span class="badge tag">1</span>')
    expect(text).toContain('This session &#183; Passkey')
  })

  test('in JSON, the sign-in page says where to ask', async () => {
    expect((await world.ask({ path: '/admin/login' })).json.data.passkey).toEqual({ options: `${signsIn}/options`, action: signsIn })
  })
})

describe('two factors', () => {
  const totp = (of: string) => new TOTP({ secret: Secret.fromBase32(of) }).generate()

  test('a passkey stands for both: no code is asked for, and nothing has to be set up first', async () => {
    const world = await open({ auth: { ...auth, twoFactor: { required: ['editor'] } } })
    const device = authenticator(origin)
    // With the password alone, the user can do nothing else before.
    const { answer } = await begin(world, await world.as('editor'))
    expect(answer.status).toBe(403)
    const limited = await world.as('editor')
    const setUp = (await world.ask({ path: '/admin/profile/two-factor', headers: limited })).json.data.setUp
    const on = { secret: setUp.secret, code: totp(setUp.secret), currentPassword: secret }
    expect((await world.ask({ method: 'PUT', path: '/admin/profile/two-factor', headers: limited, json: on })).status).toBe(200)
    const begun = await begin(world, limited)
    await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: 'Key', credential: device.make(begun.options) } })
    const entered = await enter(world, device)
    expect(entered.status).toBe(200)
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers: { cookie: cookiesOf(entered) } })).status).toBe(200)
    // Also where the code is off again.
    const editor = await account(world, 'editor')
    await world.inside.store?.users.changeTwoFactor(editor?.identity.id ?? '', editor?.twoFactor ?? null, null)
    const again = await enter(world, device)
    for (const one of [entered, again])
      expect((await world.ask({ path: '/admin/resource/cities/crud', headers: { cookie: cookiesOf(one) } })).status).toBe(200)
    await world.close()
  })

  test('a session that began with a passkey ends where the panel takes none any more', async () => {
    const world = await open()
    const device = authenticator(origin)
    await add(world, device)
    const cookie = cookiesOf(await enter(world, device))
    const later = definePanel({ database: `sqlite:${world.path}`, resources: [], url: origin })
    expect((await askPanel(later, { path: '/admin/profile', headers: { cookie } })).status).toBe(401)
    expect((await askPanel(later, { path: own, headers: await world.as('editor') })).status).toBe(404)
    expect((await askPanel(later, { method: 'POST', path: `${signsIn}/options`, json: {} })).status).toBe(404)
    const login = await askPanel(later, { path: '/admin/login', face: 'html' })
    expect(login.text).not.toMatch(/passkey|webauthn/i)
    await later.close()
    await world.close()
  })
})

test('a user without a password confirms a change by a passkey, at most ten minutes before', async () => {
  const world = await open()
  const device = authenticator(origin)
  await add(world, device)
  const { id } = (await account(world, 'editor'))?.identity ?? { id: '' }
  const client = new Sqlite(world.path)
  client.exec(`update daymark_users set password = null where id = ${id}`)
  client.close()
  const headers = { cookie: cookiesOf(await enter(world, device)) }
  const more = authenticator(origin)
  const begun = await begin(world, headers, { currentPassword: '' })
  const added = await world.ask({
    method: 'POST',
    path: own,
    headers: begun.headers,
    json: { name: 'Second', credential: more.make(begun.options) },
  })
  expect(added.status).toBe(201)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  const { answer } = await begin(world, headers, { currentPassword: '' })
  expect([answer.status, answer.json.message]).toEqual([
    422,
    'Sign out and in again with your passkey to confirm that it is you, and do this within ten minutes',
  ])
  vi.useRealTimers()
  await world.close()
})

test('a user who signs in with a provider alone can have none: it would lead past the provider', async () => {
  const provider = openId({ label: 'Test', issuer: 'https://id.example', clientId: 'x' })
  const world = await open({ auth: { ...auth, pipelines: [password(), passkeys(), provider] } })
  const device = authenticator(origin)
  await add(world, device)
  const headers = { cookie: cookiesOf(await enter(world, device)) }
  expect((await world.ask({ path: own, headers })).status).toBe(200)
  // The user has no password any more.
  const client = new Sqlite(world.path)
  client.exec("update daymark_users set password = null where username = 'editor'")
  client.close()
  expect((await enter(world, device)).json.message).toBe('This passkey does not sign in here. Sign in in another way')
  await world.close()
})

test('users of an application have passkeys, which are void for whoever has their id next', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-passkeys-'))
  const path = join(folder, 'app.db')
  const people = sqliteTable('people', { id: integer().primaryKey(), email: text().notNull(), secret: text(), groups: text().notNull() })
  const client = new Sqlite(path)
  client.exec('create table people (id integer primary key, email text not null, secret text, groups text not null)')
  client.prepare('insert into people values (1, ?, ?, ?)').run('ada@example.com', await hashPassword(secret), 'admin')
  const panel = definePanel({
    database: `sqlite:${path}`,
    resources: [],
    url: origin,
    auth,
    users: { model: people, columns: { username: 'email', password: 'secret', roles: 'groups' } },
  })
  const world = { ask: (what: Ask) => askPanel(panel, what) } as World
  const device = authenticator(origin)
  const signed = await world.ask({ method: 'POST', path: '/admin/authenticate', json: { username: 'ada@example.com', password: secret } })
  const begun = await begin(world, { cookie: cookiesOf(signed) })
  const json = { name: 'Key', credential: device.make(begun.options) }
  expect((await world.ask({ method: 'POST', path: own, headers: begun.headers, json })).status).toBe(201)
  expect((await enter(world, device)).json.user.username).toBe('ada@example.com')
  client.exec("update people set email = 'bob@example.com'")
  expect((await enter(world, device)).status).toBe(401)
  client.exec("update people set email = 'ada@example.com'")
  expect((await enter(world, device)).status).toBe(401)
  client.close()
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

test('attempts of an address are counted, those that succeed are not', async () => {
  const world = await open()
  const device = authenticator(origin)
  await add(world, device)
  for (let i = 0; i < 300; i++) {
    const { options, headers } = await ask(world)
    const json = { credential: device.signIn(options, { verified: false }) }
    const { status } = await world.ask({ method: 'POST', path: signsIn, headers, json, peer: '192.0.2.7' })
    if (status !== 401) expect([i, status]).toEqual([i, 401])
  }
  const throttled = await enter(world, device, {}, { peer: '192.0.2.7' })
  expect([throttled.status, Number(throttled.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await enter(world, device, {}, { peer: '192.0.2.8' })).status).toBe(200)
  await world.close()
}, 60_000)

test('users who are told by mail hear of a new passkey', async () => {
  const sent: { to: string; subject: string; text: string }[] = []
  const world = await open({ mail: async (mail) => void sent.push(mail) })
  const admin = await world.as('admin')
  const { id } = (await account(world, 'editor'))?.identity ?? { id: '' }
  await world.ask({ method: 'PUT', path: `/admin/resource/users/crud/${id}`, headers: admin, json: { username: 'editor@example.com' } })
  const signedIn = await world.ask({
    method: 'POST',
    path: '/admin/authenticate',
    json: { username: 'editor@example.com', password: secret },
  })
  const begun = await begin(world, { cookie: cookiesOf(signedIn) })
  const credential = authenticator(origin).make(begun.options)
  await world.ask({ method: 'POST', path: own, headers: begun.headers, json: { name: 'Laptop', credential } })
  await world.close()
  expect(sent).toEqual([
    expect.objectContaining({
      to: 'editor@example.com',
      subject: 'A passkey for Daymark was added',
      text: expect.stringContaining('the passkey "Laptop" was added to editor@example.com at Daymark'),
    }),
  ])
})

test('behind https, the cookie is of this host alone; another host is another relying party', async () => {
  const url = 'https://panel.example.com/below'
  const world = await open({ url, trustProxy: 1 })
  const device = authenticator('https://panel.example.com')
  const path = (one: string) => `/below${one}`
  const signed = await world.ask({ method: 'POST', path: path('/admin/authenticate'), json: { username: 'editor', password: secret } })
  const asked = { method: 'POST', path: path(`${own}/options`), json: { name: 'Key', currentPassword: secret } }
  // Whatever host the request names, the options are for the panel's own.
  const begun = await world.ask({
    ...asked,
    headers: { cookie: cookiesOf(signed), host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  expect(begun.json.options.rp.id).toBe('panel.example.com')
  expect(begun.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-daymark-admin-passkey=.*; Secure$/)])
  const headers = { cookie: joined(cookiesOf(signed), cookiesOf(begun)) }
  const credential = device.make(begun.json.options)
  expect((await world.ask({ method: 'POST', path: path(own), headers, json: { name: 'Key', credential } })).status).toBe(201)
  // The same users behind another address: a browser would not offer the passkey there.
  const other = definePanel({ database: `sqlite:${world.path}`, resources: [], url: 'https://other.example.com', auth })
  const elsewhere = await askPanel(other, { method: 'POST', path: '/admin/authenticate', json: { username: 'editor', password: secret } })
  expect((await askPanel(other, { path: own, headers: { cookie: cookiesOf(elsewhere) } })).json.data).toEqual([])
  await other.close()
  await world.close()
})

test('the library is not loaded before a browser has answered', async () => {
  const hook = `export async function load(url, context, next) {
    if (url.includes('@simplewebauthn')) (await import('node:fs')).writeSync(1, 'loaded ')
    return next(url, context)
  }`
  const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}')`
  const run = async (script: string) => {
    const args = ['--import', `data:text/javascript,${encodeURIComponent(register)}`, '--input-type=module', '-e', script]
    return (await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(new URL('../..', import.meta.url)) })).stdout
  }
  const serving = `import { authenticate, definePanel, passkeys, password } from 'daymark'
    const auth = { middleware: authenticate(), pipelines: [password(), passkeys()] }
    const panel = definePanel({ database: 'sqlite::memory:', resources: [], url: '${origin}', auth })
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const asked = new Request('${origin}${signsIn}/options', { method: 'POST', headers, body: '{}' })
    console.log((await panel.fetch(asked)).status, (await panel.fetch(new Request('${origin}/admin/login'))).status)`
  expect(await run(serving)).toBe('200 200\n')
  expect(await run("await import('@simplewebauthn/server')")).toMatch(/^loaded /)
}, 30_000)

describe('the settings', () => {
  const panel = (spec: Partial<PanelSpec>) => () => definePanel({ database: 'sqlite::memory:', resources: [], url: origin, auth, ...spec })
  const without = { middleware: authenticate(), pipelines: [passkeys()] }
  const first = [jwtAuth({ secret: jwtSecret }), password(), passkeys()]

  test.each<[string, Partial<PanelSpec>, string]>([
    ['no url', { url: undefined as never }, 'passkeys are made for the address of the panel: give its public URL'],
    ['an address in place of a name', { url: 'http://127.0.0.1:3000' }, 'not for the address 127.0.0.1: give http://localhost'],
    ['one of IPv6', { url: 'https://[2001:db8::1]' }, 'not for the address [2001:db8::1]'],
    ['plain http', { url: 'http://panel.example.com' }, 'over https alone, except on localhost'],
    ['no sessions', { middleware: [] }, 'passkeys() needs session() in the middleware'],
    ['tokens', { auth: { ...auth, middleware: authenticateApi() } }, 'passkeys() needs authenticate()'],
    ['no password', { auth: without }, 'passkeys() needs password() beside it'],
    ['tokens for passwords', { auth: { ...auth, pipelines: first }, middleware: [session()] }, 'passkeys() needs password() beside it'],
  ])('are refused with %s', (_, spec, text) => {
    expect(panel(spec)).toThrow(text)
  })

  test.each(['http://localhost:3000', 'http://panel.localhost', 'https://panel.example.com', 'https://panel.example.com:8443/below'])(
    'are taken with %s',
    async (url) => {
      await panel({ url })().close()
    },
  )

  test('without the package, the panel says what to install', () => {
    const { check } = passkeys() as { check: (find: (name: string) => unknown) => unknown }
    const missing = () => {
      throw Object.assign(new Error("Cannot find module '@simplewebauthn/server'"), { code: 'MODULE_NOT_FOUND' })
    }
    expect(check(missing)).toEqual({
      id: 'passkeys',
      text: 'passkeys need the package @simplewebauthn/server: npm install @simplewebauthn/server',
    })
  })
})
