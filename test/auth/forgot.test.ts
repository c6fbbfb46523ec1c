import { setTimeout } from 'node:timers/promises'
import type { Mail, PanelSpec } from 'daymark'
import { apiKeys, authenticate, definePanel, defineResource } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { addressOf } from '../../src/auth/mail.js'
import { hashPassword } from '../../src/auth/password.js'
import { Sqlite } from '../support/sqlite.js'
import { type Answer, askPanel, cookiesOf, openWorld, secret, tokenMode, type World, worldsOver } from './world.js'

const address = 'grace@example.com'
const origin = 'https://panel.example.com'
const fresh = 'a quite different battery'
let world: World
const sent: Mail[] = []
let send: (mail: Mail) => unknown

async function open(spec: Partial<PanelSpec> = {}): Promise<void> {
  sent.length = 0
  send = (mail) => sent.push(mail)
  world = await openWorld({ url: origin, title: 'Books', mail: (mail) => send(mail), ...spec })
  await world.inside.store?.admin?.create({
    username: address,
    name: 'Grace <b>Hopper</b>',
    roles: ['admin'],
    passwordHash: await hashPassword(secret),
  })
}

const ask = (username: unknown, more: object = {}) =>
  world.ask({ origin, method: 'POST', path: '/admin/forgot', json: { username }, ...more })
const arrived = () => world.inside.realm.mails?.close()
const signIn = (username: string, password: string) =>
  world.ask({ origin, method: 'POST', path: '/admin/authenticate', json: { username, password } })
const linkIn = (mail: Mail | undefined) => /https:\S+/.exec(mail?.text ?? '')?.[0] ?? ''
const pathOf = (link: string) => link.slice(origin.length)

afterEach(async () => {
  await world.close()
  worldsOver('sqlite')
})

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  test('who has forgotten a password gets a link by mail, sets another one, and is told so', async () => {
    worldsOver(database)
    await open()
    const before = await signIn(address, secret)
    const answer = await ask(' GRACE@example.com ')
    expect([answer.status, Object.keys(answer.json)]).toEqual([202, ['message']])
    await arrived()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: address, name: 'Grace <b>Hopper</b>', subject: 'Set a new password for Books' })
    const link = linkIn(sent[0])
    expect(link).toMatch(/^https:\/\/panel\.example\.com\/admin\/reset\/[\w-]{43}$/)
    expect(sent[0]?.html).toContain(`<a href="${link}">${link}</a>`)
    expect(sent[0]?.html).toContain('Grace &lt;b&gt;Hopper&lt;/b&gt;')
    expect(sent[0]?.html).not.toContain('<b>')
    // Asking changes nothing.
    expect((await signIn(address, secret)).status).toBe(200)

    const set = await world.ask({ origin, method: 'POST', path: pathOf(link), json: { password: fresh } })
    expect(set.status).toBe(200)
    expect((await signIn(address, secret)).status).toBe(401)
    expect((await signIn(address, fresh)).status).toBe(200)
    expect((await world.ask({ origin, path: '/admin', headers: { cookie: cookiesOf(before) } })).status).toBe(401)
    await arrived()
    expect(sent).toHaveLength(2)
    expect(sent[1]).toMatchObject({ to: address, subject: 'Your password for Books was changed' })
    expect(linkIn(sent[1])).toBe('')
    expect((await world.ask({ origin, path: pathOf(link) })).status).toBe(404)
    expect(world.log).toEqual([])
  })
})

test('the answer is the same for whoever there is, and nobody else gets a mail', async () => {
  await open()
  const { admin } = world.inside.store ?? {}
  await admin?.create({ username: 'gone@example.com', name: 'Gone', roles: [], passwordHash: await hashPassword(secret) })
  await admin?.setActive('gone@example.com', false)
  const answers: Answer[] = []
  // Nobody, one who is disabled, and one whose username is no address.
  for (const username of ['nobody@example.com', 'gone@example.com', 'admin', address]) answers.push(await ask(username))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  await arrived()
  expect(sent.map(({ to }) => to)).toEqual([address])
})

