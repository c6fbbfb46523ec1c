import {
  accountEventsResource,
  apiKeys,
  authenticate,
  DeclarationError,
  definePanel,
  type PanelSpec,
  password,
  session,
  usersResource,
  type ViewAs,
} from 'daymark'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documentOf } from '../../src/openapi/document.js'
import { type Ask, Cities, Countries, openWorld, tokenMode, Vaults, type World, worldsOver } from './world.js'

const may = (viewAs: ViewAs): Pick<PanelSpec, 'auth'> => ({
  auth: { middleware: authenticate(), pipelines: [password(), apiKeys()], viewAs },
})
const Users = usersResource({ roles: ['admin', 'editor', 'reader'], can: ['admin', 'editor'] })
const open = (viewAs: ViewAs) =>
  openWorld({ resources: [Countries, Cities, Vaults, Users, accountEventsResource()], notifications: true, ...may(viewAs) })

describe.each(['sqlite', 'postgresql'] as const)('over %s, who looks at the panel as somebody else', (database) => {
  let world: World
  let admin: Record<string, string>
  const ask = (what: Ask) => world.ask({ headers: admin, ...what })
  const page = (path: string) => ask({ path, face: 'html' })
  const idOf = async (username: string) => (await world.inside.store?.users.byUsername(username))?.identity.id as string
  const begin = async (username: string, more: Partial<Ask> = {}) =>
    ask({ method: 'PUT', path: `/admin/view-as/${await idOf(username)}`, ...more })
  const end = async (username: string) => ask({ method: 'DELETE', path: `/admin/view-as/${await idOf(username)}` })
  beforeAll(async () => {
    worldsOver(database)
    world = await open(['admin'])
  })
  beforeEach(async () => {
    admin = await world.as('admin')
  })
  afterAll(async () => {
    worldsOver('sqlite')
    await world?.close()
  })

  test('sees what they see, at once, and then what they saw before', async () => {
    const list = '/admin/resource/cities/crud'
    // Twice, so that the panel knows the answers.
    for (const _ of [1, 2]) expect((await ask({ path: list })).json.data[0]).toHaveProperty('launchCode')
    for (const _ of [1, 2]) expect((await page(list)).text).not.toContain('class="viewing info"')
    expect((await ask({ path: '/admin/resource/vaults/crud' })).status).toBe(200)
    expect((await begin('reader')).json).toEqual({ message: 'You look at the panel as reader' })
    expect((await ask({ path: list })).json.data[0]).not.toHaveProperty('launchCode')
    expect((await ask({ path: '/admin/resource/vaults/crud' })).status).toBe(403)
    const shown = await page(list)
    expect(shown.text).toContain('You see the panel as reader does, and can change nothing')
    expect(shown.text).toContain('Back to admin')
    expect(shown.text).not.toContain('swordfish')
    // Those who are looked at see none of it.
    const own = await world.ask({ path: list, face: 'html', headers: await world.as('reader') })
    expect(own.text).not.toContain('class="viewing info"')
    expect((await end('editor')).json.detail).toBe('You do not look at the panel as this user')
    expect((await end('reader')).json).toEqual({ message: 'You are yourself again' })
    expect((await end('reader')).status).toBe(404)
    expect((await ask({ path: list })).json.data[0]).toHaveProperty('launchCode')
    expect((await page(list)).text).not.toContain('class="viewing info"')
  })

  test.each<[what: string, ask: Ask]>([
    ['changes no record', { method: 'PUT', path: '/admin/resource/countries/crud/1', json: { name: 'x' } }],
    ['deletes none', { method: 'DELETE', path: '/admin/resource/countries/crud/1' }],
    ['deletes none by a form', { method: 'POST', path: '/admin/resource/countries/crud/1', form: { _method: 'DELETE', _confirmed: '1' } }],
    ['changes no preferences', { method: 'PATCH', path: '/admin/preferences', json: { theme: 'dark' } }],
    ['changes no profile', { method: 'PUT', path: '/admin/profile', json: { name: 'x' } }],
    ['ends no sessions', { method: 'DELETE', path: '/admin/profile/sessions' }],
    ['makes no key', { method: 'POST', path: '/admin/profile/api-keys', json: { name: 'x' } }],
    ['looks as nobody further', { method: 'PUT', path: '/admin/view-as/1' }],
    ['nor by a form', { method: 'POST', path: '/admin/view-as/1', form: { _method: 'PUT' } }],
  ])('%s', async (_, what) => {
    await begin('editor')
    const answer = await ask({ ...what, headers: { ...admin, origin: 'http://localhost:3000' } })
    expect([answer.status, answer.json.detail]).toEqual([403, 'You look at the panel as editor and can change nothing'])
    expect((await ask({ path: '/admin/resource/countries/crud/1' })).json.data.name).toBe('Germany')
  })

  test('sees none of their sessions, keys and factors', async () => {
    await world.as('editor')
    await begin('editor')
    const profile = (await ask({ path: '/admin/profile' })).json.data
    expect(profile).toMatchObject({ username: 'editor', sessions: [] })
    expect((await ask({ path: '/admin/profile/api-keys' })).status).toBe(403)
  })

  test('leaves what they were told unread', async () => {
    await world.panel.notify({ to: await idOf('editor'), text: 'For the editor', link: '/admin/resource/cities/crud' })
    await begin('editor')
    const [{ id }] = (await ask({ path: '/admin/notifications' })).json.data
    const opened = await page(`/admin/notifications/${id}`)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/admin/resource/cities/crud'])
    expect((await ask({ path: `/admin/notifications/${id}` })).json.data.readAt).toBe(null)
  })

  test('can sign out, which ends their own session, and is told of themselves', async () => {
    const editor = await world.as('editor')
    await begin('editor')
    expect((await ask({ method: 'POST', path: '/admin/logout', headers: { ...admin, origin: 'http://localhost:3000' } })).status).toBe(200)
    expect((await ask({ path: '/admin/profile' })).status).toBe(401)
    expect((await world.ask({ path: '/admin/profile', headers: editor })).status).toBe(200)
    const told = await world.ask({ path: '/admin/resource/account-events/crud?filter[event]=signedOut', headers: await world.as('admin') })
    expect(told.json.data).toMatchObject([{ username: 'admin' }])
  })

  test('may do so as those who may not, and are active', async () => {
    await world.inside.store?.admin?.create({ username: `second-${database}`, name: 'Second', roles: ['admin'], passwordHash: null })
    const denied = 'You may not look at the panel as this user'
    for (const username of ['admin', `second-${database}`]) expect((await begin(username)).json.detail).toBe(denied)
    for (const id of ['999', 'x'])
      expect((await ask({ method: 'PUT', path: `/admin/view-as/${id}` })).json.detail).toBe('There is no such user')
    const users = '/admin/resource/users/crud'
    await ask({ method: 'PUT', path: `${users}/${await idOf('nobody')}`, json: { active: false } })
    expect((await begin('nobody')).status).toBe(403)
    const editor = await world.as('editor')
    expect((await begin('reader', { headers: editor })).json.detail).toBe(denied)
  })

  test('is themselves again once they may not, or the user is locked out', async () => {
    await begin('reader')
    const of = async () => (await ask({ path: '/admin/profile' })).json.data.username
    expect(await of()).toBe('reader')
    const editor = await world.as('editor')
    const set = async (username: string, fields: object) =>
      world.ask({ method: 'PUT', path: `/admin/resource/users/crud/${await idOf(username)}`, json: fields, headers: editor })
    await set('reader', { active: false })
    expect(await of()).toBe('admin')
    await set('reader', { active: true })
    expect(await of()).toBe('reader')
    await set('admin', { roles: ['editor'] })
    expect(await of()).toBe('admin')
    await set('admin', { roles: ['admin'] })
  })

  test('is kept as an event, once', async () => {
    await begin('editor')
    await end('editor')
    const path = '/admin/resource/account-events/crud?filter[event]=viewedAs&perPage=1'
    const before = (await ask({ path })).json
    expect(before.data[0]).toMatchObject({ username: 'editor', byUsername: 'admin', way: 'administration', address: '192.0.2.1' })
    await end('editor')
    expect((await ask({ path })).json.meta.total).toBe(before.meta.total)
  })

  test('begins on the page of a user, and ends where they are', async () => {
    const record = `/admin/resource/users/crud/${await idOf('reader')}`
    const shown = await page(record)
    expect(shown.text).toContain('View as reader')
    expect(shown.text).toContain(`formaction="/admin/view-as/${await idOf('reader')}"`)
    expect((await page(`/admin/resource/users/crud/${await idOf('admin')}`)).text).not.toContain('View as')
    const list = await page('/admin/resource/users/crud')
    expect(list.text.match(/View as \w+/g)).toEqual(expect.arrayContaining(['View as reader', 'View as editor']))
    expect(list.text).not.toContain('View as admin')
    expect(list.text).toContain(`formaction="/admin/view-as/${await idOf('reader')}"`)
    const unlisted = await world.ask({ path: '/admin/resource/users/crud', face: 'html', headers: await world.as('editor') })
    expect(unlisted.text).not.toContain('View as')
    const editor = await world.ask({ path: record, face: 'html', headers: await world.as('editor') })
    expect(editor.text).toContain('reader')
    expect(editor.text).not.toContain('View as')
    const send = (path: string, method: string, from: string) =>
      ask({
        method: 'POST',
        path,
        face: 'html',
        form: { _method: method },
        headers: { ...admin, origin: 'http://localhost:3000', referer: `http://localhost:3000${from}` },
      })
    const begun = await send(`/admin/view-as/${await idOf('reader')}`, 'PUT', record)
    expect([begun.status, begun.headers.get('location')]).toEqual([303, '/admin'])
    const refused = await send('/admin/resource/countries/crud', '', '/admin/resource/countries/page/form-page')
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('You look at the panel as reader and can change nothing')
    const ended = await send(`/admin/view-as/${await idOf('reader')}`, 'DELETE', '/admin/resource/cities/crud?sort=name')
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/admin/resource/cities/crud?sort=name'])
  })

  test('is asked for the token of the form', async () => {
    const path = `/admin/view-as/${await idOf('reader')}`
    expect((await ask({ method: 'POST', path, form: { _method: 'PUT' }, face: 'html' })).status).toBe(403)
    expect((await ask({ path: '/admin/profile' })).json.data.username).toBe('admin')
  })
})

