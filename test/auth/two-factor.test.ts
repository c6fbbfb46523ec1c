import { authenticate, definePanel, password as passwordPipeline } from 'daymark'
import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PanelSpec } from '../../src/panel/spec.js'
import { type Answer, type Ask, askPanel, cookiesOf, openWorld, secret as password, tokenMode, type World, worldsOver } from './world.js'

const period = 30_000
const own = '/admin/profile/two-factor'

// The clock stands in the middle of a half minute, so that none begins between a code and its check.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / period) * period + period / 2 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The code of an authenticator app. Each is valid once, so those of different half minutes are used: -1, 0 and 1 are valid. */
const codeOf = (secret: string, off = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + off * period })

const open = async (twoFactor?: NonNullable<Exclude<PanelSpec['auth'], 'open'>>['twoFactor'], more: Partial<PanelSpec> = {}) => {
  const { authenticate, password: byPassword } = await import('daymark')
  const auth = { middleware: authenticate(), pipelines: [byPassword()], ...(twoFactor !== undefined && { twoFactor }) }
  return openWorld({ auth, ...more })
}

const begin = (world: World, username = 'editor', more: Partial<Ask> = {}) =>
  world.ask({ method: 'POST', path: '/admin/authenticate', json: { username, password }, ...more })

const finish = (world: World, json: Record<string, string>, more: Partial<Ask> = {}) =>
  world.ask({ method: 'POST', path: '/admin/authenticate/code', json, ...more })

/** Turns it on for a user, and returns the secret, the recovery codes and the session. The code of the current half minute is used up. */
async function turnOn(world: World, who: 'admin' | 'editor' | 'reader' = 'editor', off = 0) {
  const headers = await world.as(who)
  const { secret } = (await world.ask({ path: own, headers })).json.data.setUp
  const on = await world.ask({
    method: 'PUT',
    path: own,
    headers,
    json: { secret, code: codeOf(secret, off), currentPassword: password },
  })
  expect([on.status, on.json.message, on.json.data.on]).toEqual([200, 'Two-factor sign-in is on', true])
  return { secret: secret as string, codes: on.json.codes as string[], headers }
}

