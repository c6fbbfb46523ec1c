import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate, definePanel, type PanelSpec, password } from 'daymark'
import { authenticateApi } from 'daymark/jwt'
import { type OpenIdOptions, openId } from 'daymark/openid'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { documentOf } from '../../src/openapi/document.js'
import { client as clientOf, startProvider, type TestProvider } from '../support/openid-provider.js'
import { Sqlite } from '../support/sqlite.js'
import { type Ask, askPanel, cookiesOf, openWorld, secret, type World, worldsOver } from './world.js'

const origin = 'http://localhost:3000'
const begins = '/admin/authenticate/openid/test'

let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider([`${origin}${begins}/return`])
})
afterAll(() => provider.close())

const openWith = (more: Partial<OpenIdOptions> = {}, pipelines = [password()]) =>
  openWorld({
    auth: {
      middleware: authenticate(),
      pipelines: [...pipelines, openId({ id: 'test', label: 'Test', issuer: provider.issuer, ...clientOf, ...more })],
    },
  })

const page = (world: World, path: string, cookie = '', more: Partial<Ask> = {}) =>
  world.ask({ path, face: 'html', headers: { cookie }, ...more })

/** Goes to the provider, is `as` there, and comes back. */
async function signIn(world: World, as: string | null, path = begins, before = '') {
  const begun = await page(world, path, before)
  expect([begun.status, begun.headers.get('cache-control')]).toEqual([303, 'no-store'])
  const cookie = cookiesOf(begun)
  const back = await provider.visit(begun.headers.get('location') ?? '', as)
  expect(back.startsWith(`${origin}${begins}/return?`)).toBe(true)
  return { back: back.slice(origin.length), cookie, answer: await page(world, back.slice(origin.length), cookie) }
}