test('a function decides who may look as whom', async () => {
  const world = await open(({ user, as }) => user.roles.includes('editor') && as.username === 'reader')
  const editor = await world.as('editor')
  const begin = async (username: string, headers: Record<string, string>) => {
    const id = (await world.inside.store?.users.byUsername(username))?.identity.id
    return (await world.ask({ method: 'PUT', path: `/admin/view-as/${id}`, headers })).status
  }
  expect(await begin('nobody', editor)).toBe(403)
  expect(await begin('reader', await world.as('admin'))).toBe(403)
  expect(await begin('reader', editor)).toBe(200)
  await world.close()
})

test('a function that throws denies, and is logged once for each request', async () => {
  let broken = false
  const world = await open(() => {
    if (broken) throw new Error('a mistake')
    return true
  })
  const headers = await world.as('admin')
  const id = (await world.inside.store?.users.byUsername('reader'))?.identity.id
  const get = (path: string, face: 'html' | 'json' = 'json') => world.ask({ path, headers, face })
  await world.ask({ method: 'PUT', path: `/admin/view-as/${id}`, headers })
  expect((await get('/admin/profile')).json.data.username).toBe('reader')
  broken = true
  world.log.splice(0)
  // The last two ask it of users who are shown, too.
  for (const path of ['/admin/profile', `/admin/resource/users/crud/${id}`, '/admin/resource/users/crud']) {
    const { status, text } = await get(path, 'html')
    expect([status, text.includes('admin'), text.includes('View as')]).toEqual([200, true, false])
  }
  expect(world.log.map(({ message, path }) => `${message} ${path}`)).toEqual([
    'a mistake /admin/profile',
    `a mistake /admin/resource/users/crud/${id}`,
    'a mistake /admin/resource/users/crud',
  ])
  await world.close()
})

test('programs cannot, and the document says nothing of it where nobody may', async () => {
  const world = await openWorld(tokenMode())
  const headers = await world.as('admin')
  expect((await world.ask({ method: 'PUT', path: '/admin/view-as/2', headers })).status).toBe(404)
  await world.close()
  const paths = async (viewAs?: ViewAs) => {
    const world = await openWorld(viewAs && may(viewAs))
    const { paths } = documentOf(world.inside.house, { title: 'Test' })
    await world.close()
    return Object.keys(paths).filter((path) => path.includes('view-as'))
  }
  expect(await paths()).toEqual([])
  expect(await paths(['admin'])).toEqual(['/admin/view-as/{id}'])
})

test.each<[id: string, settings: object]>([
  ['setting-value', may(true as never)],
  ['setting-value', may((async () => true) as never)],
  ['setting-value', may('admin' as never)],
  ['view-as', { middleware: [], ...may(['admin']) }],
])('what is no such setting stops the start: %s', (id, settings) => {
  const start = () => definePanel({ database: 'sqlite::memory:', middleware: [session()], resources: [], ...settings })
  expect(start).toThrow(DeclarationError)
  expect(start).toThrow(id)
})