test('nobody is looked for before the answer is given: its time says nothing, either', async () => {
  await open()
  const { users, resets } = world.inside.realm.auth.services
  const done: string[] = []
  const [byUsername, create] = [users.byUsername.bind(users), resets.create.bind(resets)]
  vi.spyOn(users, 'byUsername').mockImplementation((name) => {
    done.push('looked for')
    return byUsername(name)
  })
  vi.spyOn(resets, 'create').mockImplementation((reset) => {
    done.push('made')
    return create(reset)
  })
  expect((await ask(address)).status).toBe(202)
  done.push('answered')
  await arrived()
  expect(done).toEqual(['answered', 'looked for', 'made'])
  vi.restoreAllMocks()
})

test('the link is valid for an hour, and void once the user has another password', async () => {
  await open()
  await ask(address)
  await arrived()
  const path = pathOf(linkIn(sent[0]))
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 59 * 60_000)
  expect((await world.ask({ origin, path })).json).toEqual({ data: { username: address } })
  clock.mockReturnValue(now + 61 * 60_000)
  expect((await world.ask({ origin, path })).status).toBe(404)
  clock.mockRestore()
  expect((await world.ask({ origin, path })).status).toBe(200)
  const { services } = world.inside.realm.auth
  const account = await services.users.byUsername(address)
  await services.users.change(account?.identity.id ?? '', { passwordHash: await hashPassword(fresh) })
  expect((await world.ask({ origin, path })).status).toBe(404)
})