const me = async (world: World, cookie: string) => (await world.ask({ path: '/admin/profile', headers: { cookie } })).json.data

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  let world: World
  beforeAll(async () => {
    worldsOver(database)
    world = await openWith({ create: ['reader'] })
  })
  afterAll(async () => {
    worldsOver('sqlite')
    await world?.close()
  })
  const userOf = (username: string) => world.inside.store?.users.byUsername(username)
  const create = (username: string, roles: string[] = ['editor']) =>
    world.inside.store?.admin?.create({ username, name: username, roles, passwordHash: null })

  test('the sign-in page leads there, and the user comes back to where they wanted to go', async () => {
    await create('ada@example.com')
    provider.people.set('ada', { email: 'Ada@Example.com', email_verified: true, name: 'Ada' })
    const shown = await page(world, `/admin/login?to=${encodeURIComponent('/admin/resource/cities/crud?page=1')}`)
    const href =
      /href="(\/admin\/authenticate\/openid\/test\?to=[^"]+)"[^>]*><span class="text">Sign in with Test/.exec(shown.text)?.[1] ?? ''
    const { answer } = await signIn(world, 'ada', href.replaceAll('&amp;', '&'))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/resource/cities/crud?page=1'])
    const user = await me(world, cookiesOf(answer))
    expect([user.username, user.name, user.roles]).toEqual(['ada@example.com', 'ada@example.com', ['editor']])
    // A cookie for this browser alone, which is gone afterwards.
    const [begun = ''] = answer.headers.getSetCookie().filter((one) => one.includes('-openid='))
    expect(begun).toContain('Max-Age=0')
  })

  test('what is sent to the provider binds the answer to this browser and this sign-in', async () => {
    const begun = await page(world, begins)
    const { searchParams } = new URL(begun.headers.get('location') ?? '')
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'panel',
      response_type: 'code',
      redirect_uri: `${origin}${begins}/return`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^daymark-admin-openid=[\w-]+\.[\w-]{43}; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/),
    ])
    expect(decodeURIComponent(begun.text + begun.headers.get('location'))).not.toContain(clientOf.clientSecret)
  })

  test('a new user is made once, with the roles of new users, and is the same one the next time, whatever they are called then', async () => {
    provider.people.set('grace', { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' })
    const first = await signIn(world, 'grace')
    const made = await me(world, cookiesOf(first.answer))
    expect([made.username, made.name, made.roles]).toEqual(['grace@example.com', 'Grace Hopper', ['reader']])
    provider.people.set('grace', { email: 'admiral@example.com', email_verified: true, name: 'Admiral' })
    const again = await signIn(world, 'grace')
    expect((await me(world, cookiesOf(again.answer))).id).toBe(made.id)
    expect(await userOf('admiral@example.com')).toBe(null)
  })

  test('two tabs at once make one user', async () => {
    provider.people.set('twice', { email: 'twice@example.com', email_verified: true })
    const begun = [await page(world, begins), await page(world, begins)]
    const back = await Promise.all(begun.map((one) => provider.visit(one.headers.get('location') ?? '', 'twice')))
    const answers = await Promise.all(back.map((one, i) => page(world, one.slice(origin.length), cookiesOf(begun[i] as never))))
    const ids = await Promise.all(answers.map(async (one) => (await me(world, cookiesOf(one)))?.id))
    expect(ids[0]).toEqual(expect.any(String))
    expect(ids[1]).toBe(ids[0])
  })

  test('an address that is not verified, or belonged to somebody else, is nobody', async () => {
    await create('boss@example.com', ['admin'])
    provider.people.set('mallory', { email: 'boss@example.com', email_verified: false })
    const unverified = await signIn(world, 'mallory')
    expect(unverified.answer.status).toBe(401)
    expect(unverified.answer.text).toContain('Test knows you, but you have no access to this panel')
    expect(cookiesOf(unverified.answer)).not.toMatch(/daymark-admin=/)
    // The provider has given the address to another person.
    provider.people.set('boss', { email: 'boss@example.com', email_verified: true })
    expect((await signIn(world, 'boss')).answer.status).toBe(303)
    provider.people.set('mallory', { email: 'boss@example.com', email_verified: true })
    expect((await signIn(world, 'mallory')).answer.status).toBe(401)
  })

  test('a user who is disabled stays out, and one who was renamed or deleted is not the next of that name', async () => {
    await create('left@example.com')
    provider.people.set('left', { email: 'left@example.com', email_verified: true })
    const { answer } = await signIn(world, 'left')
    await world.inside.store?.admin?.setActive('left@example.com', false)
    expect((await world.ask({ path: '/admin/profile', headers: { cookie: cookiesOf(answer) } })).status).toBe(401)
    expect((await signIn(world, 'left')).answer.status).toBe(401)
    await world.inside.store?.admin?.setActive('left@example.com', true)
    expect((await signIn(world, 'left')).answer.status).toBe(303)
    const admin = await world.as('admin')
    const id = (await userOf('left@example.com'))?.identity.id
    const renamed = await world.ask({
      method: 'PUT',
      path: `/admin/resource/users/crud/${id}`,
      headers: admin,
      json: { username: 'left-1' },
    })
    expect(renamed.status).toBe(200)
    const after = await me(world, cookiesOf((await signIn(world, 'left')).answer))
    expect([after.username, after.id === id]).toEqual(['left@example.com', false])
  })

  test.each<[string, (begun: { back: string; cookie: string }, other: string) => { back: string; cookie: string }]>([
    ['no cookie', ({ back }) => ({ back, cookie: '' })],
    ['the cookie of another sign-in', ({ back }, other) => ({ back, cookie: other })],
    ['a changed cookie', ({ back, cookie }) => ({ back, cookie: cookie.replace(/=./, '=_') })],
    [
      'another state',
      ({ back, cookie }) => ({ back: back.replace(/state=(.)/, (_, first) => `state=${first === 'x' ? 'y' : 'x'}`), cookie }),
    ],
    ['no state', ({ back, cookie }) => ({ back: back.replace(/&?state=[^&]+/, ''), cookie })],
  ])('an answer with %s is refused before the provider is asked', async (_, change) => {
    const begun = await page(world, begins)
    const back = await provider.visit(begun.headers.get('location') ?? '', 'ada')
    const asked = provider.asked.get('/token') ?? 0
    const other = cookiesOf(await page(world, begins))
    const given = change({ back: back.slice(origin.length), cookie: cookiesOf(begun) }, other)
    const answer = await page(world, given.back, given.cookie)
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('was begun in another browser')
    expect(answer.text).toContain('Sign in with Test')
    expect(provider.asked.get('/token') ?? 0).toBe(asked)
  })

  test('a code works once, and a wrong one never; the log says why, the page does not', async () => {
    const { back, cookie } = await signIn(world, 'ada')
    world.log.length = 0
    for (const path of [back, back.replace(/code=[^&]+/, 'code=wrong')]) {
      const answer = await page(world, path, cookie)
      expect([answer.status, /The sign-in with Test did not work/.test(answer.text), /daymark-admin=/.test(cookiesOf(answer))]).toEqual([
        401,
        true,
        false,
      ])
      expect(answer.text).not.toContain('invalid_grant')
    }
    expect(world.log.map(({ path }) => path)).toEqual([`${begins}/return`, `${begins}/return`])
    expect(JSON.stringify(world.log)).not.toContain(clientOf.clientSecret)
    // An answer of another provider (RFC 9207).
    const fresh = await page(world, begins)
    const answered = await provider.visit(fresh.headers.get('location') ?? '', 'ada')
    const mixed = answered.slice(origin.length).replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://other.example')}`)
    expect((await page(world, mixed, cookiesOf(fresh))).status).toBe(401)
  })

  test('who says no at the provider is back on the page, with the way they wanted to go', async () => {
    const { answer } = await signIn(world, null, `${begins}?to=${encodeURIComponent('/admin/resource/cities/crud')}`)
    expect([answer.status, answer.text.includes('Test has not signed you in')]).toEqual([401, true])
    expect(answer.text).toContain('openid/test?to=%2Fadmin%2Fresource%2Fcities%2Fcrud"')
    expect(world.log.filter(({ message }) => message.includes('access_denied'))).toEqual([])
  })

  test('the way back leads to no other site', async () => {
    for (const to of ['https://other.example/', '//other.example', '/\\other.example']) {
      const { answer } = await signIn(world, 'ada', `${begins}?to=${encodeURIComponent(to)}`)
      expect([to, answer.headers.get('location')]).toEqual([to, '/admin'])
    }
  })

  test('Back after the sign-in does no harm', async () => {
    const { back, answer } = await signIn(world, 'ada')
    const again = await page(world, back, cookiesOf(answer))
    expect([again.status, again.headers.get('location')]).toEqual([303, '/admin'])
  })

  test('who has no password confirms by another sign-in, which counts for some minutes', async () => {
    const keyless = await openWith({ create: ['admin'] })
    provider.people.set('root', { email: 'root@example.com', email_verified: true })
    const cookie = cookiesOf((await signIn(keyless, 'root')).answer)
    const profile = await page(keyless, '/admin/profile', cookie)
    expect(profile.text).not.toContain('name="newPassword"')
    const shown = await page(keyless, '/admin/profile/two-factor', cookie)
    expect([shown.status, shown.text.includes('name="currentPassword"')]).toEqual([200, false])
    expect(profile.text).toContain('This session &#183; Test')
    const { sessions } = (await me(keyless, cookie)) as { sessions: { id: string }[] }
    expect(sessions).toHaveLength(1)
    const confirmed = (await signIn(keyless, 'root', `${begins}?anew=1`, cookie)).answer
    const headers = { cookie: cookiesOf(confirmed) }
    const { secret: key } = (await keyless.ask({ path: '/admin/profile/two-factor', headers })).json.data.setUp
    const turnOn = () => keyless.ask({ method: 'PUT', path: '/admin/profile/two-factor', headers, json: { secret: key, code: '000000' } })
    expect((await turnOn()).json.errors.code).toHaveLength(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    const late = await turnOn()
    vi.useRealTimers()
    expect([late.status, late.json.detail]).toEqual([422, 'Confirm first with Test that it is you, and do this within ten minutes'])
    await keyless.close()
  })

  test('who has no password is asked for none by the document', () => {
    const { paths } = documentOf(world.inside.house, { title: 'Test' })
    const { schema } = Object(paths)['/admin/profile/two-factor'].delete.requestBody.content['application/json']
    expect([Object.keys(schema.properties), schema.required]).toEqual([['currentPassword'], []])
  })

  test('in JSON, the sign-in names the ways', async () => {
    const { json } = await world.ask({ path: '/admin/login' })
    expect(json.data.openIds).toEqual([{ id: 'test', label: 'Test', url: begins }])
    const begun = await world.ask({ path: begins })
    expect(begun.json).toEqual({ url: expect.stringContaining(`${provider.issuer}/auth?`) })
    const back = await provider.visit(begun.json.url, 'ada')
    const done = await world.ask({ path: back.slice(origin.length), headers: { cookie: cookiesOf(begun) } })
    expect([done.status, done.json.user.username]).toEqual([200, 'ada@example.com'])
    const refused = await world.ask({ path: back.slice(origin.length) })
    expect([refused.status, refused.json.title]).toEqual([401, 'Not signed in'])
  })
})

const logout = (world: World, cookie: string, more: Partial<Ask> = {}) =>
  page(world, '/admin/logout', cookie, { method: 'POST', form: {}, headers: { cookie, origin }, ...more })

test('signing out leads to the provider, if it is to end the session there, too', async () => {
  provider.people.set('leaver', { email: 'leaver@example.com', email_verified: true })
  const world = await openWith({ create: ['reader'], signOut: true })
  const cookie = cookiesOf((await signIn(world, 'leaver')).answer)
  const answer = await logout(world, cookie)
  expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
    200,
    'no-store',
    'same-origin',
  ])
  expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^daymark-admin=; Path=\/; Max-Age=0/))
  expect((await world.ask({ path: '/admin/profile', headers: { cookie } })).status).toBe(401)
  const to = /^0; url=(.*)$/.exec(answer.headers.get('refresh') ?? '')?.[1] ?? ''
  expect(answer.text).toContain(`href="${to.replaceAll('&', '&amp;')}"`)
  expect(answer.text).toContain('Sign out of Test, too')
  const { origin: at, pathname, searchParams } = new URL(to)
  expect([at, pathname]).toEqual([provider.issuer, '/session/end'])
  const { id_token_hint: token = '', ...others } = Object.fromEntries(searchParams)
  expect(others).toEqual({ client_id: 'panel', post_logout_redirect_uri: `${origin}/admin/login` })
  expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ sub: 'leaver', aud: 'panel' })
  // The provider takes it, and leads back here once its own session has ended.
  expect((await fetch(to)).status).toBe(200)
  expect(world.log).toEqual([])
  await world.close()
})