const turnOffAll = async (world: World) => {
  for (const name of ['admin', 'editor', 'reader']) {
    const account = await world.inside.store?.users.byUsername(name)
    if (account?.twoFactor) await world.inside.store?.users.changeTwoFactor(account.identity.id, account.twoFactor, null)
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

  test('a user turns it on with the code of an app, and signs in with a code from then on', async () => {
    await turnOffAll(world)
    const elsewhere = await world.as('editor')
    const { secret, codes, headers } = await turnOn(world)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    expect(codes.every((one) => /^(?:[A-Z2-7]{6}-){3}[A-Z2-7]{6}$/.test(one))).toBe(true)
    // This session goes on, every other ends.
    expect((await world.ask({ path: '/admin/profile', headers })).json.data.twoFactor).toBe(true)
    expect((await world.ask({ path: '/admin/profile', headers: elsewhere })).status).toBe(401)
    // What is secret is not sent again.
    const shown = await world.ask({ path: own, headers })
    expect(shown.json).toEqual({
      data: { on: true, required: false, since: expect.any(String), codesLeft: 10, wrongCodes: null, setUp: null },
    })
    expect(shown.headers.get('cache-control')).toBe('no-store')

    const asked = await begin(world)
    expect([asked.status, asked.headers.get('www-authenticate'), asked.headers.get('cache-control')]).toEqual([401, 'Session', 'no-store'])
    expect(asked.headers.getSetCookie()).toEqual([])
    expect(asked.json).toMatchObject({
      type: 'urn:daymark:error:unauthenticated',
      expiresIn: 600,
      ticket: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { ticket } = asked.json
    // The ticket alone is worth nothing.
    for (const given of [
      { cookie: `daymark-admin=${ticket}` },
      { cookie: `__Host-daymark-admin=${ticket}` },
      { authorization: `Bearer ${ticket}` },
    ])
      expect((await world.ask({ path: '/admin/profile', headers: given })).status).toBe(401)

    const wrong = await finish(world, { ticket, code: codeOf(secret, 5) })
    expect([wrong.status, Object.keys(wrong.json.errors), wrong.json.ticket]).toEqual([401, ['code'], undefined])
    const done = await finish(world, { ticket, code: codeOf(secret, 1) })
    expect([done.status, done.json.user.username]).toEqual([200, 'editor'])
    expect((await world.ask({ path: '/admin/profile', headers: { cookie: cookiesOf(done) } })).status).toBe(200)
    // The ticket is used up.
    expect((await finish(world, { ticket, code: codeOf(secret, -1) })).json.message).toBe('The sign-in took too long. Begin again')
  })

  test('each code is valid once, and for its half minute, the one before and the one after', async () => {
    await turnOffAll(world)
    const { secret } = await turnOn(world)
    const attempt = async (off: number) => {
      const { ticket } = (await begin(world)).json
      return (await finish(world, { ticket, code: codeOf(secret, off) })).status
    }
    // That of the current half minute has turned it on.
    expect(await attempt(0)).toBe(401)
    expect(await attempt(1)).toBe(200)
    expect(await attempt(1)).toBe(401)
    expect(await attempt(-1)).toBe(200)
    expect([await attempt(-1), await attempt(-3), await attempt(3)]).toEqual([401, 401, 401])
  })

  test('of many uses of a code at once, one signs in', async () => {
    await turnOffAll(world)
    const { secret, codes } = await turnOn(world, 'admin')
    for (const code of [{ code: codeOf(secret, 1) }, { recoveryCode: codes[0] as string }]) {
      const tickets = await Promise.all([1, 2, 3].map(async () => (await begin(world, 'admin')).json.ticket as string))
      const all = await Promise.all(tickets.map((ticket) => finish(world, { ticket, ...code })))
      expect(all.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    }
  })

  test('a recovery code signs in once, however it is typed, and new ones make the old ones void', async () => {
    await turnOffAll(world)
    const { codes, headers } = await turnOn(world)
    const by = async (recoveryCode: string) => {
      const { ticket } = (await begin(world)).json
      return finish(world, { ticket, recoveryCode })
    }
    const [first = '', second = '', third = ''] = codes
    expect((await by(first.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    const again = await by(first)
    expect([again.status, Object.keys(again.json.errors)]).toEqual([401, ['recoveryCode']])
    expect((await world.ask({ path: own, headers })).json.data.codesLeft).toBe(9)
    const { since } = (await world.ask({ path: own, headers })).json.data
    vi.setSystemTime(Date.now() + 1000)
    const made = await world.ask({ method: 'POST', path: `${own}/codes`, headers, json: { currentPassword: password } })
    expect([made.status, made.json.codes.length, made.json.data.codesLeft]).toEqual([200, 10, 10])
    // It has been on since then all the same.
    expect(made.json.data.since).toBe(since)
    expect((await by(second)).status).toBe(401)
    expect((await by(made.json.codes[0])).status).toBe(200)
    expect((await by(third)).status).toBe(401)
    // What waits for a code is not counted among the sessions that end.
    await turnOffAll(world)
    const { headers: last } = await turnOn(world, 'reader')
    await begin(world, 'reader')
    const ended = await world.ask({ method: 'DELETE', path: '/admin/profile/sessions', headers: last })
    expect(ended.json.message).toBe('Signed out')
  })

  test('to change it takes the password; to turn it on takes a right code for a real secret', async () => {
    await turnOffAll(world)
    const headers = await world.as('editor')
    const { secret } = (await world.ask({ path: own, headers })).json.data.setUp
    const put = (json: Record<string, string>) => world.ask({ method: 'PUT', path: own, headers, json })
    const wrong = async (json: Record<string, string>) => {
      const { status, json: body } = await put(json)
      return [status, Object.keys(body.errors ?? {})]
    }
    expect(await wrong({ secret, code: codeOf(secret) })).toEqual([422, ['currentPassword']])
    expect(await wrong({ secret, code: codeOf(secret), currentPassword: 'not the password' })).toEqual([422, ['currentPassword']])
    expect(await wrong({ secret, code: '', currentPassword: '' })).toEqual([422, ['code', 'currentPassword']])
    expect(await wrong({ secret, code: codeOf(secret, 4), currentPassword: password })).toEqual([422, ['code']])
    for (const bad of ['', 'AAAA', `${secret.slice(1)}!`, 'A'.repeat(200)])
      expect(await wrong({ secret: bad, code: '123456', currentPassword: password })).toEqual([422, ['secret']])
    expect(await wrong({ secret, code: codeOf(secret), currentPassword: password, unknown: 'x' })).toEqual([422, ['unknown']])
    expect((await world.ask({ path: own, headers })).json.data.on).toBe(false)
    expect((await world.ask({ method: 'DELETE', path: own, headers, json: { currentPassword: password } })).status).toBe(409)
    // Nothing of it has used the code up.
    expect((await put({ secret, code: codeOf(secret), currentPassword: password })).status).toBe(200)
    expect((await put({ secret, code: codeOf(secret, 1), currentPassword: password })).status).toBe(409)
    const off = await world.ask({ method: 'DELETE', path: own, headers, json: { currentPassword: 'not the password' } })
    expect([off.status, Object.keys(off.json.errors)]).toEqual([422, ['currentPassword']])
    expect((await world.ask({ method: 'POST', path: `${own}/codes`, headers, json: {} })).status).toBe(422)
    const done = await world.ask({ method: 'DELETE', path: own, headers, json: { currentPassword: password } })
    expect([done.status, done.json.message, done.json.data.on]).toEqual([200, 'Two-factor sign-in is off', false])
    expect((await begin(world)).status).toBe(200)
  })

  test('who has the password has five codes to guess in a quarter of an hour, from all addresses together', async () => {
    await turnOffAll(world)
    const { secret, codes } = await turnOn(world, 'reader')
    const guess = async (n: number, json: Record<string, string>) => {
      const { ticket } = (await begin(world, 'reader', { peer: `198.51.100.${n}` })).json
      return finish(world, { ticket, ...json }, { peer: `198.51.100.${n}` })
    }
    for (let n = 1; n <= 5; n++) expect((await guess(n, { code: '000000' })).status).toBe(401)
    const late = await guess(6, { code: codeOf(secret, 1) })
    expect([late.status, Number(late.headers.get('retry-after')) > 800]).toEqual([429, true])
    expect(late.json.message).toBe('Too many wrong codes. Try again in 15 minutes, or use a recovery code')
    // Nobody can guess a recovery code: whoever floods the others does not keep the user out.
    for (let n = 7; n <= 16; n++) expect((await guess(n, { recoveryCode: 'AAAAAA-AAAAAA' })).status).toBe(401)
    expect((await guess(17, { recoveryCode: codes[0] as string })).status).toBe(200)
    expect((await guess(18, { code: codeOf(secret, 1) })).status).toBe(200)
    // Others are not affected.
    const editor = await turnOn(world)
    expect((await finish(world, { ticket: (await begin(world)).json.ticket, code: codeOf(editor.secret, 1) })).status).toBe(200)
  })

  test('fifty wrong codes are the most between two sign-ins; then a recovery code or another password helps', async () => {
    await turnOffAll(world)
    const { secret, codes } = await turnOn(world, 'reader', -1)
    const shownTo = async (signedIn: Answer) =>
      (await world.ask({ path: own, headers: { cookie: cookiesOf(signedIn) } })).json.data.wrongCodes
    const guess = async (json: Record<string, string>) => {
      const { ticket } = (await begin(world, 'reader')).json
      vi.setSystemTime(Date.now() + 1000)
      return finish(world, { ticket, ...json })
    }
    // Of another half minute than those that are right.
    const guessMany = async (count: number) => {
      for (let n = 0; n < count; n++) {
        vi.setSystemTime(Date.now() + 4 * 60_000)
        expect((await guess({ code: codeOf(secret, -9) })).json.errors).toEqual({ code: [expect.stringContaining('This code is wrong')] })
      }
      return new Date().toISOString()
    }
    // What cannot be a code is no guess.
    expect((await guess({ code: '12345' })).status).toBe(401)
    const before = await guessMany(49)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const right = await guess({ code: codeOf(secret) })
    expect([right.status, right.json.wrongCodes]).toEqual([200, { count: 49, last: before }])
    // The user is told once, and can look at it later, too.
    expect(await shownTo(right)).toEqual({ count: 49, last: before })
    vi.setSystemTime(Date.now() + 5 * period)
    const again = await guess({ code: codeOf(secret) })
    expect([again.status, again.json.wrongCodes, await shownTo(again)]).toEqual([200, undefined, { count: 49, last: before }])

    const last = await guessMany(50)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const refused = async () => (await guess({ code: codeOf(secret) })).json
    expect(await refused()).toMatchObject({
      status: 401,
      errors: { code: [expect.stringMatching(/^Too many wrong codes came with your/)] },
    })
    // Nor does it ever say that waiting helps.
    for (let n = 0; n < 6; n++)
      expect((await refused()).errors).toEqual({ code: [expect.stringMatching(/^Too many wrong codes came with/)] })
    vi.setSystemTime(Date.now() + 400 * 86_400_000)
    expect((await refused()).errors).toHaveProperty('code')
    const { ticket } = (await begin(world, 'reader')).json
    const page = await world.ask({
      method: 'POST',
      path: '/admin/authenticate/code',
      face: 'html',
      headers: { 'sec-fetch-site': 'same-origin' },
      form: { ticket, code: codeOf(secret) },
    })
    expect([page.status, page.text]).toEqual([401, expect.stringContaining('Use a recovery code, or ask an administrator')])
    vi.setSystemTime(Date.now() + 1000)
    const recovered = await finish(world, { ticket, recoveryCode: codes[2] as string })
    expect([recovered.status, recovered.json.codesLeft, recovered.json.wrongCodes]).toEqual([200, 9, { count: 50, last }])
    vi.setSystemTime(Date.now() + 16 * 60_000)
    expect((await guess({ code: codeOf(secret) })).status).toBe(200)

    await guessMany(50)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    expect((await refused()).errors).toHaveProperty('code')
    // Whoever knew the old password has to begin again.
    const { users } = world.inside.store as NonNullable<typeof world.inside.store>
    const account = await users.byUsername('reader')
    await world.panel.ensureUser({ username: 'reader', roles: ['reader'], password: 'another-password-1' })
    try {
      const begun = await world.ask({
        method: 'POST',
        path: '/admin/authenticate',
        json: { username: 'reader', password: 'another-password-1' },
      })
      const done = await finish(world, { ticket: begun.json.ticket, code: codeOf(secret) })
      expect([done.status, done.json.wrongCodes, await shownTo(done)]).toEqual([200, undefined, null])
    } finally {
      await users.change(account?.identity.id as string, { passwordHash: account?.passwordHash as string })
    }
  })

  test('wrong codes that come at once count each; whoever mistypes their own is not told of it', async () => {
    await turnOffAll(world)
    const { secret, headers } = await turnOn(world, 'admin', -1)
    const told = async () => (await world.ask({ path: own, headers })).json.data.wrongCodes
    const { ticket } = (await begin(world, 'admin')).json
    const at = new Date().toISOString()
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => finish(world, { ticket, code: codeOf(secret, 7) })))
    expect(all.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(await told()).toEqual({ count: 5, last: at })
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const late = (await begin(world, 'admin')).json.ticket
    const done = await finish(world, { ticket: late, code: codeOf(secret) }, { face: 'html' })
    expect([done.status, done.headers.getSetCookie().some((one) => one.includes('flash'))]).toEqual([303, true])
    const seen = await world.ask({ path: '/admin/profile/two-factor', face: 'html', headers: { cookie: cookiesOf(done) } })
    expect(seen.text).toContain('Before this sign-in, wrong codes came with your password: 5, the last one on ')
    expect(seen.text).toContain('5, the last one on')

    vi.setSystemTime(Date.now() + 5 * period)
    const own2 = (await begin(world, 'admin')).json.ticket
    vi.setSystemTime(Date.now() + 1000)
    expect((await finish(world, { ticket: own2, code: codeOf(secret, 7) })).status).toBe(401)
    const mine = await finish(world, { ticket: own2, code: codeOf(secret) })
    expect([mine.status, mine.json.wrongCodes]).toEqual([200, undefined])
    // What was told before stays to be seen.
    expect(await told()).toEqual({ count: 5, last: at })
  })

  test('of many uses of a ticket at once, one signs in', async () => {
    await turnOffAll(world)
    const { codes } = await turnOn(world)
    const { ticket } = (await begin(world)).json
    const all = await Promise.all([0, 1, 2].map((i) => finish(world, { ticket, recoveryCode: codes[i] as string })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test('a right code that is sent twice is refused, and no wrong one', async () => {
    await turnOffAll(world)
    const { secret } = await turnOn(world)
    const { ticket: first } = (await begin(world)).json
    const { ticket: second } = (await begin(world)).json
    const both = await Promise.all([first, second].map((ticket) => finish(world, { ticket, code: codeOf(secret, 1) })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    vi.setSystemTime(Date.now() + 3 * period)
    const { ticket } = (await begin(world)).json
    vi.setSystemTime(Date.now() + 1000)
    expect((await finish(world, { ticket, code: codeOf(secret, -2) })).status).toBe(401)
    const cookie = cookiesOf(await finish(world, { ticket, code: codeOf(secret) }))
    expect((await world.ask({ path: own, headers: { cookie } })).json.data.wrongCodes).toBeNull()
  })

  test('a sign-in with the password alone is worth nothing once a code is needed, whichever came first', async () => {
    await turnOffAll(world)
    const store = world.inside.store as NonNullable<typeof world.inside.store>
    const early = await world.as('editor', true)
    // As two requests at once leave it: the session begins when those of its user have just ended.
    const { id } = ((await store.users.byUsername('editor')) as { identity: { id: string } }).identity
    const removeOf = vi.spyOn(store.sessions, 'removeOf').mockResolvedValueOnce(0)
    const { headers } = await turnOn(world)
    removeOf.mockRestore()
    expect((await store.sessions.of(id)).length).toBeGreaterThan(1)
    expect((await world.ask({ path: '/admin/profile', headers: early })).status).toBe(401)
    const page = await world.ask({ path: '/admin/profile', headers: early, face: 'html' })
    expect([page.status, page.headers.get('location')]).toEqual([302, '/admin/login?to=%2Fadmin%2Fprofile'])
    expect((await world.ask({ path: '/admin/profile', headers })).status).toBe(200)
  })

  test('turning it off ends the other sessions of the user, and this one goes on', async () => {
    await turnOffAll(world)
    const { secret, headers } = await turnOn(world)
    const elsewhere = {
      cookie: cookiesOf(await finish(world, { ticket: (await begin(world)).json.ticket, code: codeOf(secret, 1) })),
    }
    const reads = async (headers: Record<string, string>) => (await world.ask({ path: '/admin/profile', headers })).status
    expect([await reads(headers), await reads(elsewhere)]).toEqual([200, 200])
    const off = await world.ask({ method: 'DELETE', path: own, headers, json: { currentPassword: password } })
    expect(off.status).toBe(200)
    expect([await reads(headers), await reads(elsewhere)]).toEqual([200, 401])
    expect((await world.ask({ path: '/admin/profile', headers })).json.data.sessions).toHaveLength(1)
  })

  test('a ticket is void once the password has changed, the user is disabled, or ten minutes are over', async () => {
    await turnOffAll(world)
    const { secret } = await turnOn(world)
    const { users } = world.inside.store as NonNullable<typeof world.inside.store>
    const { identity } = (await users.byUsername('editor')) as NonNullable<Awaited<ReturnType<typeof users.byUsername>>>
    const { ticket: early } = (await begin(world)).json
    await world.inside.store?.admin?.setActive('editor', false)
    expect((await finish(world, { ticket: early, code: codeOf(secret, 1) })).status).toBe(401)
    await world.inside.store?.admin?.setActive('editor', true)
    expect((await finish(world, { ticket: early, code: codeOf(secret, 1) })).status).toBe(401)
    const { ticket } = (await begin(world)).json
    const account = await users.byId(identity.id)
    await users.change(identity.id, { passwordHash: '$argon2id$other' })
    expect((await finish(world, { ticket, code: codeOf(secret, 1) })).status).toBe(401)
    await users.change(identity.id, { passwordHash: account?.passwordHash as string })
    const now = Date.now()
    vi.setSystemTime(now + 601_000)
    try {
      expect((await finish(world, { ticket, code: codeOf(secret) })).status).toBe(401)
    } finally {
      vi.setSystemTime(now)
    }
    expect((await finish(world, { ticket, code: codeOf(secret, 1) })).status).toBe(200)
    // What waits for a code is no session of the user.
    const { headers } = {
      headers: { cookie: cookiesOf(await finish(world, { ticket: (await begin(world)).json.ticket, code: codeOf(secret, -1) })) },
    }
    await begin(world)
    expect(
      (await world.ask({ path: '/admin/profile', headers })).json.data.sessions.every((one: { kind: string }) => one.kind === 'browser'),
    ).toBe(true)
  })

  test('bad input is refused by name, and never with a 500', async () => {
    const send = (json: unknown) => world.ask({ method: 'POST', path: '/admin/authenticate/code', json })
    expect((await send({})).status).toBe(401)
    expect((await send({ ticket: 'x', code: 1 })).status).toBe(422)
    expect((await send({ ticket: ['x'] })).status).toBe(422)
    expect((await send({ ticket: 'x'.repeat(5000), code: '1' })).status).toBe(401)
    expect((await send({ ticket: 'x', username: 'editor' })).json.errors).toHaveProperty('username')
    await turnOffAll(world)
    await turnOn(world)
    const { ticket } = (await begin(world)).json
    const none = await send({ ticket })
    expect([none.status, none.json.errors]).toEqual([422, { code: ['Code is required'] }])
    for (const code of ['12345', '1234567', 'abcdef', '１２３４５６', '12 34 5', `${'1'.repeat(4000)}`])
      expect([401, 429]).toContain((await send({ ticket, code })).status)
  })

  test('an administrator sees who has it and turns it off for others; its secret is shown nowhere', async () => {
    await turnOffAll(world)
    const { secret, headers: theirs } = await turnOn(world)
    const admin = await world.as('admin')
    const list = '/admin/resource/users/crud'
    const { json } = await world.ask({ path: `${list}?sort=username`, headers: admin })
    const known = json.data.map((one: { username: string; twoFactor: boolean | null }) => [one.username, one.twoFactor])
    expect(known).toEqual(
      expect.arrayContaining([
        ['admin', null],
        ['editor', true],
      ]),
    )
    const filtered = await world.ask({ path: `${list}?filter[twoFactor][null]=0`, headers: admin })
    expect(filtered.json.data.map((one: { username: string }) => one.username)).toEqual(['editor'])
    const { id } = filtered.json.data[0]
    for (const path of [
      `${list}/${id}`,
      list,
      '/admin/resource/users/export',
      `${list}?filter[twoFactor]=x`,
      `/admin/resource/users/form-page/${id}`,
    ])
      for (const face of ['json', 'html'] as const) expect((await world.ask({ path, face, headers: admin })).text).not.toContain(secret)
    // It can be sent back as it was read, and not be turned on.
    const put = (user: number, json: object) => world.ask({ method: 'PUT', path: `${list}/${user}`, headers: admin, json })
    expect((await put(id, { name: 'Ed', twoFactor: true })).status).toBe(200)
    const self = json.data.find((one: { username: string }) => one.username === 'admin').id
    expect((await put(self, { twoFactor: true })).status).toBe(422)
    expect((await put(id, { twoFactor: null })).status).toBe(422)

    const off = (ids: number[], headers: Record<string, string>) =>
      world.ask({ method: 'POST', path: '/admin/resource/users/handler/twoFactorOff', headers, json: { ids } })
    expect((await off([id], await world.as('reader'))).status).toBe(403)
    expect((await world.ask({ path: '/admin/profile', headers: theirs })).status).toBe(200)
    const done = await off([id], admin)
    // Whoever asked for it may not be who is signed in.
    expect((await world.ask({ path: '/admin/profile', headers: theirs })).status).toBe(401)
    expect([done.status, done.json.message]).toEqual([200, 'Two-factor sign-in is off for editor'])
    expect((await begin(world)).status).toBe(200)
    const { headers: own } = await turnOn(world, 'admin')
    // One's own is turned off on the profile.
    expect((await off([self], own)).json.errors).toEqual({ twoFactor: ['Turn your own off on your profile'] })
    expect((await world.ask({ path: `${list}/${self}`, face: 'html', headers: own })).text).not.toContain('handler/twoFactorOff')
    const signedIn = await finish(world, { ticket: (await begin(world, 'admin')).json.ticket, recoveryCode: 'x' })
    expect(signedIn.status).toBe(401)
  })
})

describe('a panel that requires it', () => {
  let world: World
  beforeAll(async () => {
    world = await open({ required: ['editor'] })
  })
  afterAll(() => world?.close())

  test('lets users do nothing else until they have set it up', async () => {
    const headers = await world.as('editor')
    const ask = (path: string, more: Partial<Ask> = {}) => world.ask({ path, headers, ...more })
    const paths = [
      '/admin',
      '/admin/profile',
      '/admin/resource/cities/crud',
      '/admin/palette',
      '/admin/preferences',
      '/admin/profile/two-factor/codes',
    ]
    for (const path of paths) {
      const method = path.endsWith('codes') ? 'POST' : 'GET'
      const json = method === 'POST' ? { json: { currentPassword: password } } : {}
      const refused = await ask(path, { method, ...json })
      expect([path, refused.status, refused.json.message]).toEqual([path, 403, 'Your account needs two-factor sign-in. Set it up first'])
      const page = await ask(path, { method, ...(method === 'POST' && { form: { currentPassword: password } }), face: 'html' })
      expect([path, page.status]).toEqual([path, method === 'GET' ? 302 : 303])
      expect(page.headers.get('location')).toMatch(/^\/admin\/profile\/two-factor/)
    }
    const write = await ask('/admin/resource/cities/crud', { method: 'POST', json: { name: 'X' } })
    expect(write.status).toBe(403)
    const spelled = await ask(own, {
      method: 'POST',
      face: 'html',
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      form: { _method: 'DELETE', currentPassword: password },
    })
    expect([spelled.status, spelled.headers.get('location')]).toEqual([303, own])
    expect((await ask('/admin/health')).status).toBe(200)

    const { data } = (await ask(own)).json
    expect([data.on, data.required]).toEqual([false, true])
    const page = await ask(own, { face: 'html' })
    expect(page.status).toBe(200)
    // Nothing of the panel around it, and no password again: it has just been given.
    for (const text of ['Cities', '/admin/resource/', 'currentPassword']) expect(page.text).not.toContain(text)
    const { secret } = data.setUp
    const on = await ask(own, { method: 'PUT', json: { secret, code: codeOf(secret) } })
    expect(on.status).toBe(200)
    expect((await ask('/admin/resource/cities/crud')).status).toBe(200)
    const off = await ask(own, { method: 'DELETE', json: { currentPassword: password } })
    expect([off.status, off.json.message]).toEqual([403, 'Your account needs two-factor sign-in, so it cannot be turned off'])

    const done = await finish(world, { ticket: (await begin(world)).json.ticket, code: codeOf(secret, 1) })
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers: { cookie: cookiesOf(done) } })).status).toBe(200)
  })

  test('asks nothing of the others, until they get such a role', async () => {
    const headers = await world.as('reader')
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers })).status).toBe(200)
    const admin = await world.as('admin')
    const { json } = await world.ask({ path: '/admin/resource/users/crud?filter[username]=reader', headers: admin })
    const change = (roles: string[]) =>
      world.ask({ method: 'PATCH', path: `/admin/resource/users/crud/${json.data[0].id}`, headers: admin, json: { roles } })
    expect((await change(['reader', 'editor'])).status).toBe(200)
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers })).status).toBe(403)
    // Whoever has found a session that is not new cannot take the account over by it.
    const { secret } = (await world.ask({ path: own, headers })).json.data.setUp
    const now = Date.now()
    vi.setSystemTime(now + 601_000)
    const on = await world.ask({ method: 'PUT', path: own, headers, json: { secret, code: codeOf(secret) } })
    expect([on.status, Object.keys(on.json.errors)]).toEqual([422, ['currentPassword']])
    expect((await world.ask({ path: own, headers, face: 'html' })).text).toContain('name="currentPassword"')
    vi.setSystemTime(now)
    await change(['reader'])
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers })).status).toBe(200)
  })

  test('has nothing of a factor that was turned off', async () => {
    const all = await open({ required: ['editor'] })
    try {
      const { headers } = await turnOn(all, 'reader')
      expect((await all.ask({ method: 'DELETE', path: own, headers, json: { currentPassword: password } })).status).toBe(200)
      const admin = await all.as('admin')
      const idOf = async (name: string) =>
        (await all.ask({ path: `/admin/resource/users/crud?filter[username]=${name}`, headers: admin })).json.data[0].id
      const path = `/admin/resource/users/crud/${await idOf('reader')}`
      expect((await all.ask({ method: 'PATCH', path, headers: admin, json: { roles: ['editor'] } })).status).toBe(200)
      expect((await all.ask({ path: '/admin/resource/cities/crud', headers })).status).toBe(403)

      const fresh = await all.as('editor')
      const { secret } = (await all.ask({ path: own, headers: fresh })).json.data.setUp
      expect((await all.ask({ method: 'PUT', path: own, headers: fresh, json: { secret, code: codeOf(secret) } })).status).toBe(200)
      expect((await all.ask({ path: '/admin/resource/cities/crud', headers: fresh })).status).toBe(200)
      const json = { ids: [await idOf('editor')] }
      expect((await all.ask({ method: 'POST', path: '/admin/resource/users/handler/twoFactorOff', headers: admin, json })).status).toBe(200)
      expect((await all.ask({ path: '/admin/resource/cities/crud', headers: fresh })).status).toBe(401)
      expect((await all.ask({ path: '/admin/resource/cities/crud', headers: await all.as('editor') })).status).toBe(403)
      // Nor is it worth something again once no codes are asked for at all.
      const without = definePanel({
        database: `sqlite:${all.path}`,
        resources: [],
        auth: { middleware: authenticate(), pipelines: [passwordPipeline()], twoFactor: false },
      })
      expect((await askPanel(without, { path: '/admin/profile', headers: fresh })).status).toBe(401)
      await without.close()
    } finally {
      await all.close()
    }
  })

  test('takes the password of whoever has not just signed in, and may get it from everybody', async () => {
    const all = await open({ required: true })
    try {
      const headers = await all.as('editor', true)
      const set = async (more: Record<string, string> = {}) => {
        const { secret } = (await all.ask({ path: own, headers })).json.data.setUp
        return all.ask({ method: 'PUT', path: own, headers, json: { secret, code: codeOf(secret), ...more } })
      }
      vi.setSystemTime(Date.now() + 601_000)
      const page = await all.ask({ path: own, headers, face: 'html' })
      expect(page.text).toContain('name="currentPassword"')
      const refused = await set()
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['currentPassword']])
      expect((await set({ currentPassword: 'not the password' })).status).toBe(422)
      expect((await set({ currentPassword: password })).status).toBe(200)
      const reader = await all.as('reader')
      const { secret } = (await all.ask({ path: own, headers: reader })).json.data.setUp
      const json = { secret, code: codeOf(secret), currentPassword: password }
      expect((await all.ask({ method: 'PUT', path: own, headers: reader, json })).status).toBe(200)
    } finally {
      await all.close()
    }
  })

  test('of everybody: leads a person to the set-up and from there to where they were going', async () => {
    const all = await open({ required: true })
    try {
      const headers = await all.as('reader')
      const led = await all.ask({ path: '/admin/resource/cities/crud?sort=name', headers, face: 'html' })
      const at = led.headers.get('location') as string
      expect(at).toBe('/admin/profile/two-factor?to=%2Fadmin%2Fresource%2Fcities%2Fcrud%3Fsort%3Dname')
      const page = await all.ask({ path: at, headers, face: 'html' })
      const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''
      const secret = hidden('secret')
      const form = { _method: 'PUT', secret, _token: hidden('_token'), _to: '/admin/resource/cities/crud?sort=name' }
      const wrong = await all.ask({ method: 'POST', path: own, headers, face: 'html', form: { ...form, code: '' } })
      expect([wrong.status, wrong.text.includes(secret), wrong.text.includes('Code is required')]).toEqual([422, true, true])
      const done = await all.ask({ method: 'POST', path: own, headers, face: 'html', form: { ...form, code: codeOf(secret) } })
      expect(done.status).toBe(200)
      expect(done.text).toContain('href="/admin/resource/cities/crud?sort=name"')
      // To read, and in the link that saves them.
      const codes = done.text.match(/(?:[A-Z2-7]{6}-){3}[A-Z2-7]{6}/g) ?? []
      expect([codes.length, new Set(codes).size]).toEqual([20, 10])
      expect(done.text).not.toContain(secret)
      // Elsewhere than on this host nobody is led.
      const away = await all.ask({ path: `${own}?to=https://example.org/`, headers, face: 'html' })
      expect(away.text).not.toContain('example.org')
    } finally {
      await all.close()
    }
  })
})

