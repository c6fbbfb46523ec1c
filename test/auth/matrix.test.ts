import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../src/route/routes.js'
import { type Answer, type Ask, openWorld, tokenMode, type Who, type World } from './world.js'

/** Who asks, for what, in which face. */
type Cell = { readonly who: Who | 'anonymous'; readonly resource: Name; readonly face: 'json' | 'html'; readonly mode: Mode }
type Name = 'cities' | 'vaults'
type Mode = 'session' | 'token'

/** What one route is asked, and what must come of it: written down here, not computed by what is tested. */
interface Row {
  ask(cell: Cell): Partial<Ask>
  /** For those who may pass; who may not are told by `may`. */
  status(cell: Cell): number
  may(cell: Cell): boolean
}

const can: { readonly [A in 'view' | 'create' | 'update' | 'delete']: Readonly<Record<Name, readonly string[]>> } = {
  view: { cities: ['reader', 'editor', 'admin'], vaults: ['admin'] },
  create: { cities: ['editor', 'admin'], vaults: ['admin'] },
  update: { cities: ['editor', 'admin'], vaults: ['admin'] },
  delete: { cities: ['admin'], vaults: ['admin'] },
}
const one =
  (ability: keyof typeof can) =>
  ({ who, resource }: Cell) =>
    can[ability][resource].includes(who)
const signedIn = () => true
const write = ({ face }: Cell, fields: Record<string, string>) => (face === 'json' ? { json: fields } : { form: fields })
const at = ({ resource }: Cell, rest: string) => `/admin/resource/${resource}/${rest}`
const html = <T>({ face }: Cell, page: T, data: T) => (face === 'html' ? page : data)