test('whoever has changed their password meanwhile signs out there, too', async () => {
  provider.people.set('changer', { email: 'changer@example.com', email_verified: true })
  const world = await openWith({ signOut: true })
  await world.panel.ensureUser({ username: 'changer@example.com', roles: ['reader'], password: secret })
  const before = cookiesOf((await signIn(world, 'changer')).answer)
  const form = { currentPassword: secret, newPassword: 'another battery' }
  const headers = { cookie: before, 'sec-fetch-site': 'same-origin' }
  const changed = await world.ask({ method: 'PUT', path: '/admin/profile', face: 'html', headers, form })
  expect([changed.status, changed.headers.get('location')]).toEqual([303, '/admin/profile'])
  const cookie = cookiesOf(changed)
  expect([await me(world, before), (await me(world, cookie)).username]).toEqual([undefined, 'changer@example.com'])
  const left = await logout(world, cookie)
  expect([left.status, left.headers.get('refresh')]).toEqual([200, expect.stringContaining(`${provider.issuer}/session/end?`)])
  await world.close()
})

test('ending the sessions on the profile signs out there, too, if it ends the own one', async () => {
  provider.people.set('leaver', { email: 'leaver@example.com', email_verified: true })
  const world = await openWith({ create: ['reader'], signOut: true })
  const revoke = (cookie: string, id: string) =>
    logout(world, cookie, { path: `/admin/profile/sessions${id}`, form: { _method: 'DELETE' } })
  const [one, two, three] = [
    cookiesOf((await signIn(world, 'leaver')).answer),
    cookiesOf((await signIn(world, 'leaver')).answer),
    cookiesOf((await signIn(world, 'leaver')).answer),
  ]
  const { sessions } = (await me(world, one)) as { sessions: { id: string; current: boolean }[] }
  const own = sessions.find(({ current }) => current)?.id
  const { sessions: others } = (await me(world, two)) as { sessions: { id: string; current: boolean }[] }
  const other = others.find(({ current }) => current)?.id
  const elsewhere = await revoke(one, `/${other}`)
  expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([303, '/admin/profile'])
  const here = await revoke(one, `/${own}`)
  expect([here.status, here.headers.get('refresh')]).toEqual([200, expect.stringContaining(`url=${provider.issuer}/session/end?`)])
  const all = await revoke(three, '')
  expect([all.status, all.headers.get('refresh')]).toEqual([200, expect.stringContaining(`url=${provider.issuer}/session/end?`)])
  await world.close()
})