describe('on pages', () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world?.close())

  test('the second step keeps where one was going, and says what is wrong', async () => {
    const { secret, codes } = await turnOn(world)
    const form = { username: 'editor', password, remember: '1', _to: '/admin/resource/cities/crud' }
    const guest = await world.ask({ path: '/admin/login', face: 'html' })
    const cookie = cookiesOf(guest)
    const token = /name="_token" value="([^"]*)"/.exec(guest.text)?.[1] ?? ''
    const send = (path: string, form: Record<string, string>) =>
      world.ask({ method: 'POST', path, face: 'html', headers: { cookie }, form: { ...form, _token: token } })
    const asked = await send('/admin/authenticate', form)
    expect([asked.status, asked.text.includes('Signing in as editor'), asked.text.includes(password)]).toEqual([200, true, false])
    const ticket = /name="ticket" value="([^"]*)"/.exec(asked.text)?.[1] ?? ''
    const to = { ticket, _to: '/admin/resource/cities/crud' }
    const wrong = await send('/admin/authenticate/code', { ...to, code: '000000', recoveryCode: '' })
    expect([wrong.status, wrong.text.includes(`name="ticket" value="${ticket}"`), /<details[^>]* open/.test(wrong.text)]).toEqual([
      401,
      true,
      false,
    ])
    const lost = await send('/admin/authenticate/code', { ...to, code: '', recoveryCode: 'AAAA' })
    expect([lost.status, /<details[^>]* open/.test(lost.text)]).toEqual([401, true])
    const done = await send('/admin/authenticate/code', { ...to, code: '', recoveryCode: codes[0] as string })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/admin/resource/cities/crud'])
    // Remembered, as was asked in the first step.
    expect(done.headers.getSetCookie().find((one) => one.includes('daymark-admin='))).toContain('Max-Age=2592000')
    const page = await world.ask({ path: '/admin/resource/cities/crud', face: 'html', headers: { cookie: cookiesOf(done) } })
    expect(page.text).toContain('You used a recovery code. Left: 9')
    const gone = await send('/admin/authenticate/code', { ...to, code: codeOf(secret, 1) })
    expect([gone.status, gone.text.includes('The sign-in took too long'), gone.text.includes('name="password"')]).toEqual([401, true, true])

    // Turned off in the meantime: a code is no use any more.
    const again = await send('/admin/authenticate', form)
    await turnOffAll(world)
    const late = { ticket: /name="ticket" value="([^"]*)"/.exec(again.text)?.[1] ?? '', code: codeOf(secret, 1) }
    expect((await send('/admin/authenticate/code', late)).text).toContain('name="password"')
  })
})