// A record that is not there is a 404 for whoever may and a 403 for whoever may not: nothing changes on the way.
const rows: { readonly [N in RouteName]: Row } = {
  index: { ask: () => ({ path: '/admin' }), status: () => 200, may: signedIn },
  page: { ask: () => ({ path: '/admin/page/none' }), status: () => 404, may: signedIn },
  login: {
    ask: () => ({ path: '/admin/login' }),
    status: (cell) => (cell.mode === 'token' ? 404 : cell.who === 'anonymous' ? 200 : html(cell, 303, 200)),
    may: signedIn,
  },
  authenticate: { ask: (cell) => ({ path: '/admin/authenticate', ...write(cell, {}) }), status: () => 422, may: signedIn },
  refresh: {
    ask: (cell) => ({ path: '/admin/refresh', ...write(cell, { refreshToken: 'x' }) }),
    status: ({ mode }) => (mode === 'token' ? 401 : 404),
    may: signedIn,
  },
  // Asked with a name that does not exist, so that nobody's session ends: what comes is what the reader of the body says.
  logout: { ask: () => ({ path: '/admin/logout', headers: { 'content-type': 'text/csv' }, body: 'x' }), status: () => 415, may: signedIn },
  profile: { ask: () => ({ path: '/admin/profile' }), status: () => 200, may: signedIn },
  'profile.update': { ask: () => ({ path: '/admin/profile', json: { name: '' } }), status: () => 422, may: signedIn },
  'profile.form': { ask: () => ({ path: '/admin/profile', form: { _method: 'PUT', name: '' } }), status: () => 422, may: signedIn },
  'authenticate.code': {
    ask: (cell) => ({ path: '/admin/authenticate/code', ...write(cell, { ticket: 'none', code: '123456' }) }),
    status: () => 401,
    may: signedIn,
  },
  // The panel of this test has no provider: openid.test.ts has what they do.
  openid: { ask: () => ({ path: '/admin/authenticate/openid/none' }), status: () => 404, may: signedIn },
  'openid.return': { ask: () => ({ path: '/admin/authenticate/openid/none/return?code=x&state=y' }), status: () => 404, may: signedIn },
  'two-factor': { ask: () => ({ path: '/admin/profile/two-factor' }), status: () => 200, may: signedIn },
  'two-factor.on': { ask: () => ({ path: '/admin/profile/two-factor', json: { secret: '' } }), status: () => 422, may: signedIn },
  'two-factor.off': { ask: () => ({ path: '/admin/profile/two-factor', json: { currentPassword: '' } }), status: () => 409, may: signedIn },
  'two-factor.form': {
    ask: () => ({ path: '/admin/profile/two-factor', form: { _method: 'PUT', secret: '' } }),
    status: () => 422,
    may: signedIn,
  },
  'two-factor.codes': {
    ask: (cell) => ({ path: '/admin/profile/two-factor/codes', ...write(cell, { currentPassword: '' }) }),
    status: () => 409,
    may: signedIn,
  },
  preview: {
    ask: (cell) => ({ path: `/admin/preview/${cell.resource}/name`, ...write(cell, { text: 'x' }) }),
    status: () => 404,
    may: one('create'),
  },
  // The panel of this test takes none: passkeys.test.ts has what they do.
  'passkey.begin': { ask: () => ({ path: '/admin/authenticate/passkey/options', json: {} }), status: () => 404, may: signedIn },
  passkey: { ask: (cell) => ({ path: '/admin/authenticate/passkey', ...write(cell, {}) }), status: () => 404, may: signedIn },
  passkeys: { ask: () => ({ path: '/admin/profile/passkeys' }), status: () => 404, may: signedIn },
  'passkeys.begin': { ask: () => ({ path: '/admin/profile/passkeys/options', json: {} }), status: () => 404, may: signedIn },
  'passkeys.add': { ask: (cell) => ({ path: '/admin/profile/passkeys', ...write(cell, {}) }), status: () => 404, may: signedIn },
  'passkeys.rename': { ask: () => ({ path: '/admin/profile/passkeys/none', json: { name: 'x' } }), status: () => 404, may: signedIn },
  'passkeys.remove': { ask: () => ({ path: '/admin/profile/passkeys/none' }), status: () => 404, may: signedIn },
  'passkeys.form': { ask: () => ({ path: '/admin/profile/passkeys/none', form: { _method: 'DELETE' } }), status: () => 404, may: signedIn },
  // The panel of this test takes none: api-keys.test.ts has what they do.
  'api-keys': { ask: () => ({ path: '/admin/profile/api-keys' }), status: () => 404, may: signedIn },
  'api-keys.create': { ask: (cell) => ({ path: '/admin/profile/api-keys', ...write(cell, {}) }), status: () => 404, may: signedIn },
  'api-keys.delete': { ask: () => ({ path: '/admin/profile/api-keys/none' }), status: () => 404, may: signedIn },
  'api-keys.form': { ask: () => ({ path: '/admin/profile/api-keys/none', form: { _method: 'DELETE' } }), status: () => 404, may: signedIn },
  // The panel of this test notifies nobody: notifications.test.ts has what they do.
  notifications: { ask: () => ({ path: '/admin/notifications' }), status: () => 404, may: signedIn },
  'notifications.read': { ask: () => ({ path: '/admin/notifications', json: { read: true } }), status: () => 404, may: signedIn },
  'notifications.clear': { ask: () => ({ path: '/admin/notifications' }), status: () => 404, may: signedIn },
  'notifications.form': { ask: () => ({ path: '/admin/notifications', form: { _method: 'DELETE' } }), status: () => 404, may: signedIn },
  notification: { ask: () => ({ path: '/admin/notifications/1' }), status: () => 404, may: signedIn },
  'notification.read': { ask: () => ({ path: '/admin/notifications/1', json: { read: true } }), status: () => 404, may: signedIn },
  'notification.delete': { ask: () => ({ path: '/admin/notifications/1' }), status: () => 404, may: signedIn },
  'notification.form': { ask: () => ({ path: '/admin/notifications/1', form: { _method: 'DELETE' } }), status: () => 404, may: signedIn },
  'sessions.revoke': { ask: () => ({ path: '/admin/profile/sessions/none' }), status: () => 404, may: signedIn },
  'sessions.form': {
    ask: () => ({ path: '/admin/profile/sessions/none', form: { _method: 'DELETE' } }),
    status: () => 404,
    may: signedIn,
  },
  // In the panel of this test, nobody may: view-as.test.ts has what they do.
  'view-as': { ask: () => ({ path: '/admin/view-as/1' }), status: () => 404, may: signedIn },
  'view-as.end': { ask: () => ({ path: '/admin/view-as/1' }), status: () => 404, may: signedIn },
  'view-as.form': { ask: () => ({ path: '/admin/view-as/1', form: { _method: 'PUT' } }), status: () => 404, may: signedIn },
  // The panel of this test sends no mails: forgot.test.ts has what they do.
  'password.forgot': { ask: () => ({ path: '/admin/forgot' }), status: () => 404, may: signedIn },
  'password.send': { ask: (cell) => ({ path: '/admin/forgot', ...write(cell, { username: 'x' }) }), status: () => 404, may: signedIn },
  'password.reset': { ask: () => ({ path: '/admin/reset/none' }), status: () => 404, may: signedIn },
  'password.set': { ask: (cell) => ({ path: '/admin/reset/none', ...write(cell, { password: 'x' }) }), status: () => 404, may: signedIn },
  'crud.index': { ask: (cell) => ({ path: at(cell, 'crud') }), status: () => 200, may: one('view') },
  'crud.store': { ask: (cell) => ({ path: at(cell, 'crud'), ...write(cell, {}) }), status: () => 422, may: one('create') },
  'crud.massDelete': { ask: (cell) => ({ path: at(cell, 'crud?ids[]=999') }), status: () => 404, may: one('delete') },
  'crud.show': { ask: (cell) => ({ path: at(cell, 'crud/1') }), status: () => 200, may: one('view') },
  'crud.history': { ask: (cell) => ({ path: at(cell, 'crud/1/history') }), status: () => 404, may: one('view') },
  'crud.comments': { ask: (cell) => ({ path: at(cell, 'crud/1/comments') }), status: () => 404, may: one('view') },
  'crud.comments.write': {
    ask: (cell) => ({ path: at(cell, 'crud/1/comments'), ...write(cell, { text: 'x' }) }),
    status: () => 404,
    may: one('view'),
  },
  'crud.comment': { ask: (cell) => ({ path: at(cell, 'crud/1/comments/1') }), status: () => 404, may: one('view') },
  'crud.comment.edit': {
    ask: (cell) => ({ path: at(cell, 'crud/1/comments/1'), json: { text: 'x' } }),
    status: () => 404,
    may: one('view'),
  },
  'crud.comment.delete': { ask: (cell) => ({ path: at(cell, 'crud/1/comments/1') }), status: () => 404, may: one('view') },
  'crud.comment.form': {
    ask: (cell) => ({ path: at(cell, 'crud/1/comments/1'), form: { _method: 'PATCH', text: 'x' } }),
    status: () => 404,
    may: one('view'),
  },
  'crud.move': { ask: (cell) => ({ path: at(cell, 'crud/999/place'), json: { to: 'first' } }), status: () => 404, may: one('update') },
  'crud.move.form': {
    ask: (cell) => ({ path: at(cell, 'crud/999/place'), form: { _method: 'PUT', to: 'first' } }),
    status: () => 404,
    may: one('update'),
  },
  'crud.file': { ask: (cell) => ({ path: at(cell, 'crud/1/file/name') }), status: () => 404, may: one('view') },
  upload: {
    ask: ({ resource }) => ({
      path: `/admin/upload/${resource}/name?name=a.txt`,
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x',
    }),
    status: () => 404,
    may: one('create'),
  },
  'crud.update': { ask: (cell) => ({ path: at(cell, 'crud/999'), json: { name: 'x' } }), status: () => 404, may: one('update') },
  'crud.destroy': { ask: (cell) => ({ path: at(cell, 'crud/999') }), status: () => 404, may: one('delete') },
  'crud.form': {
    ask: (cell) => ({ path: at(cell, 'crud/999'), form: { _method: 'PUT', name: 'x' } }),
    status: () => 404,
    may: one('update'),
  },
  'crud.export': { ask: (cell) => ({ path: at(cell, 'export') }), status: () => 200, may: one('view') },
  'crud.exportSelected': {
    ask: (cell) => ({ path: at(cell, 'export'), ...write(cell, { _all: '1' }) }),
    status: () => 200,
    may: one('view'),
  },
  'crud.importForm': { ask: (cell) => ({ path: at(cell, 'import') }), status: () => 404, may: one('create') },
  'crud.importTemplate': { ask: (cell) => ({ path: at(cell, 'import/template') }), status: () => 404, may: one('create') },
  'crud.import': { ask: (cell) => ({ path: at(cell, 'import'), ...write(cell, {}) }), status: () => 404, may: one('create') },
  'resource.page': { ask: (cell) => ({ path: at(cell, 'form-page') }), status: () => 200, may: one('create') },
  handler: { ask: (cell) => ({ path: at(cell, 'handler/none') }), status: () => 404, may: one('view') },
  validate: { ask: (cell) => ({ path: at(cell, 'validate'), ...write(cell, {}) }), status: () => 422, may: one('create') },
  method: { ask: ({ resource }) => ({ path: `/admin/method/index-page/${resource}?method=none` }), status: () => 404, may: signedIn },
  'job.show': { ask: () => ({ path: '/admin/job/none' }), status: () => 404, may: signedIn },
  'job.cancel': { ask: () => ({ path: '/admin/job/none' }), status: () => 404, may: signedIn },
  'job.form': { ask: () => ({ path: '/admin/job/none', form: { _method: 'DELETE' } }), status: () => 404, may: signedIn },
  component: {
    ask: ({ resource }) => ({ path: `/admin/component/index-page/${resource}?_component_name=index-table-${resource}` }),
    status: (cell) => html(cell, 200, 406),
    may: one('view'),
  },
  'async-search': {
    ask: ({ resource }) => ({ path: `/admin/async-search/${resource}/countryId?query=ger` }),
    status: ({ resource }) => (resource === 'cities' ? 200 : 404),
    may: one('view'),
  },
  palette: { ask: () => ({ path: '/admin/palette' }), status: () => 200, may: signedIn },
  'update-field': {
    ask: ({ resource }) => ({ path: `/admin/update-field/column/${resource}/999`, json: { field: 'name', value: 'x', was: 'y' } }),
    status: () => 404,
    may: one('update'),
  },
  'update-field.form': {
    ask: ({ resource }) => ({
      path: `/admin/update-field/column/${resource}/999`,
      form: { _method: 'PUT', field: 'name', value: 'x', was: 'y' },
    }),
    status: () => 404,
    may: one('update'),
  },
  preferences: { ask: () => ({ path: '/admin/preferences' }), status: () => 200, may: signedIn },
  'preferences.update': { ask: () => ({ path: '/admin/preferences', json: { theme: 'none' } }), status: () => 422, may: signedIn },
  'preferences.form': {
    ask: () => ({ path: '/admin/preferences', form: { _method: 'PATCH', theme: 'none' } }),
    status: () => 422,
    may: signedIn,
  },
  assets: { ask: () => ({ path: '/admin/assets/none/none.css' }), status: () => 404, may: signedIn },
  health: { ask: () => ({ path: '/admin/health' }), status: () => 200, may: signedIn },
  ready: { ask: () => ({ path: '/admin/ready' }), status: () => 200, may: signedIn },
}