test('signing out ends the session here alone by default, in JSON, and for who came with a password', async () => {
  provider.people.set('leaver', { email: 'leaver@example.com', email_verified: true })
  for (const signOut of [undefined, false, true]) {
    const world = await openWith({ create: ['reader'], ...(signOut !== undefined && { signOut }) })
    const cookie = cookiesOf((await signIn(world, 'leaver')).answer)
    if (signOut) {
      const json = await world.ask({ method: 'POST', path: '/admin/logout', headers: { cookie }, json: {} })
      expect([json.status, json.json]).toEqual([200, { message: 'Signed out' }])
      const { answer } = await signIn(world, 'leaver', begins, (await world.as('admin')).cookie)
      expect(answer.status).toBe(303)
    }
    const left = await logout(world, signOut ? ((await world.as('admin')).cookie ?? '') : cookie)
    expect([left.status, left.headers.get('location'), left.headers.get('refresh')]).toEqual([303, '/admin/login', null])
    expect((await world.ask({ path: '/admin/profile', headers: { cookie } })).status).toBe(401)
    await world.close()
  }
})

test('whom the provider has signed in, and a code, signs out there, too; the database cannot tell as whom', async () => {
  const key = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const world = await openWith({ signOut: true })
  await world.inside.store?.admin?.create({ username: 'two@example.com', name: 'Two', roles: ['admin'], passwordHash: null })
  const id = (await world.inside.store?.users.byUsername('two@example.com'))?.identity.id ?? ''
  await world.inside.store?.users.changeTwoFactor(id, null, JSON.stringify({ secret: key, codes: [], since: new Date().toISOString() }))
  provider.people.set('two', { email: 'two@example.com', email_verified: true })
  const { answer } = await signIn(world, 'two')
  const stored = () => {
    const client = new Sqlite(world.path)
    const rows = client.prepare('select * from daymark_sessions').all()
    client.close()
    return JSON.stringify(rows)
  }
  const pending = stored()
  expect(pending).toContain('"pending"')
  const ticket = /name="ticket" value="([^"]+)"/.exec(answer.text)?.[1] ?? ''
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate()
  const done = await page(world, '/admin/authenticate/code', '', { method: 'POST', form: { ticket, code }, headers: { origin } })
  expect(done.status).toBe(303)
  const signedIn = stored()
  const left = await logout(world, cookiesOf(done))
  const leads = left.headers.get('refresh') ?? ''
  expect(left.status).toBe(200)
  expect(leads).toMatch(/session\/end\?/)
  // Head, payload and signature of the token.
  const parts = (/id_token_hint=([^&]+)/.exec(leads)?.[1] ?? '').split('.')
  expect(parts.map((part) => part.length > 20)).toEqual([true, true, true])
  for (const rows of [pending, signedIn]) for (const part of [...parts, 'session/end']) expect(rows).not.toContain(part)
  await world.close()
})