test('tokens: the second step gets them, and they stand for a sign-in with a code', async () => {
  const world = await openWorld({ ...tokenMode(), auth: { ...(tokenMode().auth as object), twoFactor: { required: ['editor'] } } as never })
  try {
    const { token } = (await begin(world)).json
    const headers = { authorization: `Bearer ${token}` }
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers })).status).toBe(403)
    const { secret } = (await world.ask({ path: own, headers })).json.data.setUp
    expect((await world.ask({ method: 'PUT', path: own, headers, json: { secret, code: codeOf(secret) } })).status).toBe(200)
    expect((await world.ask({ path: '/admin/resource/cities/crud', headers })).status).toBe(200)
    const asked = await begin(world)
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    const done = await finish(world, { ticket: asked.json.ticket, code: codeOf(secret, 1) })
    expect(done.json).toMatchObject({ tokenType: 'Bearer', refreshToken: expect.any(String) })
    const refreshed = await world.ask({ method: 'POST', path: '/admin/refresh', json: { refreshToken: done.json.refreshToken } })
    expect(
      (await world.ask({ path: '/admin/resource/cities/crud', headers: { authorization: `Bearer ${refreshed.json.token}` } })).status,
    ).toBe(200)
  } finally {
    await world.close()
  }
})

test('tokens of a sign-in without a code are worth nothing once the user has it on, nor can they be refreshed', async () => {
  const world = await openWorld(tokenMode())
  try {
    const early = (await begin(world)).json
    const store = world.inside.store as NonNullable<typeof world.inside.store>
    const removeOf = vi.spyOn(store.sessions, 'removeOf').mockResolvedValueOnce(0)
    const { headers } = await turnOn(world)
    removeOf.mockRestore()
    const status = async (authorization: string) => (await world.ask({ path: '/admin/profile', headers: { authorization } })).status
    expect([await status(`Bearer ${early.token}`), await status(headers.authorization as string)]).toEqual([401, 200])
    const refresh = { method: 'POST', path: '/admin/refresh', json: { refreshToken: early.refreshToken } }
    expect((await world.ask(refresh)).status).toBe(401)
  } finally {
    await world.close()
  }
})

