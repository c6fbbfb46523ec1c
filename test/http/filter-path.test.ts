import { testPanel } from 'daymark/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inlined } from '../support/inlined.js'
import {
  insertOf,
  type Of,
  paths,
  pgTables,
  type Rows,
  rowsOf,
  sees,
  shown,
  sqliteTables,
  type World,
  walk,
  worldOf,
} from './path-world.js'

const asked = fc
  .constantFrom(...(Object.keys(paths) as Of[]))
  .chain((of) => fc.constantFrom(...paths[of].map((path) => ({ of, path: path as string }))))
  .chain(({ of, path }) => {
    const isNumber = /size$|landId$/.test(path)
    const operators = isNumber ? ['', '[ne]'] : ['', '[ne]', '[contains]', '[startsWith]']
    const values = isNumber ? ['0', '1', '2'] : ['a', 'b', 'é', 'ab']
    return fc.oneof(
      fc.record({
        of: fc.constant(of),
        path: fc.constant(path),
        operator: fc.constantFrom(...operators),
        value: fc.constantFrom(...values),
      }),
      fc.record({ of: fc.constant(of), path: fc.constant(path), operator: fc.constant('[null]'), value: fc.constantFrom('0', '1') }),
    )
  })

function meets(value: unknown, operator: string, text: string): boolean {
  const low = (one: unknown) => String(one).toLowerCase()
  if (operator === '[null]') return (value === null) === (text === '1')
  if (operator === '[ne]') return value === null || String(value) !== text
  if (value === null) return false
  return operator === '' ? String(value) === text : operator === '[contains]' ? low(value).includes(text) : low(value).startsWith(text)
}