const people = ['anonymous', 'nobody', 'reader', 'editor', 'admin'] as const
const cells = (mode: Mode): (Cell & { readonly name: RouteName; readonly method: string })[] =>
  routes.flatMap((route) =>
    route.methods.flatMap((method) =>
      people.flatMap((who) =>
        (['cities', 'vaults'] as const).flatMap((resource) =>
          (['json', 'html'] as const).map((face) => ({ name: route.name, method, who, resource, face, mode })),
        ),
      ),
    ),
  )

describe.each(['session', 'token'] as const)('in %s mode', (mode) => {
  let world: World
  const headers = new Map<string, Record<string, string>>()
  beforeAll(async () => {
    world = await openWorld(mode === 'token' ? tokenMode() : {})
    for (const who of people) headers.set(who, who === 'anonymous' ? {} : await world.as(who))
  })
  afterAll(() => world.close())

  test('every route is in the matrix', () => {
    expect(Object.keys(rows).sort()).toEqual(routes.map(({ name }) => name).sort())
    expect(new Set(cells(mode).map(({ name }) => name)).size).toBe(routes.length)
  })

  test.each(cells(mode))('$name $method as $who, $resource, $face', async (cell) => {
    const { name, method, who, face } = cell
    const row = rows[name]
    const asked = row.ask(cell)
    // A form of a page says where it comes from.
    const all = { 'sec-fetch-site': 'same-origin', ...headers.get(who), ...asked.headers }
    const answer = await world.ask({ path: '', ...asked, method, face, headers: all })
    const isPublic = routes.find((one) => one.name === name)?.ability === 'public'
    if (who === 'anonymous' && !isPublic) expectAnonymous(answer, mode, face, method, name)
    else expect(answer.status, answer.text).toBe(row.may(cell) ? row.status(cell) : 403)
    expect(world.log).toEqual([])
  })
})

function expectAnonymous({ status, headers, json }: Answer, mode: Mode, face: 'json' | 'html', method: string, name: string): void {
  // Nor is a script led to a page where it asked for a part of one, or sent a file.
  const page = face === 'html' && !['component', 'upload', 'passkeys.begin'].includes(name) && !(mode === 'token' && name === 'logout')
  if (page && mode === 'session') {
    expect(status).toBe(method === 'GET' ? 302 : 303)
    expect(headers.get('location')).toMatch(/^\/admin\/login(?:\?to=|$)/)
    return
  }
  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe(mode === 'token' ? 'Bearer' : 'Session')
  if (face === 'json') expect(json.type).toBe('urn:daymark:error:unauthenticated')
}