describe('what is stored', () => {
  const key = Buffer.alloc(32, 1).toString('base64')
  const other = Buffer.alloc(40, 2).toString('base64')
  const stored = async (world: World) => (await world.inside.store?.users.byUsername('editor'))?.twoFactor as string

  test('is encrypted with a key, read with an earlier one, and never replaced by a guess', async () => {
    const world = await open({ key })
    const database = `sqlite:${world.path}`

    try {
      const { secret, codes } = await turnOn(world)
      expect(await stored(world)).toMatch(/^eyJ/)
      expect(await stored(world)).not.toContain(secret)
      const { authenticate, definePanel, password: byPassword, usersResource } = await import('daymark')
      const signIn = async (twoFactor: object, code: Record<string, string>) => {
        const panel = definePanel({
          database,
          resources: [usersResource()],
          auth: { middleware: authenticate(), pipelines: [byPassword()], twoFactor },
          log: () => {},
        })
        const { askPanel } = await import('./world.js')
        const asked = await askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username: 'editor', password } })
        const answer = await askPanel(panel, {
          method: 'POST',
          path: '/admin/authenticate/code',
          json: { ticket: asked.json.ticket, ...code },
        })
        await panel.close()
        return answer.status
      }
      expect(await signIn({ key: other, previousKeys: [key] }, { recoveryCode: codes[0] as string })).toBe(200)
      // It has been encrypted with the new key.
      expect(await signIn({ key: other }, { recoveryCode: codes[1] as string })).toBe(200)
      expect(await signIn({ key }, { recoveryCode: codes[2] as string })).toBe(503)
      expect(await signIn({}, { code: codeOf(secret, 1) })).toBe(503)
    } finally {
      await world.close()
    }
  })

  test('lets nobody in where it is damaged, says so to the user and whose it is in the log, and may be turned off by others', async () => {
    const entries: string[] = []
    const { usersResource } = await import('daymark')
    const world = await open({}, { log: ({ message }) => entries.push(message), resources: [usersResource()] })
    try {
      const { secret } = await turnOn(world)
      const users = world.inside.store?.users
      const id = (await users?.byUsername('editor'))?.identity.id as string
      for (const damaged of [
        '{',
        '{}',
        'null',
        '[]',
        'nonsense',
        '{"secret":7,"codes":[],"since":"2026-01-01T00:00:00Z"}',
        `{"secret":"${secret}","codes":{},"since":"2026-01-01T00:00:00Z"}`,
        `{"secret":"${secret}","codes":[],"since":"then"}`,
        `{"secret":"${secret}","codes":[],"since":"2026-01-01T00:00:00Z"`,
      ]) {
        await users?.changeTwoFactor(id, await stored(world), damaged)
        const { ticket } = (await begin(world)).json
        const refused = await finish(world, { ticket, code: codeOf(secret, 1) })
        expect([damaged, refused.status, refused.json.message]).toEqual([
          damaged,
          503,
          'Two-factor sign-in cannot be checked for this account. Ask an administrator to turn it off',
        ])
      }
      // The same is said once a minute.
      expect(entries).toHaveLength(2)
      for (const entry of entries) expect(entry).toContain(`The second factor of the user ${id} cannot be read: it is damaged`)
      expect(entries.join()).not.toContain(secret)
      const off = await world.ask({
        method: 'POST',
        path: '/admin/resource/users/handler/twoFactorOff',
        headers: await world.as('admin'),
        json: { ids: [id] },
      })
      expect(off.status).toBe(200)
      expect((await begin(world)).status).toBe(200)
    } finally {
      await world.close()
    }
  })

  test('is not encrypted anew with a key that is only an earlier one', async () => {
    const world = await open({ previousKeys: [key] })
    try {
      await turnOn(world)
      expect(await stored(world)).toMatch(/^\{/)
    } finally {
      await world.close()
    }
  })

  test('holds no recovery code, and a wrong key is a start-up problem', async () => {
    const world = await open()
    const { codes } = await turnOn(world)
    for (const code of codes) expect(await stored(world)).not.toContain(code)
    await world.close()
    await expect(open({ key: 'short' })).rejects.toThrow(/DAYMARK_TWO_FACTOR_KEY must be base64 of at least 32 bytes/)
  })
})

