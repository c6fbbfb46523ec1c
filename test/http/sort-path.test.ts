import { testPanel } from 'daymark/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inlined } from '../support/inlined.js'
import { insertOf, pgTables, type Rows, rowsOf, shown, sqliteTables, type World, walk, worldOf } from './path-world.js'

const names = ['id', 'tag', ...shown] as const
const steps = fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), down: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ name }) => name,
})

const sortOf = (all: readonly { readonly name: string; readonly down: boolean }[]) =>
  all.map(({ name, down }) => (down ? `-${name}` : name)).join(',')

/** The keys of the things in an order, by a walk over the same rows in memory. */
function sorted(rows: Rows, role: string, all: readonly { readonly name: string; readonly down: boolean }[]): readonly number[] {
  const total = all.some(({ name }) => name === 'id') ? all : [...all, { name: 'id', down: all.at(-1)?.down === true }]
  const valueAt = (at: number, name: string) => (name === 'id' ? at : (walk(rows, role, 'things', at, name.split('.'))[0] ?? null))
  return [...rows.things.keys()].sort((a, b) => {
    for (const { name, down } of total) {
      const [left, right] = [valueAt(a, name), valueAt(b, name)] as [number | null, number | null]
      if (left === right) continue
      if (left === null || right === null) return left === null ? 1 : -1
      return left < right === down ? 1 : -1
    }
    return 0
  })
}

const some: Rows = {
  lands: [
    { name: 'b', size: 2, open: 1 },
    { name: 'a', size: 1, open: 0 },
  ],
  owners: [
    { name: 'y', landId: 0, rank: 2, gone: false },
    { name: 'x', landId: 1, rank: 2, gone: false },
    { name: 'a', landId: 0, rank: 1, gone: false },
    { name: 'a', landId: 0, rank: 3, gone: true },
  ],
  things: [0, 1, 2, 3].map((ownerId) => ({ tag: `of ${ownerId}`, ownerId, landIds: [] })),
}