test('a provider that is away keeps nobody from signing out', async () => {
  const away = await startProvider([`${origin}${begins}/return`])
  away.people.set('ada', { email: 'ada@example.com', email_verified: true })
  const world = await openWith({ issuer: away.issuer, create: ['reader'], signOut: true })
  const begun = await page(world, begins)
  const back = await away.visit(begun.headers.get('location') ?? '', 'ada')
  const cookie = cookiesOf(await page(world, back.slice(origin.length), cookiesOf(begun)))
  await away.close()
  const left = await logout(world, cookie)
  expect([left.status, left.text.includes('You are signed out of this panel')]).toEqual([200, true])
  expect((await world.ask({ path: '/admin/profile', headers: { cookie } })).status).toBe(401)
  await world.close()
})

test('roles that the provider decides are set at each sign-in, and without any nobody gets in', async () => {
  const roles: OpenIdOptions['roles'] = ({ groups }) =>
    Array.isArray(groups) && groups.length > 0 ? groups.map((one) => String(one)) : null
  const world = await openWith({ create: [], roles, username: ({ preferred_username: name }) => name ?? null })
  provider.people.set('kim', { preferred_username: 'kim', groups: ['editor'] })
  expect((await me(world, cookiesOf((await signIn(world, 'kim')).answer))).roles).toEqual(['editor'])
  provider.people.set('kim', { preferred_username: 'kim', groups: ['admin', 'reader'] })
  const { answer } = await signIn(world, 'kim')
  expect((await me(world, cookiesOf(answer))).roles).toEqual(['admin', 'reader'])
  provider.people.set('kim', { preferred_username: 'kim', groups: [] })
  expect((await signIn(world, 'kim')).answer.status).toBe(401)
  provider.people.set('lee', { preferred_username: 'lee', groups: [] })
  expect((await signIn(world, 'lee')).answer.status).toBe(401)
  expect(await world.inside.store?.users.byUsername('lee')).toBe(null)
  await world.close()
})