test('a username and a title of any length fit the QR code', async () => {
  const world = await open(undefined, { title: '🧪'.repeat(200) })
  try {
    const username = '漢'.repeat(200)
    const passwordHash = (await world.inside.store?.users.byUsername('editor'))?.passwordHash as string
    await world.inside.store?.admin?.create({ username, name: 'Long', roles: [], passwordHash })
    const headers = { cookie: cookiesOf(await begin(world, username)) }
    expect((await world.ask({ path: own, headers, face: 'html' })).status).toBe(200)
    const { uri } = (await world.ask({ path: own, headers })).json.data.setUp
    expect(decodeURIComponent(uri)).toContain('🧪:漢漢漢')
  } finally {
    await world.close()
  }
})

test('a ticket is for the panel that gave it, even if another shares the database', async () => {
  const world = await open()
  const { authenticate, definePanel, password: byPassword } = await import('daymark')
  const { askPanel } = await import('./world.js')
  const auth = { middleware: authenticate(), pipelines: [byPassword()] }
  const other = definePanel({ id: 'other', database: `sqlite:${world.path}`, resources: [], auth })
  try {
    const { secret } = await turnOn(world)
    const { ticket } = (await begin(world)).json
    const json = { ticket, code: codeOf(secret, 1) }
    expect((await askPanel(other, { method: 'POST', path: '/admin/authenticate/code', json })).json.message).toBe(
      'The sign-in took too long. Begin again',
    )
    expect((await finish(world, json)).status).toBe(200)
  } finally {
    await other.close()
    await world.close()
  }
})

test('switched off, nobody is asked and its URLs are 404', async () => {
  const world = await open(false)
  try {
    const headers = await world.as('editor')
    expect((await world.ask({ path: own, headers })).status).toBe(404)
    expect((await world.ask({ path: '/admin/profile', headers })).json.data.twoFactor).toBe(null)
    expect((await finish(world, { ticket: 'x', code: '1' })).status).toBe(404)
    expect((await world.ask({ path: '/admin/profile', headers, face: 'html' })).text).not.toContain('Two-factor')
  } finally {
    await world.close()
  }
})