describe.each([
  ['SQLite', sqliteTables, true],
  ['PostgreSQL', pgTables, false],
] as const)('filters through several relations, over %s', (_, tables, sqlite) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(tables, sqlite)
  })
  afterAll(() => world?.end())

  const as = (role: string) => testPanel(world.panel).as({ id: '1', username: role, name: role, roles: [role] })
  const keys = async (of: Of, query: string, role = 'admin') => {
    const answer = await as(role).get(`/admin/resource/${of}/crud?${query}`)
    const body = answer.json<{ data?: { id: number }[]; errors?: Record<string, string[]> }>()
    return body.data ? body.data.map(({ id }) => id) : [answer.status, body.errors]
  }

  test('agree with a walk over the same rows in memory, within what the caller sees on each step', async () => {
    const property = fc.asyncProperty(
      rowsOf,
      fc.array(asked, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('admin', 'narrow'),
      async (rows, all, role) => {
        await world.query(insertOf(rows, sqlite))
        for (const { of, path, operator, value } of all) {
          const expected = [...rows[of].keys()].filter(
            (at) => sees(rows, role, of, at) && walk(rows, role, of, at, path.split('.')).some((one) => meets(one, operator, value)),
          )
          expect(await keys(of, `filter[${path}]${operator}=${encodeURIComponent(value)}`, role)).toEqual(expected)
        }
      },
    )
    await fc.assert(property, { numRuns: sqlite ? 150 : 40 })
  }, 120_000)

  const some: Rows = {
    lands: [
      { name: 'a', size: 1, open: 1 },
      { name: 'b', size: 2, open: 0 },
    ],
    owners: [
      { name: 'x', landId: 0, rank: 2, gone: false },
      { name: 'y', landId: 1, rank: 2, gone: false },
      { name: 'z', landId: 0, rank: 1, gone: false },
      { name: 'w', landId: 0, rank: 3, gone: true },
    ],
    things: [0, 1, 2, 3].map((ownerId) => ({ tag: `of ${ownerId}`, ownerId, landIds: [] })),
  }

  test('see none that is out of scope or in the trash on any step', async () => {
    await world.query(insertOf(some, sqlite))
    // Of 3, the owner is in the trash. Of 1, the land is out of scope; of 2, the owner is.
    expect(await keys('things', 'filter[ownerId.landId.size][null]=0')).toEqual([0, 1, 2])
    expect(await keys('things', 'filter[ownerId.landId.size][null]=0', 'narrow')).toEqual([0])
    expect(await keys('lands', 'filter[owners.things.tag][contains]=of')).toEqual([0, 1])
    expect(await keys('lands', 'filter[owners.things.tag]=of 3')).toEqual([])
    expect(await keys('lands', 'filter[owners.things.tag]=of 2', 'narrow')).toEqual([])
  })

  test('are unknown to who may not list a resource on the way, or not read a relation there', async () => {
    const unknown = async (of: Of, name: string, role: string) => {
      const [status, errors] = (await keys(of, `filter[${name}]=a`, role)) as [number, Record<string, string[]>]
      return [status, errors?.[`filter[${name}]`]?.[0]?.replaceAll(name, 'X')]
    }
    const cases: readonly (readonly [Of, string, string])[] = [
      // Owners are not listed by them.
      ['things', 'ownerId.landId.name', 'unlisted'],
      ['things', 'landIds.owners.name', 'unlisted'],
      ['lands', 'owners.things.tag', 'unlisted'],
      ['lands', 'things.ownerId.name', 'unlisted'],
      // The relation of the second step is hidden from them, or the field by which records belong to another one.
      ['things', 'ownerId.landId.name', 'unread'],
      ['lands', 'owners.name', 'unread'],
      ['things', 'ownerId.landId.name', 'other'],
      ['lands', 'things.ownerId.name', 'other'],
      ['owners', 'things.tag', 'other'],
    ]
    for (const [of, name, role] of cases) {
      const answer = await unknown(of, name, role)
      expect([name, role, ...answer]).toEqual([name, role, ...(await unknown(of, 'nope', role))])
      expect(answer[1]).not.toContain(name)
      const document = await as(role).html.get(`/admin/resource/${of}/crud`)
      expect(document.text).not.toContain(`filter[${name}]`)
    }
    // What leads past the hidden relation stays.
    expect(await keys('lands', 'filter[things.tag]=a', 'unlisted')).toEqual([])
  })

  const listed = async (query: string, role = 'admin') =>
    (await as(role).get(`/admin/resource/things/crud?${query}`)).json<{ data: Record<string, unknown>[] }>().data

  test('columns have what the relations lead to, and null where the caller does not see a record on the way', async () => {
    const property = fc.asyncProperty(rowsOf, fc.constantFrom('admin', 'narrow'), async (rows, role) => {
      await world.query(insertOf(rows, sqlite))
      const expected = rows.things.map((one, id) => ({
        id,
        tag: one.tag,
        ...Object.fromEntries(shown.map((path) => [path, walk(rows, role, 'things', id, path.split('.'))[0] ?? null])),
      }))
      expect(await listed('', role)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: sqlite ? 60 : 20 })
  }, 60_000)

  test('columns are not there for who may not read them on each step', async () => {
    await world.query(insertOf(some, sqlite))
    const keysFor = async (role: string) => Object.keys((await listed('', role))[0] ?? {})
    expect(await keysFor('admin')).toEqual(['id', 'tag', ...shown])
    expect(await keysFor('unread')).toEqual(['id', 'tag', 'ownerId.name'])
    for (const role of ['unlisted', 'other']) expect(await keysFor(role)).toEqual(['id', 'tag'])
    const refused = async (role: string, name: string) => {
      const answer = await as(role).get(`/admin/resource/things/crud?fields=${name}`)
      return [answer.status, answer.text.replaceAll(name, 'X').replace(/"requestId":"[^"]*"/, '')]
    }
    for (const role of ['unlisted', 'other', 'unread']) {
      expect(await refused(role, 'ownerId.landId.name')).toEqual(await refused(role, 'ownerId.nope'))
      const page = await as(role).html.get('/admin/resource/things/crud')
      expect([page.status, page.text.includes('ownerId.landId')]).toEqual([200, false])
    }
  })

  test('columns are in pages, files and fields=', async () => {
    await world.query(insertOf(some, sqlite))
    const page = (await as('admin').html.get('/admin/resource/things/crud')).text.replace(/&#(\d+);/g, (_, code) =>
      String.fromCodePoint(Number(code)),
    )
    const textsOf = (rows: string) => [...rows.matchAll(/<t[dh]\b.*?<\/t[dh]>/gs)].map(([cell]) => cell.replace(/<[^>]*>/g, '').trim())
    const rowOf = (text: string) => textsOf(text.slice(text.indexOf('of 1') - 300)).filter((one) => one !== '')
    for (const label of ['Owner › Name', 'Owner › Land › Name', 'Owner › Land › Size', 'Owner › Land'])
      expect(textsOf(page)).toContain(label)
    expect(rowOf(page).slice(0, 5)).toEqual(['of 1', 'y', 'b', '2', 'b'])
    const csv = await as('admin').get('/admin/resource/things/export')
    const [head, first] = csv.text.split('\r\n')
    expect(head).toContain('Owner › Land › Name')
    expect(first?.split(',').slice(0, 4)).toEqual(['of 0', 'x', 'a', '1'])
    expect(await listed('fields=ownerId.landId.size')).toEqual([1, 2, 1, null].map((size, id) => ({ id, 'ownerId.landId.size': size })))
    const row = await as('admin').html.get('/admin/component/index-page/things?_component_name=index-table-things&_key=1&_row=1')
    expect(textsOf(row.text).filter((one) => one !== '')).toEqual(rowOf(page).slice(0, 6))
  })

  test('are in the page with their whole way, in the OpenAPI document, and in a chip', async () => {
    await world.query(insertOf(some, sqlite))
    const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    const page = decoded(
      (await as('admin').html.get('/admin/resource/things/crud?filter[ownerId.landId.size][from]=2&filter[ownerId.landId]=1')).text,
    )
    expect(page).toContain('Owner › Land › Size ≥ 2')
    expect(page).toContain('Owner › Land: b')
    const lists = decoded((await as('admin').html.get('/admin/resource/lands/crud?filter[owners.things.tag][contains]=2')).text)
    expect(lists).toContain('Owners › What is theirs › Tag')
    const document = inlined(
      (await as('admin').get('/oag.json')).json<{
        paths: Record<string, { get: { parameters: { name: string; description: string; schema: object }[] } }>
      }>(),
    )
    const all = document.paths['/admin/resource/things/crud']?.get.parameters ?? []
    expect(all.find(({ name }) => name === 'filter[ownerId.landId.size][from]')).toMatchObject({
      description: 'Owner › Land › Size is greater than or equal to this value.',
      schema: { type: 'integer' },
    })
  })

  test('are read again when a record on the way changes', async () => {
    await world.query(insertOf(some, sqlite))
    const found = () => keys('things', 'filter[ownerId.landId.name]=a')
    const named = async () => (await listed('')).map((one) => one['ownerId.landId.name'])
    for (let i = 0; i < 4; i++)
      expect([await found(), await named()]).toEqual([
        [0, 2],
        ['a', 'b', 'a', null],
      ])
    expect((await as('admin').patch('/admin/resource/lands/crud/1', { name: 'a' })).status).toBe(200)
    expect(await found()).toEqual([0, 1, 2])
    expect((await as('admin').patch('/admin/resource/owners/crud/0', { landId: null })).status).toBe(200)
    expect([await found(), await named()]).toEqual([
      [1, 2],
      [null, 'a', 'a', null],
    ])
  })
})