test('users must exist, unless they are to be made', async () => {
  const world = await openWith()
  provider.people.set('new', { email: 'new@example.com', email_verified: true })
  expect((await signIn(world, 'new')).answer.status).toBe(401)
  expect(await world.inside.store?.users.byUsername('new@example.com')).toBe(null)
  await world.close()
})

test('a second factor is asked for, unless the provider does so', async () => {
  const stored = JSON.stringify({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', codes: [], since: new Date().toISOString() })
  for (const secondFactor of [false, true]) {
    const world = await openWith({ secondFactor })
    await world.inside.store?.admin?.create({ username: 'two@example.com', name: 'Two', roles: ['admin'], passwordHash: null })
    const account = await world.inside.store?.users.byUsername('two@example.com')
    await world.inside.store?.users.changeTwoFactor(account?.identity.id ?? '', null, stored)
    provider.people.set('two', { email: 'two@example.com', email_verified: true })
    const { answer } = await signIn(world, 'two')
    if (secondFactor) expect((await me(world, cookiesOf(answer))).username).toBe('two@example.com')
    else {
      expect([answer.status, answer.text.includes('name="ticket"'), /daymark-admin=/.test(cookiesOf(answer))]).toEqual([200, true, false])
      const ticket = /name="ticket" value="([^"]+)"/.exec(answer.text)?.[1] ?? ''
      const code = new TOTP({ secret: Secret.fromBase32('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP') }).generate()
      const done = await world.ask({ method: 'POST', path: '/admin/authenticate/code', json: { ticket, code } })
      expect([done.status, done.json.user.username]).toEqual([200, 'two@example.com'])
    }
    await world.close()
  }
})

test('who must have a second factor sets it up without a password, unless the provider asks for one', async () => {
  for (const secondFactor of [false, true]) {
    const provided = openId({ id: 'test', label: 'Test', issuer: provider.issuer, ...clientOf, create: ['admin'], secondFactor })
    const world = await openWorld({ auth: { middleware: authenticate(), pipelines: [provided], twoFactor: { required: true } } })
    provider.people.set('must', { email: 'must@example.com', email_verified: true })
    const cookie = cookiesOf((await signIn(world, 'must')).answer)
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers: { cookie } })).status).toBe(secondFactor ? 200 : 403)
    await world.close()
  }
})

test('without passwords, the page has the button alone, and JSON says so', async () => {
  const world = await openWith({}, [])
  const { text } = await page(world, '/admin/login')
  expect([/name="(?:password|username)"/.test(text), text.includes('action="/admin/authenticate"')]).toEqual([false, false])
  expect(text).toContain('class="button primary"><span class="text">Sign in with Test')
  expect((await world.ask({ path: '/admin/login' })).json.data).toEqual({
    action: null,
    fields: [],
    openIds: [{ id: 'test', label: 'Test', url: begins }],
  })
  expect((await world.ask({ method: 'POST', path: '/admin/authenticate', json: { username: 'admin', password: secret } })).status).toBe(404)
  await world.close()
})

test('a session of a provider that the panel does not take any more is none', async () => {
  const world = await openWith({ create: ['reader'] })
  provider.people.set('gone', { email: 'gone@example.com', email_verified: true })
  const cookie = cookiesOf((await signIn(world, 'gone')).answer)
  expect((await me(world, cookie)).username).toBe('gone@example.com')
  const without = definePanel({ database: `sqlite:${world.path}`, resources: [] })
  expect((await askPanel(without, { path: '/admin/profile', headers: { cookie } })).status).toBe(401)
  await without.close()
  await world.close()
})