test('no mailbox is filled: the fourth mail within a quarter of an hour is refused, whoever asks for it', async () => {
  await open()
  for (const peer of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) expect((await ask(address, { peer })).status).toBe(202)
  const refused = await ask('GRACE@example.com', { peer: '192.0.2.4' })
  expect([refused.status, refused.json.detail]).toEqual([429, 'Too many mails. Try again in 15 minutes'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
  // As for somebody who is not there.
  for (let i = 0; i < 3; i++) expect((await ask('nobody@example.com', { peer: '192.0.2.5' })).status).toBe(202)
  expect((await ask('nobody@example.com', { peer: '192.0.2.5' })).status).toBe(429)
  // Nor do these count as attempts to sign in.
  expect((await signIn(address, secret)).status).toBe(200)
  await arrived()
  expect(sent).toHaveLength(3)
})

test('one address asks for thirty mails, not more', async () => {
  await open()
  for (let i = 0; i < 30; i++) expect((await ask(`someone-${i}@example.com`)).status).toBe(202)
  expect((await ask('another@example.com')).status).toBe(429)
  expect((await ask('another@example.com', { peer: '192.0.2.9' })).status).toBe(202)
})

test('what is wrong is said at the field, and what was typed is kept', async () => {
  await open()
  for (const [given, text] of [
    ['', 'Username is required'],
    ['   ', 'Username is required'],
    [{ a: 1 }, 'username must be a text'],
    ['x'.repeat(1001), 'Username may have at most 1,000 characters'],
  ] as const) {
    const { status, json } = await ask(given)
    expect([status, Object.keys(json.errors ?? {})], text).toEqual([422, ['username']])
  }
  expect(
    (await world.ask({ origin, method: 'POST', path: '/admin/forgot', json: { username: address, to: 'me@evil.example' } })).status,
  ).toBe(422)
  const page = await world.ask({ origin, face: 'html', path: '/admin/forgot' })
  expect(page.text).toContain('<h1>Forgot your password?</h1>')
  const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const cookie = cookiesOf(page)
  const form = (fields: Record<string, string>) =>
    world.ask({ origin, face: 'html', method: 'POST', path: '/admin/forgot', form: fields, headers: { cookie, origin } })
  const wrong = await form({ _token: token, username: 'x'.repeat(1001) })
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('x'.repeat(1001))
  expect(wrong.text).toContain('id="username-error"')
  const done = await form({ _token: token, username: address })
  expect(done.status).toBe(200)
  expect(done.text).toContain('a mail with a link is on its way')
  expect(done.text).not.toContain(address)
  await arrived()
  expect(sent).toHaveLength(1)
})

test('a link that is used up leads to where another one is asked for', async () => {
  await open()
  const used = await world.ask({ origin, face: 'html', path: `/admin/reset/${'x'.repeat(43)}` })
  expect([used.status, used.text]).toEqual([404, expect.stringContaining('href="/admin/forgot"')])
  // A page that stands alone says whose it is.
  expect(used.text).toMatch(/<div class="problem">\s*<svg class="mark"/)
})

test('the link leads to the panel, whatever the request says of its host', async () => {
  await open({ trustProxy: 1 })
  await ask(address, { origin: 'https://evil.example', headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '192.0.2.7' } })
  await arrived()
  expect(linkIn(sent[0])).toMatch(/^https:\/\/panel\.example\.com\//)
})

test('a mail that cannot be sent is logged, and nothing of it is told', async () => {
  await open()
  send = async () => {
    throw new Error('550 no such mailbox')
  }
  const answer = await ask(address)
  expect([answer.status, answer.text]).not.toContain('550')
  await arrived()
  expect(world.log.map(({ method, message }) => [method, message])).toEqual([['MAIL', '550 no such mailbox']])
  expect(JSON.stringify(world.log)).not.toMatch(/reset\/[\w-]{20}/)
})

test('who changes a password in the profile is told', async () => {
  await open()
  const cookie = cookiesOf(await signIn(address, secret))
  const changed = await world.ask({
    origin,
    method: 'PUT',
    path: '/admin/profile',
    json: { currentPassword: secret, newPassword: fresh },
    headers: { cookie, origin },
  })
  expect(changed.status).toBe(200)
  await world.ask({
    origin,
    method: 'PUT',
    path: '/admin/profile',
    json: { name: 'Grace' },
    headers: { cookie: cookiesOf(changed), origin },
  })
  await arrived()
  expect(sent.map(({ subject }) => subject)).toEqual(['Your password for Books was changed'])
})

test('a mail server that never answers keeps no panel from closing', async () => {
  await open()
  send = () => new Promise(() => {})
  expect((await ask(address)).status).toBe(202)
  await expect(arrived()).resolves.toBeUndefined()
})

test('a mail that takes a while is waited for', async () => {
  await open()
  send = async (mail) => {
    await setTimeout(300)
    sent.push(mail)
  }
  await ask(address)
  expect(sent).toEqual([])
  await arrived()
  expect(sent).toHaveLength(1)
})

test('users of the application have their addresses in a column; a link is void once theirs is another one', async () => {
  const people = sqliteTable('people', {
    id: integer().primaryKey(),
    login: text().notNull(),
    secret: text().notNull(),
    groups: text().notNull(),
    mailbox: text(),
  })
  sent.length = 0
  send = (mail) => sent.push(mail)
  const columns = { username: 'login', password: 'secret', roles: 'groups', email: 'mailbox' } as const
  world = await openWorld({ url: origin, mail: (mail) => send(mail) })
  const db = new Sqlite(world.path)
  db.exec('create table people (id integer primary key, login text not null, secret text not null, groups text not null, mailbox text)')
  db.exec("insert into people values (1, 'ada', 'none', 'admin', 'ada@example.com'), (2, 'bob', 'none', 'admin', null)")
  db.close()
  const panel = definePanel({
    database: `sqlite:${world.path}`,
    resources: [],
    users: { model: people, columns },
    url: origin,
    mail: (mail) => send(mail),
  })
  for (const username of ['ada', 'bob'])
    expect((await askPanel(panel, { origin, method: 'POST', path: '/admin/forgot', json: { username } })).status).toBe(202)
  await vi.waitFor(() =>
    expect(sent.map(({ to, name, subject }) => [to, name, subject])).toEqual([
      ['ada@example.com', 'ada', 'Set a new password for Daymark'],
    ]),
  )
  const asked = { origin, path: pathOf(linkIn(sent[0])) }
  expect((await askPanel(panel, asked)).status).toBe(200)
  // Whoever reads the old mailbox is no longer who the user is.
  const again = new Sqlite(world.path)
  // The panel may still be writing, in this very process.
  await vi.waitFor(() => again.exec("update people set mailbox = 'ada@example.org' where id = 1"), { timeout: 10_000 })
  again.close()
  expect((await askPanel(panel, asked)).status).toBe(404)
  await panel.close()
})

test('where users sign in with a provider, who has no password gets none by mail', async () => {
  await open()
  await world.inside.store?.admin?.create({ username: 'sso@example.com', name: 'Sso', roles: [], passwordHash: null })
  const { realm } = world.inside
  const provided = { ...realm, auth: { ...realm.auth, services: { ...realm.auth.services, openIds: [{}] } } }
  const { forgot } = await import('../../src/crud/account/forgot-password.js')
  const input = { body: { from: 'json', fields: new Map([['username', 'sso@example.com']]) } }
  await forgot({ realm: provided, input, from: { address: '192.0.2.1' } } as never)
  await arrived()
  expect(sent).toEqual([])
  // Without a provider, it is how an invited user gets a first one.
  await ask('sso@example.com')
  await arrived()
  expect(sent.map(({ to }) => to)).toEqual(['sso@example.com'])
})

test('the sign-in page leads there, if the panel sends mails', async () => {
  await open()
  const login = await world.ask({ origin, face: 'html', path: '/admin/login' })
  expect(login.text).toContain('href="/admin/forgot"')
  expect((await world.ask({ origin, path: '/admin/forgot' })).json.message).toContain('Enter your username')
  await world.close()
  world = await openWorld()
  expect((await world.ask({ face: 'html', path: '/admin/login' })).text).not.toContain('/admin/forgot')
  expect((await world.ask({ path: '/admin/forgot' })).status).toBe(404)
  expect((await world.ask({ method: 'POST', path: '/admin/forgot', json: { username: 'admin' } })).status).toBe(404)
})

test('a panel with tokens has it in JSON', async () => {
  await open(tokenMode())
  expect((await ask(address)).status).toBe(202)
  await arrived()
  expect(sent).toHaveLength(1)
})

test('where mails reach somebody', () => {
  const of = (username: string, email?: string | null) =>
    addressOf({ ...(email !== undefined && { email }), identity: { id: '1', username, name: username, roles: [] } })
  expect(of('ada')).toBeNull()
  expect(of('ada@example.com')).toBe('ada@example.com')
  expect(of('ada', 'ada@example.com')).toBe('ada@example.com')
  expect(of('ada@old.example', 'ada@example.com')).toBe('ada@example.com')
  for (const hostile of [
    'a@b.example, c@d.example',
    'a@b.example\nBcc: c@d.example',
    'A <a@b.example>',
    'a b@c.example',
    'a@b@c',
    '@b',
    'a@',
  ])
    expect(of(hostile), hostile).toBeNull()
  expect(of(`${'x'.repeat(250)}@y.example`)).toBeNull()
})

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: text().notNull() })

test('a panel whose mails could lead nowhere does not start', async () => {
  world = await openWorld()
  const start = (spec: object) => () =>
    definePanel({ database: 'sqlite::memory:', resources: [defineResource({ model: notes })], mail: () => {}, ...spec })
  expect(start({})).toThrow(/mail +url: the links in mails lead there/)
  expect(start({ auth: 'open', url: origin })).toThrow(/mail +mail: with auth: 'open' there are no users/)
  expect(start({ mail: 'smtp://mail.example', url: origin })).toThrow(/mail +mail: is no function/)
  const auth = { middleware: authenticate(), pipelines: [apiKeys()] }
  expect(start({ auth, url: origin })).toThrow(/mail +mail: nobody signs in with a password here/)
})
