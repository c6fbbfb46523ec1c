import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, type Panel, type PanelSpec } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Account } from '../../src/auth/account.js'
import { hashPassword } from '../../src/auth/password.js'
import { makeReset } from '../../src/crud/account/reset-password.js'
import { type Inside, inside } from '../../src/panel.js'
import { own as twinned } from '../../src/store/sql/twin.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'
import { tokenMode } from './world.js'

const goods = twinned(sqliteTable('goods', { id: integer().primaryKey(), name: text().notNull() }))
const trials = twinned(sqliteTable('trials', { id: integer().primaryKey(), name: text().notNull() }))
const folder = mkdtempSync(join(tmpdir(), 'daymark-two-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})

let made = 0
const databases = {
  SQLite: async () => `sqlite:${join(folder, `${++made}.db`)}`,
  PostgreSQL: async () => {
    const { url, drop } = await openDatabase()
    ending.push(drop)
    return url
  },
}

/** Two panels of one process: another id, prefix, resource and set of users each. */
async function open(shop: string, lab: string, more: Partial<PanelSpec> = {}) {
  const panels = {
    shop: definePanel({
      ...more,
      id: 'shop',
      title: 'Shop',
      database: shop,
      resources: [defineResource({ model: goods, can: { viewAny: false } })],
    }),
    lab: definePanel({
      ...more,
      id: 'lab',
      title: 'Lab',
      prefix: { panel: 'lab' },
      database: lab,
      resources: [defineResource({ model: trials, can: { viewAny: false } })],
    }),
  }
  for (const panel of Object.values(panels)) ending.push(() => panel.close())
  await Promise.all([
    panels.shop.ensureUser({ username: 'ada', password: 'of the shop, as it is', roles: ['seller'] }),
    panels.lab.ensureUser({ username: 'ada', password: 'of the lab, as it is', roles: ['chemist'] }),
  ])
  return panels
}

const ask = (panel: Panel, path: string, cookie = '') =>
  panel.fetch(new Request(`http://localhost${path}`, { headers: { accept: 'application/json', ...(cookie && { cookie }) } }))

const post = (panel: Panel, path: string, json: object) =>
  panel.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
  )

async function signIn(panel: Panel, password: string) {
  const body = JSON.stringify({ username: 'ada', password })
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const answer = await panel.fetch(new Request(`http://localhost${panel.route('authenticate')}`, { method: 'POST', headers, body }))
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { status: answer.status, cookie, user: ((await answer.json()) as { user?: { roles: string[] } }).user }
}

describe.each(Object.keys(databases) as (keyof typeof databases)[])('two panels of one process over %s', (kind) => {
  test('each has users, sessions, paths and resources of its own', async () => {
    const { shop, lab } = await open(await databases[kind](), await databases[kind]())
    const [inShop, inLab] = [await signIn(shop, 'of the shop, as it is'), await signIn(lab, 'of the lab, as it is')]
    expect([inShop.user?.roles, inLab.user?.roles]).toEqual([['seller'], ['chemist']])
    // The password of the one is none in the other.
    expect((await signIn(lab, 'of the shop, as it is')).status).toBe(401)
    expect([inShop.cookie.split('=')[0], inLab.cookie.split('=')[0]]).toEqual(['daymark-shop', 'daymark-lab'])
    // Both cookies at once, as one browser sends them.
    const both = `${inShop.cookie}; ${inLab.cookie}`
    expect([(await ask(shop, '/admin/profile', both)).status, (await ask(lab, '/lab/profile', both)).status]).toEqual([200, 200])
    // The session of the one is none in the other, not even under the other's name.
    const foreign = `daymark-lab=${inShop.cookie.split('=').slice(1).join('=')}`
    expect([(await ask(lab, '/lab/profile', inShop.cookie)).status, (await ask(lab, '/lab/profile', foreign)).status]).toEqual([401, 401])
    expect([(await ask(shop, '/lab/profile', both)).status, (await ask(lab, '/admin/profile', both)).status]).toEqual([404, 404])
    expect([[...shop.resources.keys()], [...lab.resources.keys()]]).toEqual([['goods'], ['trials']])
    expect([
      (await ask(shop, '/admin/resource/trials/crud', both)).status,
      (await ask(lab, '/lab/resource/goods/crud', both)).status,
    ]).toEqual([404, 404])
  })

  test('in one database they share the tables, and a session is still that of one of them', async () => {
    const database = await databases[kind]()
    const { shop, lab } = await open(database, database)
    // Both see to the password of the one user that there is: whichever comes last.
    const tried = [await signIn(shop, 'of the shop, as it is'), await signIn(shop, 'of the lab, as it is')]
    const inShop = tried.find(({ status }) => status === 200) as (typeof tried)[number]
    expect((await ask(shop, '/admin/profile', inShop.cookie)).status).toBe(200)
    const foreign = `daymark-lab=${inShop.cookie.split('=').slice(1).join('=')}`
    expect((await ask(lab, '/lab/profile', foreign)).status).toBe(401)
  })
  test('in one database, a refresh token and a link to set a password are those of one of them, too', async () => {
    const database = await databases[kind]()
    const { shop, lab } = await open(database, database, tokenMode())
    await shop.ensureUser({ username: 'ada', password: 'of the shop, as it is', roles: [] })
    const signedIn = await post(shop, '/admin/authenticate', { username: 'ada', password: 'of the shop, as it is' })
    const { refreshToken } = (await signedIn.json()) as { refreshToken: string }
    expect((await post(lab, '/lab/refresh', { refreshToken })).status).toBe(401)
    expect((await post(shop, '/admin/refresh', { refreshToken })).status).toBe(200)
    const { services } = ((shop as unknown as Record<symbol, Inside>)[inside] as Inside).realm.auth
    const token = await makeReset(services, (await services.users.byUsername('ada')) as Account)
    expect((await post(lab, `/lab/reset/${token}`, { password: 'set by a foreign link' })).status).toBe(404)
    expect((await post(shop, `/admin/reset/${token}`, { password: 'set by a link of the shop' })).status).toBe(200)
  })
})

test('in one database, panels whose users stand in different tables keep the sessions of users with the same id apart', async () => {
  const path = join(folder, 'apart.db')
  const client = new Sqlite(path)
  client.exec('create table people (id integer primary key, email text not null, hash text, groups text not null)')
  client.prepare('insert into people values (?, ?, ?, ?)').run(1, 'root', await hashPassword('of the shop, as it is'), 'admin')
  const people = sqliteTable('people', { id: integer().primaryKey(), email: text().notNull(), hash: text(), groups: text().notNull() })
  const users = { model: people, columns: { username: 'email', password: 'hash', roles: 'groups' } } as const
  const database = `sqlite:${path}`
  const shop = definePanel({ id: 'shop', database, resources: [], users })
  const staff = definePanel({ id: 'staff', database, resources: [], prefix: { panel: 'staff' } })
  ending.push(
    () => shop.close(),
    () => staff.close(),
  )
  await staff.ensureUser({ username: 'intern', password: 'of the staff, as it is', roles: [] })
  const as = async (panel: Panel, username: string, password: string) => {
    const answer = await post(panel, panel.route('authenticate'), { username, password })
    return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const [root, intern] = [await as(shop, 'root', 'of the shop, as it is'), await as(staff, 'intern', 'of the staff, as it is')]
  const sessions = async (panel: Panel, path: string, cookie: string) =>
    ((await (await ask(panel, path, cookie)).json()) as { data: { id: string; sessions: { id: string }[] } }).data
  const [inShop, inStaff] = [await sessions(shop, '/admin/profile', root), await sessions(staff, '/staff/profile', intern)]
  expect([inShop.id, inStaff.id]).toEqual(['1', '1'])
  expect([inShop.sessions.length, inStaff.sessions.length]).toEqual([1, 1])
  const end = (path: string) =>
    staff.fetch(new Request(`http://localhost${path}`, { method: 'DELETE', headers: { accept: 'application/json', cookie: intern } }))
  expect((await end(`/staff/profile/sessions/${inShop.sessions[0]?.id}`)).status).toBe(404)
  expect((await end('/staff/profile/sessions')).status).toBe(200)
  expect((await ask(shop, '/admin/profile', root)).status).toBe(200)
  client.close()
})