test('a provider that is away is a 503 that says so, and back the next time', async () => {
  const away = await startProvider([`${origin}${begins}/return`])
  const world = await openWith({ issuer: away.issuer })
  await away.close()
  const answer = await page(world, begins)
  expect([answer.status, answer.headers.get('retry-after'), answer.text.includes('Test cannot be reached')]).toEqual([503, '5', true])
  expect(answer.text).toContain('name="password"')
  expect((await world.ask({ path: begins })).status).toBe(503)
  await world.close()
})

test('wrong options stop the start', async () => {
  const faults = (...all: Partial<OpenIdOptions>[]) => {
    const pipelines = all.map((spec) => openId({ id: 'test', label: 'Test', issuer: 'https://id.example', clientId: 'panel', ...spec }))
    return () => definePanel({ database: 'sqlite::memory:', resources: [], auth: { middleware: authenticate(), pipelines } })
  }
  expect(faults({})).not.toThrow()
  expect(faults({ issuer: 'http://localhost:4000' })).not.toThrow()
  expect(faults({ id: 'Test' })).toThrow(/openid {2}auth: openId\(\{ id: "Test" \}\): its id must be lower-case letters/)
  expect(faults({ label: ' ' })).toThrow('label is missing')
  expect(faults({ clientId: '' })).toThrow('clientId is missing')
  expect(faults({ issuer: undefined as never })).toThrow('issuer must be an https URL')
  for (const issuer of ['http://id.example', 'https://id.example/?a=b', 'id.example'])
    expect(faults({ issuer })).toThrow('issuer must be an https URL')
  expect(faults({ create: ['a', ''] })).toThrow('create must be a list of roles')
  expect(faults({}, {})).toThrow('two providers have the id "test"')
  const one = openId({ label: 'Test', issuer: 'https://id.example', clientId: 'panel' })
  const start = (more: Partial<PanelSpec>) => () => definePanel({ database: 'sqlite::memory:', resources: [], ...more })
  expect(start({ middleware: [], auth: { middleware: authenticate(), pipelines: [one] } })).toThrow('openId() needs session()')
  expect(start({ auth: { middleware: authenticateApi(), pipelines: [one] } })).toThrow('openId() needs authenticate()')
})

test('users of the application sign in if they exist and are active, and none is made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-openid-'))
  const database = `sqlite:${join(folder, 'clerks.db')}`
  const clerks = sqliteTable('clerks', {
    id: integer().primaryKey(),
    email: text().notNull(),
    hash: text().notNull(),
    roles: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
  })
  const client = new Sqlite(join(folder, 'clerks.db'))
  client.exec(
    'create table clerks (id integer primary key, email text not null, hash text not null, roles text not null, active integer not null)',
  )
  client.exec("insert into clerks values (1, 'cleo@example.com', '', 'admin', 1), (2, 'carl@example.com', '', 'admin', 0)")
  const users = { model: clerks, columns: { username: 'email', password: 'hash', roles: 'roles', active: 'active' } } as const
  const spec = (more: Partial<OpenIdOptions> = {}) => ({
    database,
    resources: [],
    users,
    auth: { middleware: authenticate(), pipelines: [openId({ id: 'test', label: 'Test', issuer: provider.issuer, ...clientOf, ...more })] },
  })
  for (const more of [{ create: [] }, { roles: () => [] }])
    expect(() => definePanel(spec(more))).toThrow(/openid {2}auth\.pipelines: .*your application's/)
  const panel = definePanel(spec())
  const world = { ask: (what: Ask) => askPanel(panel, what) } as World
  for (const [name, status] of [
    ['cleo', 303],
    ['carl', 401],
    ['none', 401],
  ] as const) {
    provider.people.set(name, { email: `${name}@example.com`, email_verified: true })
    const { answer } = await signIn(world, name)
    expect([name, answer.status]).toEqual([name, status])
    if (status === 303) expect((await me(world, cookiesOf(answer))).roles).toEqual(['admin'])
  }
  // Another clerk who has got the same id is not the one who had it.
  client.exec("update clerks set email = 'other@example.com' where id = 1")
  expect((await signIn(world, 'cleo')).answer.status).toBe(401)
  client.close()
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})
