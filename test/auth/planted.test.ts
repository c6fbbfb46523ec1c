import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'
import { type Ask, openWorld, secret, tokenMode, type World } from './world.js'

// "swordfish" stands in a column that only administrators see.
const planted = /swordfish/i
const hidden = 'launchCode'
const unknown = 'launchCodx'

let world: World
let reader: Record<string, string>
let admin: Record<string, string>
const statements: string[] = []
beforeAll(async () => {
  world = await openWorld({ ...tokenMode(), observe: (sql) => statements.push(sql) })
  reader = await world.as('editor')
  admin = await world.as('admin')
})
afterAll(() => world.close())

const list = '/admin/resource/cities/crud'
const both = (ask: (name: string) => Ask): [Ask, Ask] => [ask(hidden), ask(unknown)]
const asks: Record<string, [Ask, Ask]> = {
  'the list': both(() => ({ path: list })),
  'a record': both(() => ({ path: `${list}/1` })),
  fields: both((name) => ({ path: `${list}?fields=${name}` })),
  'fields beside others': both((name) => ({ path: `${list}?fields=id,${name}` })),
  'fields of a record': both((name) => ({ path: `${list}/1?fields=${name}` })),
  include: both((name) => ({ path: `${list}?include=${name}` })),
  sort: both((name) => ({ path: `${list}?sort=-${name}` })),
  filter: both((name) => ({ path: `${list}?filter[${name}]=swordfish-1` })),
  'filter by an operator': both((name) => ({ path: `${list}?filter[${name}][startsWith]=sword` })),
  'filter by null': both((name) => ({ path: `${list}?filter[${name}][null]=1` })),
  search: both(() => ({ path: `${list}?search=swordfish` })),
  'a parameter': both((name) => ({ path: `${list}?${name}=1` })),
  create: both((name) => ({ method: 'POST', path: list, json: { name: 'Rome', [name]: 'x' } })),
  'create without a name': both((name) => ({ method: 'POST', path: list, json: { [name]: 'x' } })),
  update: both((name) => ({ method: 'PUT', path: `${list}/1`, json: { [name]: 'x' } })),
  'update with what is stored': both((name) => ({ method: 'PUT', path: `${list}/1`, json: { [name]: 'swordfish-1' } })),
  'update of the computed value': both((name) => ({
    method: 'PUT',
    path: `${list}/1`,
    json: { [name === hidden ? 'codeLength' : 'codeLengtx']: 11 },
  })),
  'update with null': both((name) => ({ method: 'PATCH', path: `${list}/1`, json: { [name]: null } })),
  'a stale update': both((name) => ({ method: 'PUT', path: `${list}/1`, json: { [name]: 'x' }, headers: { 'if-match': '"old"' } })),
  'a form': both((name) => ({ method: 'POST', path: `${list}/1`, form: { _method: 'PUT', [name]: 'x' } })),
  'async search': both((name) => ({ path: `/admin/async-search/cities/${name}?query=s` })),
  'the form page': both(() => ({ path: '/admin/resource/cities/form-page/1' })),
  'the new form': both(() => ({ path: '/admin/resource/cities/form-page' })),
  'a duplicate': both(() => ({ path: '/admin/resource/cities/form-page?duplicate=1' })),
  'a mass delete': both(() => ({ method: 'DELETE', path: `${list}?ids[]=1` })),
  'a related list': both(() => ({ path: '/admin/resource/countries/crud?search=swordfish' })),
  home: both(() => ({ path: '/admin' })),
}
const cells = Object.entries(asks).flatMap(([what, [one, other]]) =>
  (['json', 'html'] as const).map((face) => ({ what, one, other, face })),
)

test.each(cells)('$what, $face: nothing of it, and its name is as unknown as any', async ({ one, other, face }) => {
  const ask = (what: Ask) => world.ask({ ...what, face, headers: { ...reader, ...what.headers } })
  const [known, strange] = [await ask(one), await ask(other)]
  // What was asked for may be said back; what is stored may not.
  const echo = (text: string) =>
    text.replaceAll(hidden, 'NAME').replaceAll(unknown, 'NAME').replaceAll('codeLengtx', 'COMPUTED').replaceAll('codeLength', 'COMPUTED')
  const plain = (text: string) =>
    echo(text)
      .replace(/[0-9a-f-]{36}/g, 'ID')
      .replace(/(?<="version" value="|_once" value=")[^"]*/g, '')
  const typed = JSON.stringify(one).includes('swordfish')
  if (!typed) expect(known.text).not.toMatch(planted)
  else expect(known.text).not.toMatch(/swordfish-2/)
  expect(known.text).not.toMatch(/Launch code|Code length/)
  expect(known.status).toBe(strange.status)
  expect(plain(known.text)).toBe(plain(strange.text))
  for (const [name, value] of known.headers) {
    expect(value).not.toMatch(planted)
    if (!['x-request-id', 'etag'].includes(name)) expect(echo(value)).toBe(echo(strange.headers.get(name) ?? ''))
  }
})

test('no ETag moves when it changes', async () => {
  const tags = async (headers: Record<string, string>) => [
    (await world.ask({ path: `${list}/1`, headers })).headers.get('etag'),
    (await world.ask({ path: list, headers })).headers.get('etag'),
  ]
  const [before, adminBefore] = [await tags(reader), await tags(admin)]
  const client = new Sqlite(world.path)
  client.exec("update cities set launch_code = 'swordfish-3' where id = 1")
  client.close()
  expect(await tags(reader)).toEqual(before)
  expect((await tags(admin))[0]).not.toBe(adminBefore[0])
})

test('it is there for whoever may see it, or the rest would prove nothing', async () => {
  expect((await world.ask({ path: `${list}/2`, headers: admin })).json.data).toMatchObject({ launchCode: 'swordfish-2', codeLength: 11 })
  expect((await world.ask({ path: `${list}/2`, headers: admin, face: 'html' })).text).toContain('swordfish-2')
})

test('no output or log holds a password, its hash, or a token', async () => {
  const users = '/admin/resource/users/crud'
  const texts: string[] = []
  for (const face of ['json', 'html'] as const)
    for (const path of [users, `${users}/1`, '/admin/resource/users/form-page/1', `${users}?fields=password`, '/admin/profile']) {
      const answer = await world.ask({ path, headers: admin, face })
      expect(answer.status).toBe(200)
      texts.push(answer.text)
    }
  for (const query of ['sort=password', 'filter[password]=x', 'filter[password][startsWith]=$argon2'])
    expect((await world.ask({ path: `${users}?${query}`, headers: admin })).status).toBe(422)
  const token = admin.authorization?.slice(7) ?? '-'
  for (const text of [...texts, ...statements, JSON.stringify(world.log)]) {
    expect(text).not.toContain('$argon2')
    expect(text).not.toContain(secret)
    expect(text).not.toContain(token)
  }
  expect(statements.length).toBeGreaterThan(50)
})
