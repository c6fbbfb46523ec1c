import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeclarationError, definePanel, defineResource, id, number, type Panel, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const cities = sqliteTable('cities', { id: integer().primaryKey(), name: varchar().notNull(), population: integer(), secret: varchar() })
const fields = {
  id: id(),
  name: text('Name').sortable(),
  population: number('Population').sortable(),
  secret: text('Secret').visible(['boss']).sortable(),
}
const Cities = defineResource({ model: cities, fields, filters: ['population', 'secret'] })
const Hidden = defineResource({ model: cities, uriKey: 'hidden', fields: { id: id() }, can: { view: ['boss'] } })

const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
const database = `sqlite:${join(folder, 'cities.db')}`
const statements: string[] = []
const faults: string[] = []
const cookies = new Map<string, string>()
let panel: Panel

function open(shareViews?: Parameters<typeof definePanel>[0]['shareViews']) {
  const log = ({ message }: { readonly message: string }) => void faults.push(message)
  const observe = (sql: string) => statements.push(sql)
  panel = definePanel({ database, resources: [Cities, Hidden], secret: 'x', log, observe, ...(shareViews !== undefined && { shareViews }) })
}

beforeAll(async () => {
  const db = new Sqlite(join(folder, 'cities.db'))
  db.exec('CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, population INTEGER, secret TEXT)')
  db.exec("INSERT INTO cities VALUES (1, 'Oslo', 7, 'sesame'), (2, 'Rome', 3, 'sesame')")
  db.close()
  open(['boss'])
  for (const [username, roles] of [
    ['ann', ['clerk']],
    ['bob', ['boss']],
    ['cyd', ['editor']],
  ] as const) {
    await panel.ensureUser({ username, roles, password: 'correct horse battery' })
    const { headers } = await send(username, 'POST', '/authenticate', { json: { username, password: 'correct horse battery' } })
    cookies.set(username, headers.getSetCookie()[0]?.split(';')[0] ?? '')
  }
})
afterAll(async () => {
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Given {
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
}

async function send(who: string, method: string, path: string, { json, form }: Given = {}) {
  const response = await panel.fetch(
    new Request(`http://localhost/admin${path}`, {
      method,
      headers: {
        accept: form || path.includes('/crud') ? 'text/html' : 'application/json',
        cookie: cookies.get(who) ?? '',
        'sec-fetch-site': 'same-origin',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: new URLSearchParams({ _method: 'PATCH', _resource: 'cities', ...form }).toString() }),
    }),
  )
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const patch = (who: string, json: unknown) => send(who, 'PATCH', '/preferences', { json })
const submit = (who: string, form: Readonly<Record<string, string>>) => send(who, 'POST', '/preferences', { form })
const kept = async (who: string) => JSON.parse((await send(who, 'GET', '/preferences')).text).data

/** The views in the menu of a list; those with a cross can be deleted. */
async function menu(who: string, query = '') {
  const { text: page } = await send(who, 'GET', `/resource/cities/crud${query}`)
  const [, inMenu = ''] = /<div class="menu options" popover id="index-table-cities-views">(.*?)<hr>/s.exec(page) ?? []
  const [own = '', shared = ''] = inMenu.split('<div class="title">Views for everybody</div>')
  const names = (part: string) =>
    [...part.matchAll(/<li><a href="[^"]+"( aria-current="true")?><span>([^<]*)<\/span><\/a>(<button class="forget")?/g)].map(
      ([, current, name, forget]) => `${name}${current ? '*' : ''}${forget ? ' x' : ''}`,
    )
  return { own: names(own), shared: names(shared), offers: page.includes('<input type="checkbox" name="_shared"') }
}

describe('a view for everybody', () => {
  test('is saved by whoever may, and offered to all, who cannot delete it', async () => {
    expect(await menu('ann')).toEqual({ own: [], shared: [], offers: false })
    expect(await menu('bob')).toEqual({ own: [], shared: [], offers: true })
    const saved = await submit('bob', { _view: 'By name', _query: 'sort=name&page=2', _shared: '1' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/admin/resource/cities/crud?sort=name'])
    expect(await menu('ann', '?sort=name')).toEqual({ own: [], shared: ['By name*'], offers: false })
    expect(await menu('bob')).toEqual({ own: [], shared: ['By name x'], offers: true })
    expect(await kept('ann')).toMatchObject({ views: {}, sharedViews: { cities: { 'By name': 'sort=name' } } })
  })

  test('stands beside an own one of the same name', async () => {
    await submit('ann', { _view: 'By name', _query: 'sort=-name' })
    expect(await menu('ann')).toEqual({ own: ['By name x'], shared: ['By name'], offers: false })
    expect(await menu('bob')).toEqual({ own: [], shared: ['By name x'], offers: true })
    expect(await kept('ann')).toMatchObject({
      views: { cities: { 'By name': 'sort=-name' } },
      sharedViews: { cities: { 'By name': 'sort=name' } },
    })
    await submit('ann', { _forget: 'By name' })
    expect(await menu('ann')).toEqual({ own: [], shared: ['By name'], offers: false })
  })

  test('is saved and deleted by nobody else, and nothing is written of what is sent along', async () => {
    const before = await kept('ann')
    const refused = await Promise.all([
      submit('ann', { _view: 'Mine', _query: 'sort=name', _shared: '1' }),
      submit('ann', { _forget: 'By name', _shared: '1' }),
      patch('ann', { theme: 'dark', views: { cities: { A: 'sort=name' } }, sharedViews: { cities: { B: 'sort=name' } } }),
      patch('ann', { sharedViews: { cities: { 'By name': null } } }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await kept('ann')).toEqual(before)
    expect(await menu('bob')).toEqual({ own: [], shared: ['By name x'], offers: true })
  })

  test('is not offered to who does not see a field that it goes by, or the list', async () => {
    await patch('bob', {
      sharedViews: {
        cities: { Sesame: 'filter[secret]=sesame', Best: 'sort=secret', Large: 'filter[population][from]=5' },
        hidden: { All: '' },
      },
    })
    expect(await menu('ann')).toMatchObject({ shared: ['By name', 'Large'] })
    expect(await menu('bob')).toMatchObject({ shared: ['Best x', 'By name x', 'Large x', 'Sesame x'] })
    const seen = await kept('ann')
    expect(Object.keys(seen.sharedViews)).toEqual(['cities'])
    expect(Object.keys(seen.sharedViews.cities)).toEqual(['By name', 'Large'])
    expect(JSON.stringify(seen)).not.toContain('esame')
    expect(Object.keys((await kept('bob')).sharedViews)).toEqual(['cities', 'hidden'])
    expect((await send('ann', 'GET', '/resource/cities/crud')).text).not.toContain('esame')
  })

  test('is neither replaced nor deleted by who may share, but is not offered it', async () => {
    await panel.close()
    open(['boss', 'editor'])
    const before = await kept('bob')
    const { status, text: body } = await patch('cyd', { theme: 'dark', sharedViews: { cities: { Sesame: 'sort=name' } } })
    expect([status, JSON.parse(body).errors]).toEqual([
      422,
      { 'sharedViews.cities': ['“Sesame” is the name of a view for everybody that you cannot see'] },
    ])
    expect((await kept('cyd')).theme).toBe('system')
    const page = await submit('cyd', { _view: 'Sesame', _query: 'sort=name', _shared: '1' })
    expect([page.status, page.text.includes('that you cannot see')]).toEqual([422, true])
    expect((await patch('cyd', { sharedViews: { cities: { Sesame: null } } })).status).toBe(422)
    expect((await submit('cyd', { _forget: 'Sesame', _shared: '1' })).status).toBe(422)
    expect(await kept('bob')).toEqual(before)
    // An own one takes nothing from anybody.
    expect((await patch('cyd', { views: { cities: { Sesame: 'sort=name' } } })).status).toBe(200)
    expect((await patch('cyd', { sharedViews: { cities: { 'By name': 'sort=-name' } } })).status).toBe(200)
    expect((await patch('cyd', { sharedViews: { cities: { 'By name': 'sort=name' } } })).status).toBe(200)
  })

  test.each([
    ['a filter that there is none of', { cities: { A: 'filter[name]=x' } }, 'sharedViews.cities'],
    ['no name', { cities: { ' ': 'sort=name' } }, 'sharedViews.cities'],
    ['no text', { cities: { A: 7 } }, 'sharedViews.cities'],
    ['no object', { cities: 'A' }, 'sharedViews.cities'],
    ['a resource that is none', { towns: { A: '' } }, 'sharedViews.towns'],
    ['too many at once', { cities: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`None ${i}`, null])) }, 'sharedViews.cities'],
    ['too many', { cities: Object.fromEntries(Array.from({ length: 47 }, (_, i) => [`View ${i}`, 'sort=name'])) }, 'sharedViews.cities'],
  ])('%s is refused', async (_, sharedViews, name) => {
    const before = await kept('bob')
    const { status, text: body } = await patch('bob', { sharedViews })
    expect([status, Object.keys(JSON.parse(body).errors)]).toEqual([422, [name]])
    expect(await kept('bob')).toEqual(before)
  })

  test('has its own limit', async () => {
    const many = (count: number, name = 'View') =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name} ${i}`, 'sort=name']))
    const atOnce = await Promise.all(['A', 'B', 'C'].map((name) => patch('bob', { views: { cities: many(30, name) } })))
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(Object.keys((await kept('bob')).views.cities)).toHaveLength(30)
    await patch('bob', { views: { cities: Object.fromEntries(Object.keys((await kept('bob')).views.cities).map((one) => [one, null])) } })
    expect((await patch('bob', { views: { cities: many(50) }, sharedViews: { cities: many(46) } })).status).toBe(200)
    await patch('bob', { sharedViews: { cities: Object.fromEntries(Object.keys(many(46)).map((one) => [one, null])) } })
  })

  test('does not count for who is not offered it, as nobody is once its field is gone', async () => {
    const stale = Object.fromEntries(Array.from({ length: 46 }, (_, i) => [`Stale ${i}`, 'sort=secret']))
    expect((await patch('bob', { sharedViews: { cities: stale } })).status).toBe(200)
    await panel.close()
    const { secret: _, ...fewer } = fields
    const Fewer = defineResource({ model: cities, fields: fewer, filters: ['population'] })
    panel = definePanel({ database, secret: 'x', shareViews: ['boss'], resources: [Fewer] })
    expect(await menu('bob')).toMatchObject({ shared: ['By name x', 'Large x'] })
    expect((await patch('bob', { sharedViews: { cities: { New: 'sort=name' } } })).status).toBe(200)
    // Nor does its name.
    expect((await patch('bob', { sharedViews: { cities: { 'Stale 0': 'sort=name' } } })).status).toBe(200)
    await panel.close()
    open(['boss'])
    await patch('bob', { sharedViews: { cities: { New: null, ...Object.fromEntries(Object.keys(stale).map((one) => [one, null])) } } })
  })

  test('is read with the others by one statement', async () => {
    statements.length = 0
    await send('ann', 'GET', '/resource/cities/crud')
    expect(statements.filter((sql) => sql.includes('daymark_preferences'))).toHaveLength(1)
  })
})

test('a function decides for each user, and what throws denies, and is logged', async () => {
  await panel.close()
  open(({ user }) => {
    if (user.username === 'bob') throw new Error('no')
    return user.username === 'ann'
  })
  expect(await menu('ann')).toMatchObject({ shared: ['By name x', 'Large x'], offers: true })
  faults.length = 0
  expect(await menu('bob')).toMatchObject({ offers: false })
  expect(faults).toEqual(['no'])
  expect((await patch('bob', { sharedViews: { cities: { A: '' } } })).status).toBe(403)
})

test('a panel that shares none offers none, and takes none', async () => {
  await panel.close()
  open()
  expect(await menu('bob')).toMatchObject({ shared: [], offers: false })
  expect(await kept('bob')).not.toHaveProperty('sharedViews')
  expect((await patch('bob', { sharedViews: { cities: { A: '' } } })).status).toBe(403)
})

test.each([
  ['an open panel', { auth: 'open', shareViews: true }, 'there is nobody to share a view with'],
  ['a role in place of a list', { shareViews: 'boss' }, 'write true, false, role names'],
  ['what answers later', { shareViews: async () => true }, 'a policy answers at once'],
])('%s stops the start', (_, spec, said) => {
  const start = () => definePanel({ database: 'sqlite::memory:', resources: [Cities], ...spec } as never)
  expect(start).toThrow(DeclarationError)
  expect(start).toThrow(said)
})
