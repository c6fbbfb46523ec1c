import type { Mail, PanelSpec } from 'daymark'
import { afterEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/auth/password.js'
import { cookiesOf, openWorld, secret, type Who, type World, worldsOver } from './world.js'

const origin = 'https://panel.example.com'
const fresh = 'a quite different battery'
let world: World
const sent: Mail[] = []

async function open(spec: Partial<PanelSpec> = {}): Promise<void> {
  sent.length = 0
  world = await openWorld({ url: origin, title: 'Books', ...spec })
  for (const username of ['ada@example.com', 'bob'])
    await world.inside.store?.admin?.create({ username, name: username, roles: ['editor'], passwordHash: null })
}

const mail = (one: Mail) => sent.push(one)
const idOf = async (username: string) => (await world.inside.store?.users.byUsername(username))?.identity.id ?? ''

async function ask(ids: readonly string[], who: Who = 'admin', face: 'json' | 'html' = 'json') {
  const signedIn = await world.ask({ origin, method: 'POST', path: '/admin/authenticate', json: { username: who, password: secret } })
  const cookie = cookiesOf(signedIn)
  const page = await world.ask({ origin, face: 'html', path: '/admin/profile', headers: { cookie } })
  const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const path = '/admin/resource/users/handler/passwordLink'
  return face === 'json'
    ? world.ask({ origin, method: 'POST', path, json: { ids }, headers: { cookie, origin } })
    : world.ask({
        origin,
        face,
        method: 'POST',
        path,
        headers: { cookie, origin },
        form: [['_token', token], ...ids.map((id) => ['ids[]', id] as const)],
      })
}

const linkIn = (text: string) => /https:\/\/panel\.example\.com(\/admin\/reset\/[\w-]{43})/.exec(text)?.[1] ?? ''
const set = (path: string) => world.ask({ origin, method: 'POST', path, json: { password: fresh } })
const signIn = (username: string) => world.ask({ origin, method: 'POST', path: '/admin/authenticate', json: { username, password: fresh } })

afterEach(async () => {
  await world.close()
  worldsOver('sqlite')
})

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  test('an administrator gets a link for a user who has no password yet, once', async () => {
    worldsOver(database)
    await open()
    const answer = await ask([await idOf('bob')])
    expect(answer.status).toBe(200)
    const path = linkIn(answer.json.html)
    expect(path).not.toBe('')
    expect((await set(path)).status).toBe(200)
    expect((await signIn('bob')).status).toBe(200)
    expect((await set(path)).status).toBe(404)
    const page = await ask([await idOf('ada@example.com')], 'admin', 'html')
    expect(page.status).toBe(200)
    expect(linkIn(page.text)).not.toBe('')
    expect(page.text).toContain('Give this to ada@example.com, and to nobody else:')
  })
})

test('where the panel sends mails, the link goes to the user and is shown to nobody else', async () => {
  await open({ mail })
  const answer = await ask([await idOf('ada@example.com'), await idOf('bob')])
  expect(answer.status).toBe(200)
  expect(answer.json.message).toBe('A mail with a link to set a password went to ada@example.com')
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([['ada@example.com', 'Set a new password for Books']])
  const mailed = linkIn(sent[0]?.text ?? '')
  expect(answer.text).not.toContain(mailed)
  // Bob has no address.
  expect(answer.json.html).toContain('Give this to bob')
  expect((await set(mailed)).status).toBe(200)
  expect((await signIn('ada@example.com')).status).toBe(200)
})

test('a mail that cannot be sent is logged, and the link is shown instead', async () => {
  await open({
    mail: () => {
      throw new Error('no route to the mail server')
    },
  })
  const answer = await ask([await idOf('ada@example.com')])
  expect(linkIn(answer.json.html)).not.toBe('')
  expect(world.log.map(({ method, message }) => [method, message])).toEqual([['MAIL', 'no route to the mail server']])
})

test('nobody gets a link for themselves, for somebody who is disabled, or without the right to change users', async () => {
  await open()
  const self = await ask([await idOf('admin')])
  expect([self.status, self.json.detail]).toEqual([422, 'Change your own on your profile'])
  const { admin } = world.inside.store ?? {}
  await admin?.create({ username: 'gone', name: 'Gone', roles: [], passwordHash: await hashPassword(secret) })
  await admin?.setActive('gone', false)
  const off = await ask([await idOf('gone'), await idOf('bob')])
  expect([off.status, off.json.detail]).toEqual([422, 'gone is not active: a link would not work'])
  expect((await ask([await idOf('bob')], 'editor')).status).toBe(403)
  expect((await ask([])).status).toBe(422)
  expect((await ask(['9999'])).status).toBe(404)
  expect((await ask(Array.from({ length: 51 }, (_, i) => String(i)))).status).not.toBe(200)
})

test('without a `url`, the link is a path of the panel', async () => {
  sent.length = 0
  world = await openWorld()
  const cookie = (await world.as('admin')).cookie ?? ''
  const answer = await world.ask({
    method: 'POST',
    path: '/admin/resource/users/handler/passwordLink',
    json: { ids: [await idOf('reader')] },
    headers: { cookie, origin: 'http://localhost:3000' },
  })
  expect(answer.json.html).toMatch(/<a href="(\/admin\/reset\/[\w-]{43})">\1<\/a>/)
})
