import { definePanel, session, usersResource } from 'daymark'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Account } from '../../src/auth/account.js'
import { hashPassword } from '../../src/auth/password.js'
import { makeReset } from '../../src/crud/account/reset-password.js'
import { ownPath } from '../../src/route/url.js'
import { type Answer, type Ask, askPanel, Cities, Countries, cookiesOf, openWorld, secret, tokenMode, Vaults, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
afterEach(() => {
  vi.useRealTimers()
  expect(world.log).toEqual([])
})

const ask = (what: Ask) => world.ask(what)
const list = '/admin/resource/cities/crud'
const gets = async (cookie: string) => (await ask({ path: list, headers: { cookie } })).status
const from = { 'sec-fetch-site': 'same-origin' }
const signIn = (form: Record<string, string> = {}, more: Partial<Ask> = {}) =>
  ask({
    method: 'POST',
    path: '/admin/authenticate',
    face: 'html',
    form: { username: 'admin', password: secret, ...form },
    headers: from,
    ...more,
  })
/** What was last seen is written beside the request that is answered: waits until it stands. */
const seenNow = async (cookie: string) => {
  type Profile = { data: { sessions: { current: boolean; lastSeenAt: string }[] } }
  for (let tries = 0; tries < 500; tries++) {
    const { status, json, text } = await ask({ path: '/admin/profile', headers: { cookie } })
    expect(status, text).toBe(200)
    const { data } = json as Profile
    if (data.sessions.some(({ current, lastSeenAt }) => current && lastSeenAt === new Date().toISOString())) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('what was last seen was not written within 5 s')
}
const tokenOf = ({ text }: Answer) => /name="_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

test('who is in but may not see a page is not led back to where one signs in', async () => {
  const cookie = cookiesOf(await signIn({ username: 'nobody' }))
  const referer = 'http://localhost/admin/login?to=%2Fadmin'
  const answer = await ask({ path: list, face: 'html', headers: { cookie, referer } })
  expect(answer.status).toBe(403)
  const [, problem = ''] = /<div class="problem">(.*)<\/main>/s.exec(answer.text) ?? []
  // Nor anywhere else: they may see nothing.
  expect(problem).not.toContain('href=')
  expect(problem).toContain('action="/admin/logout"')
  expect(problem).not.toContain('login')
})

test('a page that there is not leads to those that there are, whoever asks', async () => {
  const answer = await ask({ path: '/admin/nothing/here', face: 'html' })
  expect(answer.status).toBe(404)
  expect(answer.text).toContain('href="/admin"')
  expect(answer.text).not.toContain('/admin/logout')
  expect(answer.text).not.toMatch(/class="sidebar"|Cities|\/admin\/resource\//)
})

test('whoever is signed in has there the menu of what they may see, and a way to everything', async () => {
  const path = '/admin/nothing/here'
  for (const [username, sees] of [
    ['admin', ['Cities', 'Vaults']],
    ['reader', ['Cities']],
    ['nobody', []],
  ] as const) {
    const cookie = cookiesOf(await signIn({ username }))
    const { status, text, headers } = await ask({ path, face: 'html', headers: { cookie } })
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
    const [, menu = ''] = /<nav class="sidebar"(.*?)<\/nav>/s.exec(text) ?? []
    expect(['Cities', 'Vaults'].filter((title) => menu.includes(title))).toEqual(sees)
    expect(menu).toContain('/admin/logout')
    expect(text).toContain('<a href="/admin/palette" class="button">')
    // Programs are told no more than anybody.
    const [one, other] = [await ask({ path, headers: { cookie } }), await ask({ path })]
    expect({ ...one.json, requestId: '' }).toEqual({ ...other.json, requestId: '' })
  }
})

test('a profile that is refused names its fields, with links to them', async () => {
  const cookie = cookiesOf(await signIn())
  const put = (form: Record<string, string>) =>
    ask({ method: 'POST', path: '/admin/profile', face: 'html', form: { _method: 'PUT', ...form }, headers: { cookie, ...from } })
  const refused = await put({ name: '', newPassword: 'short', currentPassword: secret })
  expect(refused.status).toBe(422)
  const [, notices = ''] = /<div class="notices">(.*?)<\/ul>/s.exec(refused.text) ?? []
  expect(notices).toContain('Check the marked fields (2)')
  expect([...notices.matchAll(/href="#(\w+)"/g)].map(([, id]) => id)).toEqual(['name', 'newPassword'])
  for (const [, id] of notices.matchAll(/href="#(\w+)"/g)) expect(refused.text).toContain(`id="${id}"`)
  expect(refused.text).not.toContain(secret)
})

describe('signing in', () => {
  test('by the form: in, by a cookie that no script reads, and on to where one was going', async () => {
    const answer = await signIn({ _to: `${list}?page=2` })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${list}?page=2`)
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^daymark-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)])
    expect(await gets(cookiesOf(answer))).toBe(200)
  })
  test('over https the cookie is of this host alone', async () => {
    const answer = await signIn({}, { origin: 'https://panel.example' })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-daymark-admin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    ])
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
    const plain = cookiesOf(answer).replace('__Host-', '')
    expect((await ask({ path: list, headers: { cookie: plain }, origin: 'https://panel.example' })).status).toBe(401)
  })
  test('by JSON: who one is', async () => {
    const answer = await ask({ method: 'POST', path: '/admin/authenticate', json: { username: 'Reader', password: secret } })
    expect(answer.json).toEqual({
      message: 'Signed in',
      user: { id: expect.any(String), username: 'reader', name: 'reader', roles: ['reader'] },
    })
    expect(answer.headers.getSetCookie()).toHaveLength(1)
  })
  test('refused: the same page, the name kept, the password not, the word above the fields', async () => {
    const answer = await signIn({ username: '<b>who</b>', password: 'wrong wrong wrong', remember: '1', _to: list })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('Wrong username or password')
    expect(answer.text.indexOf('Wrong username or password')).toBeLessThan(answer.text.indexOf('name="username"'))
    expect(answer.text).toContain('value="&lt;b&gt;who&lt;/b&gt;"')
    expect(answer.text).toContain('name="remember" value="1" checked')
    expect(answer.text).toContain(`name="_to" value="${list}"`)
    expect(answer.text).not.toContain('wrong wrong wrong')
    expect(answer.headers.getSetCookie().join()).not.toContain('daymark-admin=')
  })
  test('remembered: a cookie that outlives the browser', async () => {
    expect((await signIn({ remember: '1' })).headers.getSetCookie()[0]).toContain(`Max-Age=${30 * 86_400};`)
  })
  test.each([
    [{ 'x-forwarded-for': '203.0.113.5' }, 403],
    [{ 'x-forwarded-for': '127.0.0.1, 203.0.113.5' }, 403],
    [{ 'x-forwarded-host': 'panel.example' }, 403],
    [{ forwarded: 'for=203.0.113.5;proto=http' }, 403],
    [{ forwarded: 'for="[2001:db8::9]:5678"' }, 403],
    // As a server for development adds them on this machine.
    [{ 'x-forwarded-for': '::1', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-proto': 'http' }, 200],
    [{ 'x-forwarded-for': '::ffff:127.0.0.1' }, 200],
    [{ forwarded: 'for="[::1]:5678";host=localhost:3000, for=127.0.0.1' }, 200],
  ])('over plain http from elsewhere by way of a proxy that writes a Host of its own: %j', async (headers, status) => {
    const json = { username: 'admin', password: secret }
    const answer = await ask({ method: 'POST', path: '/admin/authenticate', json, headers })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.json.message).toContain('allowInsecure')
  })
  test('over plain http from elsewhere: a page that says what to set, before a password is typed', async () => {
    for (const answer of [
      await signIn({}, { origin: 'http://panel.example' }),
      await ask({ path: '/admin/login', face: 'html', origin: 'http://panel.example' }),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('allowInsecure')
      expect(answer.headers.getSetCookie().join()).not.toContain('daymark-admin=')
    }
  })
  test('or it is allowed', async () => {
    const other = await openWorld({ middleware: [session({ allowInsecure: true })] })
    try {
      const answer = await other.ask({
        method: 'POST',
        path: '/admin/authenticate',
        json: { username: 'admin', password: secret },
        origin: 'http://panel.example',
      })
      expect(answer.headers.getSetCookie()[0]).toMatch(/^daymark-admin=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
    } finally {
      await other.close()
    }
  })
  test('nobody chooses the session of somebody else', async () => {
    const planted = `daymark-admin=${'A'.repeat(43)}`
    const first = await signIn({}, { headers: { ...from, cookie: planted } })
    expect(cookiesOf(first)).not.toBe(planted)
    expect(await gets(planted)).toBe(401)
    const second = await signIn({ username: 'editor' }, { headers: { ...from, cookie: cookiesOf(first) } })
    expect(cookiesOf(second)).not.toBe(cookiesOf(first))
    expect(await gets(cookiesOf(first))).toBe(401)
    expect(await gets(cookiesOf(second))).toBe(200)
  })
  test('what is stored cannot be sent', async () => {
    const cookie = cookiesOf(await signIn())
    const { json } = await ask({ path: '/admin/profile', headers: { cookie } })
    const { id } = json.data.sessions.find((one: { current: boolean }) => one.current)
    expect(cookie).not.toContain(id)
    expect(await gets(`daymark-admin=${id}`)).toBe(401)
  })
  test('who is in need not sign in', async () => {
    const cookie = cookiesOf(await signIn())
    const answer = await ask({ path: `/admin/login?to=${encodeURIComponent(list)}`, face: 'html', headers: { cookie } })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, list])
  })
})

describe('the users of the panel, as a resource', () => {
  const users = '/admin/resource/users'
  const cookieOf = async () => cookiesOf(await signIn())
  test.each(['   ', '\u3000', ''])('have a name to sign in by, not %j', async (username) => {
    const json = { username, name: 'Bo', roles: [], active: true }
    const answer = await ask({ method: 'POST', path: `${users}/crud`, json, headers: { ...from, cookie: await cookieOf() } })
    expect([answer.status, answer.json.errors]).toEqual([422, { username: ['Username is required'] }])
  })
  test.each([
    ['a\nb', 'A username must not contain line breaks or other invisible characters'],
    ['a\u2028b', 'A username must not contain line breaks or other invisible characters'],
    ['ad\u200bmin', 'A username must not contain line breaks or other invisible characters'],
    ['ad\u00admin', 'A username must not contain line breaks or other invisible characters'],
    ['\u202eab', 'A username must not contain line breaks or other invisible characters'],
    // Longer than it looks, once it is normalized.
    ['\ufdfa'.repeat(20), 'Username must have at most 200 characters'],
  ])('have a name to sign in by that is one line, and no other: %j', async (username, text) => {
    const json = { username, name: 'Bo', roles: [], active: true }
    const answer = await ask({ method: 'POST', path: `${users}/crud`, json, headers: { cookie: await cookieOf() } })
    expect([answer.status, answer.json.errors]).toEqual([422, { username: [text] }])
    const made = world.inside.store?.admin?.create({ username, name: 'Bo', roles: [], passwordHash: null })
    await expect(made).rejects.toThrow(/^A username (?:must not contain line breaks|has at most 200 characters)/)
    await expect(world.panel.ensureUser({ username, roles: [], password: secret })).rejects.toThrow(/^A username /)
  })
  test('do not set their own password here, for which nobody asks the current one', async () => {
    const headers = { cookie: await cookieOf() }
    const { id } = (await ask({ path: '/admin/profile', headers })).json.data
    const put = (who: string, json: object) => ask({ method: 'PATCH', path: `${users}/crud/${who}`, headers, json })
    const answer = await put(id, { password: 'a password of my own' })
    expect([answer.status, answer.json.errors]).toEqual([422, { password: ['Change your own on your profile'] }])
    expect((await put(id, { name: 'admin' })).status).toBe(200)
    expect((await signIn()).status).toBe(303)
  })
  test('may have no role: the form asks for none, and the list has a dash', async () => {
    const cookie = await cookieOf()
    const form = await ask({ path: `${users}/form-page`, face: 'html', headers: { cookie } })
    const label = (name: string) =>
      new RegExp(`<(?:label|div|legend|span)[^>]*>${name}.*?</(?:label|div|legend|span)>`).exec(form.text)?.[0]
    expect(label('Username')).toContain('*')
    expect(label('Roles')).not.toContain('*')
    expect(form.text).toContain('new users cannot sign in until one is set')
    const list = await ask({ path: `${users}/crud?search=nobody`, face: 'html', headers: { cookie } })
    expect(list.text).toMatch(/data-key="4".*?<span class="none">&mdash;<\/span>/s)
  })
})

describe('a form that is sent after a session has ended', () => {
  const form = '/admin/resource/cities/form-page/1'
  const send = (referer?: string) =>
    ask({
      method: 'POST',
      path: `${list}/1`,
      face: 'html',
      headers: { ...from, ...(referer !== undefined && { referer }) },
      form: { _method: 'PUT', name: 'Bonn' },
    })
  test('leads to the sign-in, which says so once, and from there to the page of the form', async () => {
    const answer = await send(`http://localhost:3000${form}?a=b`)
    const to = `/admin/login?to=${encodeURIComponent(`${form}?a=b`)}`
    expect([answer.status, answer.headers.get('location')]).toEqual([303, to])
    const page = await ask({ path: to, face: 'html', headers: { cookie: cookiesOf(answer) } })
    expect(page.text).toContain('You are signed out. Sign in to continue')
    expect(page.text).toContain(`name="_to" value="${form}?a=b"`)
    expect(page.headers.getSetCookie().join()).toMatch(/daymark-admin-flash=; .*Max-Age=0/)
    expect((await ask({ path: to, face: 'html' })).text.replace(/<template.*/s, '')).not.toContain(
      'You are signed out. Sign in to continue',
    )
  })
  test.each([
    undefined,
    'http://localhost:3000/admin',
    'http://localhost:3000/elsewhere',
    'https://evil.example/admin/resource/cities/crud',
  ])('leads nowhere besides from %s', async (referer) => {
    const answer = await send(referer)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/login'])
  })
  test('whoever only asks for a page is told nothing', async () => {
    const answer = await ask({ path: form, face: 'html' })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([302, []])
  })
})

describe('a session ends', () => {
  test('by signing out', async () => {
    const cookie = cookiesOf(await signIn())
    const answer = await ask({ method: 'POST', path: '/admin/logout', face: 'html', headers: { ...from, cookie }, form: {} })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/login'])
    expect(answer.headers.getSetCookie()[0]).toMatch(/^daymark-admin=; Path=\/; Max-Age=0/)
    expect(await gets(cookie)).toBe(401)
  })
  test('half an hour after the last request, and not before', async () => {
    const cookie = cookiesOf(await signIn())
    const start = Date.now()
    for (const minutes of [29, 58, 87]) {
      vi.useFakeTimers({ toFake: ['Date'], now: start + minutes * 60_000 })
      expect(await gets(cookie)).toBe(200)
      await seenNow(cookie)
    }
    vi.useFakeTimers({ toFake: ['Date'], now: start + (87 + 31) * 60_000 })
    expect(await gets(cookie)).toBe(401)
  })
  test('no earlier for a request whose note of it arrives after that of a later one', async () => {
    const sessions = world.inside.store?.sessions
    const id = 'late'
    const [start, later, ends] = [0, 1000, 86_400_000].map((more) => new Date(Date.now() + more)) as [Date, Date, Date]
    const facts = { kind: 'browser', userId: 'nobody', stamp: '', agent: '', remember: false } as const
    await sessions?.create({ id, ...facts, createdAt: start, lastSeenAt: start, expiresAt: ends })
    await sessions?.seen(id, later)
    await sessions?.seen(id, start)
    expect((await sessions?.find(id))?.lastSeenAt).toEqual(later)
    await sessions?.remove(id)
  })
  test('twelve hours after the sign-in, whatever was asked in between', async () => {
    const cookie = cookiesOf(await signIn())
    const start = Date.now()
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      vi.useFakeTimers({ toFake: ['Date'], now: start + minutes * 60_000 })
      expect(await gets(cookie)).toBe(200)
      await seenNow(cookie)
    }
    vi.useFakeTimers({ toFake: ['Date'], now: start + 12 * 3_600_000 + 1000 })
    expect(await gets(cookie)).toBe(401)
  })
  test('at once when its user is switched off, and when the user is deleted', async () => {
    const own = world.inside.store?.admin
    const user = await own?.create({ username: 'passing', name: 'P', roles: ['admin'], passwordHash: await hashPassword(secret) })
    const cookie = cookiesOf(await signIn({ username: 'passing' }))
    expect(await gets(cookie)).toBe(200)
    await own?.setActive('passing', false)
    expect(await gets(cookie)).toBe(401)
    expect((await signIn({ username: 'passing' })).status).toBe(401)
    await own?.setActive('passing', true)
    const again = cookiesOf(await signIn({ username: 'passing' }))
    const admin = cookiesOf(await signIn())
    const gone = await ask({ method: 'DELETE', path: `/admin/resource/users/crud/${user?.id}`, headers: { cookie: admin } })
    expect(gone.status).toBe(200)
    expect(await gets(again)).toBe(401)
  })
  test('everywhere else when the password changes', async () => {
    await world.inside.store?.admin?.create({ username: 'changing', name: 'C', roles: ['admin'], passwordHash: await hashPassword(secret) })
    const [here, there] = [cookiesOf(await signIn({ username: 'changing' })), cookiesOf(await signIn({ username: 'changing' }))]
    const put = (json: unknown) => ask({ method: 'PUT', path: '/admin/profile', headers: { cookie: here }, json })
    expect((await put({ newPassword: 'another long password' })).json.errors).toHaveProperty('currentPassword')
    expect((await put({ newPassword: 'short', currentPassword: secret })).json.errors).toHaveProperty('newPassword')
    const changed = await put({ newPassword: 'another long password', currentPassword: secret })
    expect(changed.json.data.sessions.map(({ current }: { current: boolean }) => current)).toEqual([true])
    // Whoever has a copy of the cookie is out, too.
    const anew = cookiesOf(changed)
    expect([anew === here, changed.headers.get('cache-control')]).toEqual([false, 'no-store'])
    expect([changed.status, await gets(anew), await gets(here), await gets(there)]).toEqual([200, 200, 401, 401])
    expect((await signIn({ username: 'changing' })).status).toBe(401)
    expect((await signIn({ username: 'changing', password: 'another long password' })).status).toBe(303)
  })
  test('one of them, or everywhere, by the profile', async () => {
    const cookies = [
      cookiesOf(await signIn({ username: 'reader' })),
      cookiesOf(await signIn({ username: 'reader' })),
      cookiesOf(await signIn({ username: 'reader' })),
    ]
    const [here = '', other = '', third = ''] = cookies
    const { json } = await ask({ path: '/admin/profile', headers: { cookie: other } })
    const { id } = json.data.sessions.find((one: { current: boolean }) => one.current)
    const stranger = cookiesOf(await signIn({ username: 'editor' }))
    expect((await ask({ method: 'DELETE', path: `/admin/profile/sessions/${id}`, headers: { cookie: stranger } })).status).toBe(404)
    for (const none of ['%00', '%F0%9F%98%80', 'x'.repeat(200)])
      expect((await ask({ method: 'DELETE', path: `/admin/profile/sessions/${none}`, headers: { cookie: here } })).status).toBe(404)
    expect((await ask({ method: 'DELETE', path: `/admin/profile/sessions/${id}`, headers: { cookie: here } })).status).toBe(200)
    expect([await gets(here), await gets(other), await gets(third)]).toEqual([200, 401, 200])
    const page = await ask({ path: '/admin/profile', headers: { cookie: here }, face: 'html' })
    expect(page.text).toContain('Sign out everywhere')
    const all = await ask({
      method: 'POST',
      path: '/admin/profile/sessions',
      face: 'html',
      headers: { ...from, cookie: here },
      form: { _method: 'DELETE' },
    })
    expect([all.status, all.headers.get('location')]).toEqual([303, '/admin/login'])
    expect([await gets(here), await gets(third)]).toEqual([401, 401])
  })
})

describe('forms', () => {
  const create = (headers: Record<string, string>, more: Partial<Ask> = {}) =>
    ask({ method: 'POST', path: list, face: 'html', form: { name: 'Rome' }, headers, ...more })

  test('every form of every page carries the token', async () => {
    const cookie = cookiesOf(await signIn())
    const paths = [
      '',
      '/profile',
      '/resource/cities/crud',
      '/resource/cities/crud/1',
      '/resource/cities/form-page',
      '/resource/cities/form-page/1',
      '/resource/users/form-page',
    ]
    let forms = 0
    for (const path of paths) {
      const page = await ask({ path: `/admin${path}`, face: 'html', headers: { cookie } })
      expect(page.status, path).toBe(200)
      expect(page.text).toMatch(/<meta name="csrf-token" content="[\w-]{43}">/)
      for (const [form] of page.text.matchAll(/<form[^>]*method="post".*?<\/form>/gs)) {
        forms += 1
        expect(form, path).toMatch(/<input type="hidden" name="_token" value="[\w-]{43}">/)
      }
    }
    const confirm = await ask({
      method: 'POST',
      path: `${list}/1`,
      face: 'html',
      headers: { ...from, cookie },
      form: { _method: 'DELETE' },
    })
    expect(confirm.text).toMatch(/<form class="confirm.*name="_token"/s)
    expect(forms).toBeGreaterThan(15)
  })
  test('the token works where no header says whence a form comes, and only in its own session', async () => {
    const cookie = cookiesOf(await signIn())
    const token = tokenOf(await ask({ path: list, face: 'html', headers: { cookie } }))
    const other = cookiesOf(await signIn({ username: 'editor' }))
    expect((await create({ cookie })).status).toBe(403)
    const type = 'application/x-www-form-urlencoded'
    const asJson = await ask({ method: 'POST', path: list, headers: { cookie, 'content-type': type }, body: 'name=Rome' })
    expect([asJson.status, asJson.json.detail]).toEqual([403, expect.stringContaining('X-CSRF-Token')])
    expect((await create({ cookie }, { form: { name: 'Rome', _token: 'x' } })).status).toBe(403)
    expect((await create({ cookie: other }, { form: { name: 'Rome', _token: token } })).status).toBe(403)
    expect((await create({ cookie, 'x-csrf-token': `${token}x` })).status).toBe(403)
    expect((await create({ cookie }, { form: { name: 'Rome', _token: token } })).status).toBe(303)
    expect((await create({ cookie, 'x-csrf-token': token })).status).toBe(303)
  })
  test.each<[string, Record<string, string>, Partial<Ask>]>([
    ['from another site', { 'sec-fetch-site': 'cross-site' }, {}],
    ['from a sibling host', { 'sec-fetch-site': 'same-site' }, {}],
    ['from another origin', { origin: 'https://evil.example' }, {}],
    ['from nowhere', { origin: 'null' }, {}],
    ['JSON as text/plain', { 'content-type': 'text/plain' }, { body: '{"name":"Rome"}' }],
    ['JSON without a type', { 'content-type': '' }, { body: '{"name":"Rome"}' }],
    [
      'multipart',
      { 'content-type': 'multipart/form-data; boundary=x' },
      { body: '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nRome\r\n--x--' },
    ],
    ['by _method in the query', {}, { path: `${list}/1?_method=DELETE&_confirmed=1` }],
    ['by X-HTTP-Method-Override', { 'x-http-method-override': 'DELETE' }, { path: `${list}/1` }],
    [
      'by _method, from another site',
      { 'sec-fetch-site': 'cross-site' },
      { path: `${list}/1`, form: { _method: 'DELETE', _confirmed: '1' } },
    ],
    ['signing out, from another site', { 'sec-fetch-site': 'cross-site' }, { path: '/admin/logout' }],
    ['PUT from another site', { origin: 'https://evil.example' }, { method: 'PUT', path: `${list}/1` }],
    ['DELETE from another site', { origin: 'https://evil.example' }, { method: 'DELETE', path: `${list}/1` }],
    ['a JSON body from another site', { origin: 'https://evil.example', 'content-type': 'application/json' }, { body: '{"name":"Rome"}' }],
  ])('refused: %s', async (_, headers, more) => {
    const cookie = cookiesOf(await signIn())
    const { form: _form, ...rest } = { form: { name: 'Rome' }, ...more }
    const count = async () => (await ask({ path: list, headers: { cookie } })).json.meta.total
    const before = await count()
    const answer = await ask({
      method: 'POST',
      path: list,
      face: 'html',
      ...(more.body === undefined && { form: _form }),
      ...rest,
      headers: { ...headers, cookie },
    })
    expect(answer.status).toBe(403)
    expect(await count()).toBe(before)
  })
  test('a program that sends JSON needs no token', async () => {
    const cookie = cookiesOf(await signIn())
    expect((await ask({ method: 'POST', path: list, json: { name: 'Oslo' }, headers: { cookie } })).status).toBe(201)
    expect((await ask({ method: 'PUT', path: `${list}/2`, json: { name: 'Paris' }, headers: { cookie } })).status).toBe(200)
  })
  test('the form of the sign-in has a token, too: nobody is signed in as somebody else', async () => {
    expect((await signIn({}, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    expect((await signIn({}, { headers: {} })).status).toBe(403)
    const page = await ask({ path: '/admin/login', face: 'html' })
    const cookie = cookiesOf(page)
    expect(cookie).toMatch(/^daymark-admin-form=/)
    expect((await signIn({ _token: tokenOf(page) }, { headers: {} })).status).toBe(403)
    expect((await signIn({ _token: tokenOf(page) }, { headers: { cookie } })).status).toBe(303)
  })
})

describe('where one is sent after signing in', () => {
  const elsewhere = [
    'https://evil.example',
    'http://evil.example/admin',
    '//evil.example',
    '///evil.example',
    '////evil.example/admin',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\\/evil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '%2f%2fevil.example',
    '/%2fevil.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'mailto:a@b.c',
    'ftp://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'http:\\\\evil.example',
    '//evil.example/admin',
    '//localhost:3000@evil.example',
    'https://localhost:3000@evil.example/admin',
    '//evil.example#/admin',
    '/admin/../../evil',
    '/admin/..//evil.example',
    '/admin/%2e%2e/other',
    '/other',
    '/',
    '/administrator',
    '/admin.evil.example',
    'admin',
    './admin',
    '?to=//evil.example',
    '#x',
    '/admin/\r\nset-cookie: a=b',
    '/admin\\..\\..\\evil',
    '//admin',
    '/.evil.example',
    '/admin/x/../../../evil',
  ]
  test('there are at least 40 ways that lead elsewhere', () => expect(new Set(elsewhere).size).toBeGreaterThanOrEqual(40))
  test.each(elsewhere)('not to %j', async (to) => {
    const answer = await signIn({ _to: to })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin'])
    const page = await ask({ path: `/admin/login?to=${encodeURIComponent(to)}`, face: 'html' })
    expect(page.text).not.toContain('name="_to"')
  })
  test.each(['/admin', '/admin/', list, `${list}?page=2&filter%5Bname%5D=a%26b`, '/admin/resource/cities/crud/a%2Fb'])(
    'but to %j',
    async (to) => {
      expect((await signIn({ _to: to })).headers.get('location')).toBe(to)
    },
  )
  test('below a mount, only there', () => {
    const place = { mount: '/back', prefix: { panel: 'admin', resource: 'resource', page: 'page' } }
    expect(ownPath(place, '/back/admin/x')).toBe('/back/admin/x')
    expect(ownPath(place, '/admin/x')).toBeNull()
  })
})

describe('a link that sets a password', () => {
  const link = async (username: string) => {
    const account = await world.inside.store?.users.byUsername(username)
    if (!account) throw new Error('No such user')
    return `/admin/reset/${await makeReset(world.inside.realm.auth.services, account)}`
  }
  test('is good once, and ends every session', async () => {
    await world.inside.store?.admin?.create({
      username: 'forgetful',
      name: 'F',
      roles: ['admin'],
      passwordHash: await hashPassword(secret),
    })
    const cookie = cookiesOf(await signIn({ username: 'forgetful' }))
    const [path, second] = [await link('forgetful'), await link('forgetful')]
    const page = await ask({ path, face: 'html' })
    expect([page.status, page.text.includes('forgetful')]).toEqual([200, true])
    const set = (password: string, where = path) => ask({ method: 'POST', path: where, face: 'html', headers: from, form: { password } })
    const short = await set('short')
    expect([short.status, short.text.includes('at least 12')]).toEqual([422, true])
    expect((await set('a wholly new password')).text).toContain('Password set')
    expect(await gets(cookie)).toBe(401)
    expect((await signIn({ username: 'forgetful', password: 'a wholly new password' })).status).toBe(303)
    expect((await set('yet another password')).status).toBe(404)
    expect((await set('yet another password', second)).status).toBe(404)
  })
  test('does not replace a password that is set meanwhile, and nor does the profile', async () => {
    const { users, resets } = world.inside.realm.auth.services
    const set = async (text: string) => {
      const { identity } = (await users.byUsername('meanwhile')) as Account
      await users.change(identity.id, { passwordHash: await hashPassword(text) })
    }
    const passwordHash = await hashPassword(secret)
    await world.inside.store?.admin?.create({ username: 'meanwhile', name: 'M', roles: ['admin'], passwordHash })
    const path = await link('meanwhile')
    const { remove } = resets
    const removing = vi.spyOn(resets, 'remove').mockImplementationOnce(async (id) => {
      await set('set by an administrator')
      return remove(id)
    })
    expect((await ask({ method: 'POST', path, json: { password: 'set by the link' } })).status).toBe(404)
    removing.mockRestore()
    expect((await signIn({ username: 'meanwhile', password: 'set by the link' })).status).toBe(401)
    const headers = { cookie: cookiesOf(await signIn({ username: 'meanwhile', password: 'set by an administrator' })) }
    const { change } = users
    const changing = vi.spyOn(users, 'change').mockImplementationOnce(async (...args) => {
      await set('set by the administrator again')
      return change(...args)
    })
    const json = { currentPassword: 'set by an administrator', newPassword: 'set on the profile', name: 'Not stored' }
    const refused = await ask({ method: 'PUT', path: '/admin/profile', headers, json })
    changing.mockRestore()
    expect([refused.status, refused.json.errors]).toEqual([422, { currentPassword: ['This is not the current password'] }])
    expect((await users.byUsername('meanwhile'))?.identity.name).toBe('M')
    expect((await signIn({ username: 'meanwhile', password: 'set by the administrator again' })).status).toBe(303)
  })
  test('is good for a day', async () => {
    const path = await link('reader')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
    expect((await ask({ path, face: 'html' })).status).toBe(404)
  })
})

describe('the time zone of a user', () => {
  test('is how their pages show times, and JSON stays in UTC', async () => {
    await world.inside.store?.admin?.create({
      username: 'traveller',
      name: 'T',
      roles: ['admin'],
      passwordHash: await hashPassword(secret),
    })
    const cookie = cookiesOf(await signIn({ username: 'traveller' }))
    const show = (face: 'json' | 'html') => ask({ path: '/admin/resource/users/crud/1', headers: { cookie }, face })
    const before = (await show('html')).text
    expect((await ask({ method: 'PUT', path: '/admin/profile', headers: { cookie }, json: { timeZone: 'Nowhere/None' } })).status).toBe(422)
    const none = await ask({ method: 'PUT', path: '/admin/profile', headers: { cookie }, json: { timeZone: null } })
    expect([none.status, (none.json as { data: { timeZone: unknown } }).data.timeZone]).toEqual([200, null])
    const iso = (await show('json')).json.data.createdAt
    const put = await ask({
      method: 'PUT',
      path: '/admin/profile',
      headers: { cookie },
      json: { timeZone: 'Asia/Kathmandu', name: 'Tenzing' },
    })
    expect(put.json.data).toMatchObject({ timeZone: 'Asia/Kathmandu', name: 'Tenzing' })
    expect((await show('html')).text).not.toBe(before)
    expect((await show('json')).json.data.createdAt).toBe(iso)
  })

  test('is one that there is, whoever sets it', async () => {
    const cookie = cookiesOf(await signIn())
    const set = (timeZone: string | null) =>
      ask({ method: 'PATCH', path: '/admin/resource/users/crud/2', headers: { cookie }, json: { timeZone } })
    const refused = await set('Berlin')
    expect([refused.status, refused.json.errors]).toEqual([422, { timeZone: ['"Berlin" is not a time zone'] }])
    expect([(await set('europe/BERLIN')).status, (await set('')).status, (await set(null)).status]).toEqual([200, 422, 200])
  })

  test('is that of the panel, where what is stored is none', async () => {
    const { users } = world.inside.realm.auth.services
    const cookie = cookiesOf(await signIn())
    const { id } = (await ask({ path: '/admin/profile', headers: { cookie } })).json.data
    const show = async () => (await ask({ path: `/admin/resource/users/crud/${id}`, headers: { cookie }, face: 'html' })).text
    const time = async () => /<time [^>]*>[^<]*/.exec(await show())?.[0]
    const before = await time()
    await users.change(id, { timeZone: 'Berlin' })
    expect(await time()).toBe(before)
    expect((await ask({ path: '/admin/profile', headers: { cookie } })).json.data.timeZone).toBeNull()
    await users.change(id, { timeZone: null })
  })
})

test('in code, too, a password has 12 to 256 characters', async () => {
  const ensure = (password: string) => world.panel.ensureUser({ username: 'short', roles: [], password })
  await expect(ensure('eleven char')).rejects.toThrow('A password has at least 12 characters')
  await expect(ensure('a'.repeat(257))).rejects.toThrow('A password has at most 256 characters')
  expect(await world.inside.store?.users.byUsername('short')).toBeNull()
})

test('the profile lists the sessions that are still good for something', async () => {
  const passwordHash = await hashPassword(secret)
  await world.inside.store?.admin?.create({ username: 'lister', name: 'L', roles: [], passwordHash })
  const listed = async (password = secret) => {
    const headers = { cookie: cookiesOf(await signIn({ username: 'lister', password })) }
    return (await ask({ path: '/admin/profile', headers })).json.data.sessions.length
  }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  expect([await listed(), await listed()]).toEqual([1, 2])
  vi.setSystemTime(Date.now() + 1_801_000)
  expect(await listed()).toBe(1)
  // As it is between the two statements of whoever sets a password.
  const { users } = world.inside.realm.auth.services
  const { identity } = (await users.byUsername('lister')) as Account
  await users.change(identity.id, { passwordHash: await hashPassword('another password') })
  expect(await listed('another password')).toBe(1)
})

test('an API key is a few lines', async () => {
  const { middleware, auth } = tokenMode()
  if (!auth || auth === 'open') throw new Error('no auth')
  const robot = { id: 'robot', username: 'robot', name: 'Robot', roles: ['reader'] }
  const apiKey = {
    name: 'api-key',
    cookies: false,
    identify: (request: Request) => (request.headers.get('x-api-key') === 'k3y' ? robot : null),
  }
  const other = await openWorld({ middleware: middleware ?? [], auth: { ...auth, pipelines: [...auth.pipelines, apiKey] } })
  try {
    expect((await other.ask({ path: list, headers: { 'x-api-key': 'k3y' } })).status).toBe(200)
    expect((await other.ask({ path: list, headers: { 'x-api-key': 'wrong' } })).status).toBe(401)
    expect((await other.ask({ path: '/admin/profile', headers: { 'x-api-key': 'k3y' } })).json.data).toMatchObject({
      username: 'robot',
      sessions: [],
    })
    expect((await other.ask({ method: 'DELETE', path: `${list}/1`, headers: { 'x-api-key': 'k3y' } })).status).toBe(403)
  } finally {
    await other.close()
  }
})

test('CORS is for those who are named, and never with a cookie', async () => {
  const other = await openWorld({ ...tokenMode(), cors: { origins: ['https://app.example'] } })
  try {
    const bearer = await other.as('admin')
    const call = (origin: string, more: Partial<Ask> = {}) =>
      other.ask({ path: list, ...more, headers: { origin, 'sec-fetch-site': 'cross-site', ...bearer } })
    const named = await call('https://app.example')
    expect(named.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(named.headers.get('access-control-allow-credentials')).toBeNull()
    expect(named.headers.get('vary')).toBe('Accept, Origin')
    expect((await call('https://app.example', { method: 'POST', json: { name: 'Lima' } })).status).toBe(201)
    const stranger = await call('https://evil.example', { method: 'POST', json: { name: 'Lima' } })
    expect([stranger.status, stranger.headers.get('access-control-allow-origin')]).toEqual([403, null])
    const asked = await other.ask({
      method: 'OPTIONS',
      path: list,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    })
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([204, expect.stringContaining('Authorization')])
    // To go on with a file that broke off.
    expect(asked.headers.get('access-control-allow-headers')).toContain('If-Range, Range')
    expect(named.headers.get('access-control-expose-headers')).toContain('Content-Range')
  } finally {
    await other.close()
  }
  expect((await ask({ path: list, headers: { origin: 'https://app.example' } })).headers.get('access-control-allow-origin')).toBeNull()
})

test('an open panel has no users to manage, and says so at its start', () => {
  expect(() => definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [usersResource()] })).toThrow('users-open')
})

test('who keeps users keeps the role by which they do', async () => {
  const cookie = cookiesOf(await signIn())
  const { data } = (await ask({ path: '/admin/resource/users/crud', headers: { cookie } })).json
  const change = async (username: string, roles: readonly string[]) => {
    const user = data.find((one: { username: string }) => one.username === username)
    const path = `/admin/resource/users/crud/${user.id}`
    const { status, json } = await ask({ method: 'PATCH', path, headers: { cookie }, json: { roles } })
    return [status, Object.keys(json.errors ?? {})]
  }
  const [me] = data.filter(({ roles }: { roles: string[] }) => roles.includes('admin'))
  expect(await change(me.username, [])).toEqual([422, ['roles']])
  expect(await change(me.username, ['reader'])).toEqual([422, ['roles']])
  expect(await change(me.username, ['reader', 'admin'])).toEqual([200, []])
  expect(await change('editor', [])).toEqual([200, []])
})

test('a new password that met another change is not sent back', async () => {
  const cookie = cookiesOf(await signIn())
  const { data } = (await ask({ path: '/admin/resource/users/crud?search=editor', headers: { cookie } })).json
  const path = `/admin/resource/users/crud/${data[0].id}`
  const form = { _method: 'PUT', _version: '0'.repeat(32), username: 'editor', name: 'Renamed', password: 'typed, and not to be seen' }
  const answer = await ask({ method: 'POST', path, face: 'html', headers: { ...from, cookie }, form })
  expect(answer.status).toBe(412)
  expect(answer.text).toContain('Renamed')
  expect(answer.text).not.toContain('not to be seen')
})

test('a panel in which nobody can be recognised says so at its start', () => {
  const panel = definePanel({ database: 'sqlite::memory:', resources: [Countries, Cities, Vaults], middleware: [] })
  expect(panel.warnings).toContainEqual(expect.objectContaining({ id: 'auth-nobody' }))
})

test('a session that is used does not end, however short it may be idle', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const panel = definePanel({ database: 'sqlite::memory:', resources: [usersResource()], middleware: [session({ idle: 4 })] })
  await panel.ensureUser({ username: 'ada', roles: ['admin'], password: secret })
  const cookie = cookiesOf(
    await askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username: 'ada', password: secret }, headers: from }),
  )
  const status = async () => (await askPanel(panel, { path: '/admin/resource/users/crud', headers: { cookie } })).status
  for (let second = 0; second < 12; second++) {
    vi.setSystemTime(Date.now() + 1000)
    expect(await status()).toBe(200)
    // What was seen is noted beside the request.
    await new Promise((done) => setTimeout(done, 20))
  }
  vi.setSystemTime(Date.now() + 4001)
  expect(await status()).toBe(401)
  await panel.close()
})

test('a panel in whose middleware nothing keeps anybody signed in sets no cookie', async () => {
  const panel = definePanel({ database: 'sqlite::memory:', resources: [usersResource()], middleware: [] })
  for (const path of ['/admin/login', '/admin/reset/x', '/admin/nothing', '/admin/resource/users/crud']) {
    const { headers } = await panel.fetch(new Request(`http://localhost${path}`))
    expect(headers.getSetCookie(), path).toEqual([])
  }
  await panel.close()
})
