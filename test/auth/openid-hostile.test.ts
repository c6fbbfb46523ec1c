import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiKeys, authenticate, definePanel, type PanelSpec, password } from 'daymark'
import { type OpenIdOptions, openId } from 'daymark/openid'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type HostileProvider, startHostile } from '../support/hostile-provider.js'
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
  return page(world, provider.back(begun.headers.get('location') ?? ''), [before, cookiesOf(begun)].filter(Boolean).join('; '))
}

const person = (sub: string, email = `${sub}@example.com`) => ({ sub, email, email_verified: true })

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
