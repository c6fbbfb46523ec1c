import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiKeys, authenticate, definePanel, password } from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/auth/account.js'
import { hashPassword } from '../../src/auth/password.js'
import { makeReset } from '../../src/crud/account/reset-password.js'
import { type Inside, inside } from '../../src/panel.js'
import { Sqlite } from '../support/sqlite.js'
import { type Ask, askPanel, openWorld, secret, tokenMode, type World, worldsOver } from './world.js'

const folder = mkdtempSync(join(tmpdir(), 'daymark-disabled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cities = '/admin/resource/cities/crud'
const statusOf = async (world: World, what: Ask) => (await world.ask(what)).status

/** Disables the editor and lets them in again, by a user of the panel or as the command line does. */
const ways = {
  'in the panel': async (world: World) => {
    const headers = await world.as('admin')
    const id = (await world.inside.store?.users.byUsername('editor'))?.identity.id
    for (const active of [false, true])
      expect(await statusOf(world, { method: 'PATCH', path: `/admin/resource/users/crud/${id}`, headers, json: { active } })).toBe(200)
  },
  'by command': async (world: World) => {
    for (const active of [false, true]) await world.inside.store?.admin?.setActive('editor', active)
  },
}

describe.each(['sqlite', 'postgresql'] as const)('over %s', (database) => {
  const opened = async (spec: Parameters<typeof openWorld>[0]) => {
    worldsOver(database)
    return openWorld(spec).finally(() => worldsOver('sqlite'))
  }

  test.each(Object.entries(ways))(
    'what a user began before they were disabled %s stays over when they are let in again',
    async (_, off) => {
      const world = await opened({ auth: { middleware: authenticate(), pipelines: [password(), apiKeys()] } })
      const { services } = world.inside.realm.auth
      const editor = async () => (await services.users.byUsername('editor')) as Account
      const headers = await world.as('editor')
      const link = `/admin/reset/${await makeReset(services, await editor())}`
      const keys = '/admin/profile/api-keys'
      const { key } = (await world.ask({ method: 'POST', path: keys, headers, json: { name: 'Import', currentPassword: secret } })).json
      const bearer = { authorization: `Bearer ${key}` }
      expect([await statusOf(world, { path: cities, headers }), await statusOf(world, { path: cities, headers: bearer })]).toEqual([
        200, 200,
      ])
      await off(world)
      expect([await statusOf(world, { path: cities, headers }), await statusOf(world, { path: cities, headers: bearer })]).toEqual([
        401, 401,
      ])
      expect(await statusOf(world, { method: 'POST', path: link, json: { password: 'set by an old link' } })).toBe(404)
      const again = await world.as('editor')
      expect(await statusOf(world, { path: cities, headers: again })).toBe(200)
      // The key is shown as one that is good for nothing.
      const [listed] = (await world.ask({ path: keys, headers: again })).json.data
      expect(listed.valid).toBe(false)
      // Another change of the user ends nothing.
      const id = (await editor()).identity.id
      const asAdmin = await world.as('admin')
      expect(
        await statusOf(world, {
          method: 'PATCH',
          path: `/admin/resource/users/crud/${id}`,
          headers: asAdmin,
          json: { name: 'E', active: true },
        }),
      ).toBe(200)
      expect(await statusOf(world, { path: cities, headers: again })).toBe(200)
      expect(world.log).toEqual([])
      await world.close()
    },
  )

  test.each(Object.entries(ways))('nor do the tokens of a user who was disabled %s', async (_, off) => {
    const world = await opened(tokenMode())
    const json = { username: 'editor', password: secret }
    const { token, refreshToken } = (await world.ask({ method: 'POST', path: '/admin/authenticate', json })).json
    await off(world)
    expect(await statusOf(world, { path: cities, headers: { authorization: `Bearer ${token}` } })).toBe(401)
    expect(await statusOf(world, { method: 'POST', path: '/admin/refresh', json: { refreshToken } })).toBe(401)
    await world.close()
  })
})

test('a token of a user of the application ends when it is sent while they are disabled', async () => {
  const path = join(folder, 'app.db')
  const client = new Sqlite(path)
  client.exec('create table staff (id integer primary key, name text not null, hash text, groups text, employed integer not null)')
  client.prepare('insert into staff values (?, ?, ?, ?, ?)').run(1, 'ada', await hashPassword(secret), 'admin', 1)
  const staff = sqliteTable('staff', { id: integer().primaryKey(), name: text(), hash: text(), groups: text(), employed: integer() })
  const columns = { username: 'name', password: 'hash', roles: 'groups', active: 'employed' } as const
  const panel = definePanel({ database: `sqlite:${path}`, resources: [], users: { model: staff, columns }, ...tokenMode() })
  const { token } = (await askPanel(panel, { method: 'POST', path: '/admin/authenticate', json: { username: 'ada', password: secret } }))
    .json
  const profile = async () => (await askPanel(panel, { path: '/admin/profile', headers: { authorization: `Bearer ${token}` } })).status
  const employ = (employed: number) => client.exec(`update staff set employed = ${employed}`)
  expect(await profile()).toBe(200)
  employ(0)
  expect(await profile()).toBe(401)
  const { sessions } = ((panel as unknown as Record<symbol, Inside>)[inside] as Inside).realm.auth.services
  await expect.poll(() => sessions.of('1')).toEqual([])
  employ(1)
  expect(await profile()).toBe(401)
  client.close()
  await panel.close()
})