describe.each([
  ['SQLite', sqliteTables, true],
  ['PostgreSQL', pgTables, false],
] as const)('lists sorted by what relations lead to, over %s', (_, tables, sqlite) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(tables, sqlite)
  })
  afterAll(() => world?.end())

  const as = (role: string) => testPanel(world.panel).as({ id: '1', username: role, name: role, roles: [role] })
  interface Body {
    readonly data: readonly Record<string, unknown>[]
    readonly meta: { readonly nextCursor: string | null; readonly prevCursor: string | null; readonly lastPage: number }
  }
  const get = async (query: string, role: string, of = 'things') => (await as(role).get(`/admin/resource/${of}/crud?${query}`)).json<Body>()
  const keysOf = ({ data }: Body) => data.map(({ id }) => id)

  test('agree with a walk over the same rows in memory: whole, by page and by cursor, and in files', async () => {
    const property = fc.asyncProperty(rowsOf, steps, fc.constantFrom('admin', 'narrow'), async (rows, all, role) => {
      await world.query(insertOf(rows, sqlite))
      const expected = sorted(rows, role, all)
      const sort = `sort=${sortOf(all)}`
      const whole = await get(sort, role)
      expect(keysOf(whole)).toEqual(expected)
      const values = (body: Body) => body.data.map((one) => shown.map((name) => one[name]))
      expect(values(whole)).toEqual(expected.map((at) => shown.map((path) => walk(rows, role, 'things', at, path.split('.'))[0] ?? null)))
      const pages: unknown[] = []
      for (let page = 1; page <= 3; page++) pages.push(...keysOf(await get(`${sort}&perPage=2&page=${page}`, role)))
      expect(pages).toEqual(expected)

      const forwards: unknown[] = []
      let body = await get(sort, role, 'by-cursor')
      for (let i = 0; i < 5; i++) {
        forwards.push(...keysOf(body))
        if (body.meta.nextCursor === null) break
        body = await get(`${sort}&cursor=${body.meta.nextCursor}`, role, 'by-cursor')
      }
      expect(forwards).toEqual(expected)
      const last = expected.length % 2 === 0 ? 2 : 1
      const backwards: unknown[] = expected.slice(-last)
      for (let i = 0; i < 5 && body.meta.prevCursor !== null; i++) {
        body = await get(`${sort}&cursor=${body.meta.prevCursor}`, role, 'by-cursor')
        backwards.unshift(...keysOf(body))
      }
      expect(expected.length === 0 ? [] : backwards).toEqual(expected)

      const csv = (await as(role).get(`/admin/resource/things/export?fields=id&${sort}`)).text.trim().split('\r\n').slice(1)
      expect(csv.map(Number)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: sqlite ? 60 : 20 })
  }, 120_000)

  test('a cursor is of its sort, and its rows need not show the column', async () => {
    await world.query(insertOf(some, sqlite))
    const first = await get('sort=ownerId.landId.size&fields=tag', 'admin', 'by-cursor')
    expect(first.data).toEqual([1, 0].map((id) => ({ id, tag: `of ${id}` })))
    const { nextCursor } = first.meta
    expect(keysOf(await get(`sort=ownerId.landId.size&cursor=${nextCursor}`, 'admin', 'by-cursor'))).toEqual([2, 3])
    for (const query of [`sort=-ownerId.landId.size&cursor=${nextCursor}`, `cursor=${nextCursor}`]) {
      const refused = await as('admin').get(`/admin/resource/by-cursor/crud?${query}`)
      expect([refused.status, Object.keys(refused.json<{ errors: object }>().errors)]).toEqual([422, ['cursor']])
    }
  })

  test('records out of scope or in the trash sort as none', async () => {
    await world.query(insertOf(some, sqlite))
    // Of 3, the owner is in the trash; for `narrow`, the owner of 2 is out of scope, and the land of 1.
    expect(keysOf(await get('sort=ownerId.name', 'admin'))).toEqual([2, 1, 0, 3])
    expect(keysOf(await get('sort=ownerId.name', 'narrow'))).toEqual([1, 0, 2, 3])
    expect(keysOf(await get('sort=-ownerId.name,-id', 'narrow'))).toEqual([0, 1, 3, 2])
    expect(keysOf(await get('sort=ownerId.landId.name', 'admin'))).toEqual([1, 0, 2, 3])
    expect(keysOf(await get('sort=ownerId.landId.name', 'narrow'))).toEqual([0, 1, 2, 3])
  })

  test('who may not list a resource on the way, or read a field there, sorts by an unknown name', async () => {
    await world.query(insertOf(some, sqlite))
    const refused = async (role: string, name: string) => {
      const answer = await as(role).get(`/admin/resource/things/crud?sort=${name}`)
      return [answer.status, answer.json<{ errors: object }>().errors, name] as const
    }
    const cases = [
      ['unlisted', 'ownerId.landId.name'],
      ['unlisted', 'ownerId.name'],
      ['unread', 'ownerId.landId.name'],
      ['other', 'ownerId.name'],
    ] as const
    for (const [role, name] of cases) {
      const [status, errors] = await refused(role, name)
      expect([status, Object.keys(errors)]).toEqual([422, ['sort']])
      const [, unknown] = await refused(role, 'nope')
      expect(JSON.stringify(errors).replaceAll(name, 'nope')).toBe(JSON.stringify(unknown))
      const page = (await as(role).html.get(`/admin/resource/things/crud?sort=${name}`)).text
      expect(page).not.toContain(`sort=-${name}`)
      // The default sort of who may not read it is the key.
      if (name === 'ownerId.name') expect(keysOf(await get('perPage=10', role, 'by-cursor'))).toEqual([0, 1, 2, 3])
    }
    expect(keysOf(await get('sort=ownerId.name', 'unread'))).toEqual([2, 1, 0, 3])
    expect(keysOf(await get('perPage=10', 'admin', 'by-cursor'))).toEqual([2, 1, 0, 3])
  })

  test('the head of the column is a sort link, and the document knows the name', async () => {
    await world.query(insertOf(some, sqlite))
    const page = (await as('admin').html.get('/admin/resource/things/crud?sort=-ownerId.name')).text.replace(/&#(\d+);/g, (_, code) =>
      String.fromCodePoint(Number(code)),
    )
    expect(page).toMatch(/aria-sort="descending"[^>]*>\s*<a[^>]*href="[^"]*sort=ownerId\.name"/)
    expect(page).toContain('sort=-ownerId.name%2CownerId.landId.name')
    const document = inlined(
      (await as('admin').get('/oag.json')).json<{
        paths: Record<string, { get: { parameters: { name: string; schema: { items: { enum: string[] } } }[] } }>
      }>(),
    )
    const sort = document.paths['/admin/resource/things/crud']?.get.parameters.find(({ name }) => name === 'sort')
    expect(sort?.schema.items.enum).toEqual(['id', 'tag', ...shown].flatMap((name) => [name, `-${name}`]))
  })

  test('a record of the list is sent back whole, and what relations lead to is not written', async () => {
    await world.query(insertOf(some, sqlite))
    const row = (await get('sort=ownerId.name&fields=id,tag,ownerId,ownerId.name,ownerId.landId.name', 'admin')).data[1] as Record<
      string,
      unknown
    >
    expect(row).toEqual({ id: 1, tag: 'of 1', ownerId: 1, 'ownerId.name': 'x', 'ownerId.landId.name': 'a' })
    const send = async (body: object, role = 'admin') => {
      const answer = await as(role).put('/admin/resource/things/crud/1', body)
      return [answer.status, answer.json<{ errors?: Record<string, string[]> }>().errors] as const
    }
    expect(await send({ ...row, tag: 'new' })).toEqual([200, undefined])
    // As it was read, though it will lead elsewhere.
    expect(await send({ ...row, tag: 'new', ownerId: 0 })).toEqual([200, undefined])
    expect(await send({ ...row, tag: 'new', ownerId: 0 })).toEqual([
      422,
      { 'ownerId.name': ['Owner › Name cannot be changed'], 'ownerId.landId.name': ['Owner › Land › Name cannot be changed'] },
    ])
    // Out of their sight it is null, and nothing tells them more.
    expect(await send({ 'ownerId.name': 'y', 'ownerId.landId.name': 'b' }, 'narrow')).toEqual([200, undefined])
    await world.query(`update things set owner_id = 2 where id = 1`)
    expect(await send({ 'ownerId.name': null }, 'narrow')).toEqual([200, undefined])
    const [status, errors] = await send({ 'ownerId.name': 'a' }, 'narrow')
    expect([status, Object.keys(errors ?? {})]).toEqual([422, ['ownerId.name']])
    // Who has no such column is told of no field.
    const [, unknown] = await send({ 'ownerId.name': null }, 'unlisted')
    const [, nope] = await send({ nope: null }, 'unlisted')
    expect(JSON.stringify(unknown).replaceAll('ownerId.name', 'nope')).toBe(JSON.stringify(nope))
  })

  test('are read again when a record on the way changes', async () => {
    await world.query(insertOf(some, sqlite))
    for (let i = 0; i < 3; i++) expect(keysOf(await get('sort=ownerId.landId.name', 'admin'))).toEqual([1, 0, 2, 3])
    expect((await as('admin').patch('/admin/resource/lands/crud/0', { name: 'A' })).status).toBe(200)
    expect(keysOf(await get('sort=ownerId.landId.name', 'admin'))).toEqual([0, 2, 1, 3])
    expect((await as('admin').patch('/admin/resource/owners/crud/0', { landId: 1 })).status).toBe(200)
    expect(keysOf(await get('sort=ownerId.landId.name', 'admin'))).toEqual([2, 0, 1, 3])
  })
})
