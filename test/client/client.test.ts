import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiKeys,
  authenticate,
  belongsTo,
  dateTime,
  definePanel,
  defineResource,
  file,
  folder,
  id,
  memoryStore,
  number,
  password,
  text,
} from 'daymark'
import { createClient, Problem } from 'daymark/client'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { xlsx } from 'daymark/xlsx'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const countries = sqliteTable('countries', { id: integer('id').primaryKey(), name: varchar('name').notNull() })
const cities = sqliteTable('cities', {
  id: integer('id').primaryKey(),
  name: varchar('name').notNull(),
  countryId: integer('country_id').references(() => countries.id),
  population: integer('population'),
})

const flags = sqliteTable('flags', { code: varchar('code').primaryKey(), since: integer('since', { mode: 'timestamp_ms' }) })

/** Two lists of the same shape: one is counted, one goes by cursor. */
function makePanel<const S extends 'open' | object>(auth: S) {
  const fields = {
    id: id(),
    name: text('Name').required().max(20).sortable().searchable(),
    countryId: belongsTo('Country', countries).resource('countries'),
    population: number('Population').sortable(),
  }
  const rest = {
    fields,
    filters: ['name', 'population', 'countryId'],
    queryTags: { big: { label: 'Big', where: { population: { gte: 5 } } } },
    sortColumn: 'id',
    sortDirection: 'ASC',
    can: { view: true, create: true, update: true, delete: true, massDelete: true },
  } as const
  return definePanel({
    ...(auth === 'open' ? { auth } : { middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth()] } }),
    secret: 'x'.repeat(32),
    database: 'sqlite::memory:',
    log: () => {},
    resources: [
      defineResource({ model: memoryStore(countries), can: rest.can }),
      defineResource({ model: memoryStore(cities), ...rest }),
      defineResource({ model: memoryStore(cities), uriKey: 'flowing', simplePaginate: true, ...rest }),
      defineResource({ model: memoryStore(cities), uriKey: 'kept', requireIfMatch: true, ...rest }),
      defineResource({
        model: memoryStore(flags),
        requireIfMatch: true,
        fields: { code: id(), since: dateTime('Since') },
        filters: ['since'],
        can: rest.can,
      }),
    ],
  })
}

type Panel = ReturnType<typeof makePanel>
const baseUrl = 'http://127.0.0.1/admin'
let panel: Panel
const asked: string[] = []

/** Asks the panel, and notes how. */
const seen = async (request: Request) => {
  asked.push(`${request.method} ${decodeURIComponent(request.url.slice(baseUrl.length))}`)
  return panel.fetch(request)
}
const open = (fetch: (request: Request) => Promise<Response> = seen) => createClient<Panel>({ baseUrl, fetch })

beforeEach(() => {
  panel = makePanel('open')
  asked.length = 0
})
afterEach(() => panel.close())

const problem = async (promise: Promise<unknown>): Promise<Problem> => {
  const thrown = await promise.then(
    () => null,
    (one: unknown) => one,
  )
  expect(thrown).toBeInstanceOf(Problem)
  return thrown as Problem
}

test('a whole round: created, read, listed, changed, deleted', async () => {
  const client = open()
  const { id: country } = await client.countries.create({ name: 'France' })
  const paris = await client.cities.create({ name: 'Paris', countryId: country, population: 9 })
  const lyon = await client.cities.create({ name: 'Lyon & more', population: 3 })
  expect(paris).toMatchObject({ name: 'Paris', countryId: country, population: 9 })
  expect(await client.cities.get(paris.id, { include: ['country'], fields: ['name'] })).toEqual({
    id: paris.id,
    name: 'Paris',
    country: { id: country, label: 'France', name: 'France' },
  })
  const names = async (query: Parameters<typeof client.cities.list>[0]) => (await client.cities.list(query)).data.map(({ name }) => name)
  expect(await names({ filter: { population: { gte: 5 } } })).toEqual(['Paris'])
  expect(await names({ filter: { population: [3, 9] }, sort: ['-population'] })).toEqual(['Paris', 'Lyon & more'])
  expect(await names({ filter: { countryId: { null: true } } })).toEqual(['Lyon & more'])
  expect(await names({ filter: { countryId: { null: false } } })).toEqual(['Paris'])
  expect(await names({ filter: { countryId: { null: false }, population: 3 }, match: 'any', sort: ['name'] })).toEqual([
    'Lyon & more',
    'Paris',
  ])
  expect(await names({ filter: { name: { contains: 'N & M' }, population: { eq: [3, 4] } } })).toEqual(['Lyon & more'])
  expect(await names({ search: 'par' })).toEqual(['Paris'])
  expect(await names({ tag: 'big' })).toEqual(['Paris'])
  expect((await client.cities.list({ page: 2, perPage: 1 })).meta).toMatchObject({ page: 2, total: 2, lastPage: 2 })
  expect(await client.cities.update(lyon.id, { name: 'Lyon' })).toMatchObject({ name: 'Lyon', population: 3 })
  await client.cities.delete(lyon.id)
  expect(await client.cities.deleteMany([paris.id])).toBe(1)
  expect((await client.cities.list()).data).toEqual([])
})

test.each(['cities', 'flowing'] as const)('every record of %s, over pages, without one twice', async (name) => {
  const client = open()
  for (let n = 1; n <= 7; n++) await client[name].create({ name: `City ${n}` })
  asked.length = 0
  const names: (string | undefined)[] = []
  for await (const city of client[name].each({ perPage: 2, sort: '-name', filter: { name: { startsWith: 'City' } } })) names.push(city.name)
  expect(names).toEqual([7, 6, 5, 4, 3, 2, 1].map((n) => `City ${n}`))
  expect(asked).toHaveLength(4)
  expect(asked[3]).toContain(name === 'flowing' ? 'cursor=' : 'page=4')
  asked.length = 0
  for await (const _ of client[name].each({ perPage: 2 })) break
  expect(asked).toHaveLength(1)
})

test('a write names the version that was read; what somebody else has changed is not overwritten', async () => {
  const [mine, theirs] = [open(), open()]
  const { id: key } = await mine.cities.create({ name: 'Bonn' })
  await mine.cities.get(key)
  await theirs.cities.update(key, { name: 'Köln' })
  const refused = await problem(mine.cities.update(key, { name: 'Trier' }))
  expect(refused).toMatchObject({ status: 412, type: 'urn:daymark:error:stale', data: { name: 'Köln' } })
  // It stays refused until the record has been read, or the version is named.
  expect((await problem(mine.cities.delete(key))).status).toBe(412)
  await mine.cities.update(key, { name: 'Trier' }, { ifMatch: refused.etag })
  await mine.cities.update(key, { name: 'Ulm' })
  await theirs.cities.update(key, { name: 'Kiel' }, { ifMatch: null })
  await mine.cities.update(key, { name: 'Ulm' }, { ifMatch: null })
  expect((await theirs.cities.get(key)).name).toBe('Ulm')
})

test('a record that was just made has a version, too', async () => {
  const client = open()
  const { id: key } = await client.kept.create({ name: 'Bonn' })
  expect((await client.kept.update(key, { name: 'Köln' })).name).toBe('Köln')
  const { code } = await client.flags.create({ code: 'a/b? ü' })
  expect(await client.flags.update(code, { since: '2026-01-01T00:00:00.000Z' })).toMatchObject({ since: '2026-01-01T00:00:00.000Z' })
  await client.flags.delete((await client.flags.create({ code: 'c' })).code)
})

test.each(['', '.', '..'])('a record with the key "%s" has no address, and nothing else is asked for in its place', async (key) => {
  const { flags } = open()
  const calls = [() => flags.get(key), () => flags.update(key, { since: null }), () => flags.delete(key)]
  for (const call of calls) await expect(call()).rejects.toThrow(new TypeError(`"${key}" has no address: no URL can end in it`))
  expect(asked).toEqual([])
  await expect(flags.get('...')).rejects.toMatchObject({ status: 404 })
})

test('a version is known behind a proxy that compresses, and so marks it as weak', async () => {
  const client = open(async (request) => {
    const { body, status, headers } = await panel.fetch(request)
    const weak = new Headers(headers)
    if (headers.has('etag')) weak.set('etag', `W/${headers.get('etag')}`)
    return new Response(body, { status, headers: weak })
  })
  const { id: key } = await client.kept.create({ name: 'Bonn' })
  await client.kept.update(key, { name: 'Köln' })
  await open().kept.update(key, { name: 'Trier' }, { ifMatch: '*' })
  const refused = await problem(client.kept.update(key, { name: 'Ulm' }))
  expect(refused.status).toBe(412)
  expect(await client.kept.update(key, { name: 'Ulm' }, { ifMatch: refused.etag })).toMatchObject({ name: 'Ulm' })
})

test('a body that breaks off is tried again as a lost connection is, and one that is no object is no answer', async () => {
  const breaks = () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('terminated')) }))
  const answers = [breaks]
  const client = open(async (request) => (answers.shift() ?? (() => seen(request)))())
  expect((await client.cities.list()).data).toEqual([])
  answers.push(breaks)
  await expect(client.cities.create({ name: 'Once' })).rejects.toThrow('terminated')
  answers.push(() => new Response('null', { status: 502 }))
  expect((await problem(client.cities.list())).status).toBe(502)
  answers.push(() => new Response('null'))
  expect((await problem(client.cities.list())).title).toBe('The answer is not JSON')
})

test('a filter says what its values are, or is refused before anything is asked', async () => {
  const client = open()
  for (const [n, name] of ['Bonn', 'null', 'Kiel'].entries()) await client.cities.create({ name, population: n === 1 ? null : n })
  await client.flags.create({ code: 'old', since: '2026-01-01T00:00:00.000Z' })
  await client.flags.create({ code: 'new', since: '2026-03-01T00:00:00.000Z' })
  const names = async (filter: object) => (await client.cities.list({ filter })).data.map(({ name }) => name)
  expect(await names({ population: null })).toEqual(['null'])
  expect(await names({ population: { eq: null } })).toEqual(['null'])
  expect(await names({ population: { ne: null } })).toEqual(['Bonn', 'Kiel'])
  expect(await names({ population: undefined, name: { eq: undefined, contains: 'ie' } })).toEqual(['Kiel'])
  const codes = async (filter: object) => (await client.flags.list({ filter })).data.map(({ code }) => code)
  expect(await codes({ since: { gte: new Date('2026-02-01') } })).toEqual(['new'])
  expect(await codes({ since: new Date('2026-01-01') })).toEqual(['old'])
  expect(await codes({ since: [new Date('2026-01-01'), '2026-03-01T00:00:00.000Z'] })).toHaveLength(2)
  asked.length = 0
  for (const wrong of [[], {}, { eq: [] }, new Map([['gte', 1]]), new Set([1]), { gte: {} }, { gte: null }, [null], [undefined], () => 1])
    await expect(names({ population: wrong })).rejects.toThrow(TypeError)
  // Sent as a text, these would ask for something else than was meant.
  for (const wrong of [{ null: null }, { null: 'no' }, { null: [] }, Symbol('5'), { gte: Symbol('5') }, [Symbol('5')]])
    await expect(names({ population: wrong })).rejects.toThrow(TypeError)
  await expect(client.cities.each({ filter: { population: [] } }).next()).rejects.toThrow('filter[population] is an empty list')
  for (const wrong of ['', { eq: '' }, { ne: '' }, ['', 'Bonn']])
    await expect(names({ name: wrong })).rejects.toThrow('filter[name] is an empty text')
  expect(asked).toEqual([])
  expect(await names({ name: { contains: '' } })).toHaveLength(3)
})

test('a number that JSON does not have is refused by the name of its field: it would be stored as no value', async () => {
  const { cities, request } = open()
  await expect(cities.create({ name: 'Bonn', population: Number.NaN })).rejects.toThrow('population holds NaN, which JSON does not have')
  await expect(cities.update(1, { population: -Infinity })).rejects.toThrow(
    new TypeError('population holds -Infinity, which JSON does not have'),
  )
  await expect(request('POST', '/any', { deep: [{ in: [1, Infinity] }] })).rejects.toThrow('deep holds Infinity')
  expect(asked).toEqual([])
})

test('the comments on a record', async () => {
  const notes = sqliteTable('notes', { id: integer('id').primaryKey(), name: varchar('name').notNull() })
  const place = mkdtempSync(join(tmpdir(), 'daymark-client-'))
  const made = new Sqlite(join(place, 'notes.db'))
  made.exec("create table notes (id integer primary key, name text not null); insert into notes values (1, 'One')")
  made.close()
  const database = `sqlite:${join(place, 'notes.db')}`
  const panel = definePanel({ auth: 'open', database, resources: [defineResource({ model: notes, comments: true })] })
  const client = createClient<typeof panel>({ baseUrl, fetch: (request) => panel.fetch(request) })
  for (let n = 1; n <= 26; n++) await client.notes.comment(1, `No ${n}`)
  const { data, meta } = await client.notes.comments(1)
  expect([data[0]?.text, meta.total]).toEqual(['No 26', 26])
  const [first] = (await client.notes.comments(1, { cursor: meta.nextCursor ?? '' })).data
  expect(await client.notes.editComment(1, first?.id ?? 0, 'Changed')).toMatchObject({ text: 'Changed', editedAt: expect.any(String) })
  await client.notes.deleteComment(1, first?.id ?? 0)
  expect((await client.notes.comments(1)).meta.total).toBe(25)
  expect((await problem(client.notes.comment(1, ''))).errors.text).toHaveLength(1)
  await panel.close()
  rmSync(place, { recursive: true })
})

test('the history of a record, page by page', async () => {
  const notes = sqliteTable('notes', { id: integer('id').primaryKey(), name: varchar('name').notNull() })
  const place = mkdtempSync(join(tmpdir(), 'daymark-client-'))
  const database = `sqlite:${join(place, 'notes.db')}`
  const made = new Sqlite(join(place, 'notes.db'))
  made.exec('create table notes (id integer primary key, name text not null)')
  made.close()
  const kept = definePanel({ auth: 'open', database, resources: [defineResource({ model: notes, history: true })] })
  const client = createClient<typeof kept>({ baseUrl, fetch: (request) => kept.fetch(request) })
  const { id: key } = await client.notes.create({ name: '0' })
  for (let n = 1; n < 30; n++) await client.notes.update(key, { name: String(n) })
  const first = await client.notes.history(key)
  const next = await client.notes.history(key, { cursor: first.meta.nextCursor ?? '' })
  expect([first.data.length, next.data.length, next.meta.nextCursor]).toEqual([25, 5, null])
  expect(first.data[0]).toMatchObject({
    action: 'update',
    user: { name: expect.any(String) },
    changes: { name: { before: '28', after: '29' } },
  })
  expect(next.data.at(-1)).toMatchObject({ action: 'create', changes: { name: { before: null, after: '0' } } })
  expect((await problem(open().cities.history(1))).status).toBe(404)
  await expect(client.notes.history('..' as never)).rejects.toThrow(TypeError)
  await kept.close()
  rmSync(place, { recursive: true })
})

test('records are moved in the order of their list', async () => {
  const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull(), place: integer().notNull().default(0) })
  const kept = definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(notes), reorderable: 'place' })] })
  const client = createClient<typeof kept>({ baseUrl, fetch: (request) => kept.fetch(request) })
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(async (name) => (await client.notes.create({ name })).id))
  const names = async () => (await client.notes.list()).data.map(({ name }) => name)
  expect(await client.notes.move(c as number, { before: a as number })).toEqual({ id: c, name: 'c', place: 0 })
  expect(await names()).toEqual(['c', 'a', 'b'])
  await client.notes.move(a as number, { to: 'last' })
  expect(await names()).toEqual(['c', 'b', 'a'])
  // The version is that of the record as it was returned.
  await client.notes.update(a as number, { name: 'A' })
  await expect(client.notes.move(b as number, { after: 9 })).rejects.toThrow('There is no such record')
  expect((await problem(open().cities.move(1, { to: 'first' }))).status).toBe(404)
})

test('records are imported from a list and from a CSV file, all or none', async () => {
  const notes = sqliteTable('notes', { id: integer('id').primaryKey(), name: varchar('name').notNull() })
  const kept = definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(notes), import: true })] })
  const client = createClient<typeof kept>({ baseUrl, fetch: (request) => kept.fetch(request) })
  expect(await client.notes.import([{ name: 'A' }, { name: 'B' }], { check: true })).toMatchObject({ created: 2, checked: true })
  expect((await client.notes.list()).data).toEqual([])
  expect(await client.notes.import([{ name: 'A' }, { name: 'B' }])).toMatchObject({ created: 2, checked: false })
  expect(await client.notes.import(new Blob(['id,name\n1,A\n2,C\n,D']), { mode: 'both' })).toEqual({
    created: 1,
    updated: 1,
    unchanged: 1,
    ignored: [],
    checked: false,
  })
  expect(await client.notes.import([{ id: 1, name: 'E' }], { mode: 'update' })).toMatchObject({ updated: 1 })
  // It was this client itself that has changed the record that it had read.
  await client.notes.get(2)
  await client.notes.import([{ id: 2, name: 'F' }], { mode: 'update', check: true })
  await client.notes.update(2, { name: 'G' })
  await client.notes.import(
    [
      { id: 2, name: 'C' },
      { id: 1, name: 'E' },
    ],
    { mode: 'both' },
  )
  expect(await client.notes.update(2, { name: 'H' })).toMatchObject({ name: 'H' })
  await client.notes.import(new Blob(['id,name\n2,C']), { mode: 'update' })
  await client.notes.update(2, { name: 'C' })
  const thrown = await problem(client.notes.import(new Blob(['id,name\n9,A\n1,']), { mode: 'update' }))
  expect(thrown).toMatchObject({ status: 422, errors: { 'lines[2].id': [expect.any(String)], 'lines[3].name': [expect.any(String)] } })
  expect((await client.notes.list({ sort: 'id' })).data.map(({ name }) => name)).toEqual(['E', 'C', 'D'])
  expect((await problem(open().cities.import([{ name: 'X' } as never]))).status).toBe(404)
})

test('records are found by another column than their key', async () => {
  const parts = sqliteTable('parts', { id: integer().primaryKey(), sku: varchar().notNull().unique(), price: integer() })
  const kept = definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(parts), import: { match: 'sku' } })] })
  const client = createClient<typeof kept>({ baseUrl, fetch: (request) => kept.fetch(request) })
  await client.parts.create({ sku: 'B-1', price: 1 })
  expect(await client.parts.import([{ sku: 'B-1', price: 2 }], { mode: 'update' })).toMatchObject({ updated: 1 })
  expect(await client.parts.import([{ sku: 'B-1', price: 3 }, { sku: 'N-1' }], { mode: 'both' })).toMatchObject({ created: 1, updated: 1 })
  // @ts-expect-error it names no record
  expect((await problem(client.parts.import([{ price: 3 }], { mode: 'update' }))).errors).toEqual({ 'records[0].sku': ['Names no record'] })
})

test('a refusal says what is wrong with which field', async () => {
  const client = open()
  const thrown = await problem(client.cities.create({ name: 'x'.repeat(21) }))
  expect(thrown).toMatchObject({ status: 422, type: 'urn:daymark:error:invalid', title: 'Invalid input' })
  expect(thrown.requestId).toMatch(/^[\da-f-]{36}$/)
  expect(thrown.detail).toBe(thrown.message)
  expect(client.cities.isProblem(thrown) && thrown.errors.name).toHaveLength(1)
  expect((await problem(client.cities.get(404))).status).toBe(404)
})

test('what is safe is tried again, a few times; what writes never', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  try {
    const answers: (() => Response | Promise<Response>)[] = []
    const client = open(async (request) => (answers.length > 0 ? (answers.shift() as () => Response)() : seen(request)))
    const down = (after?: string) => () => new Response('<h1>Busy', { status: 503, headers: after ? { 'retry-after': after } : {} })
    const broken = () => Promise.reject(new TypeError('fetch failed'))
    answers.push(down('2'), broken)
    const listed = client.cities.list()
    await vi.advanceTimersByTimeAsync(1900)
    expect(answers).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2000)
    expect((await listed).data).toEqual([])
    answers.push(down(), down(), down())
    const gone = problem(client.cities.list())
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await gone).toMatchObject({ status: 503, type: 'about:blank', requestId: null })
    // A header that cannot be read is as good as none: it is not tried again at once.
    answers.push(down('soon'))
    const soon = client.cities.list()
    await vi.advanceTimersByTimeAsync(50)
    expect(answers).toHaveLength(0)
    let isDone = false
    void soon.then(() => (isDone = true))
    await vi.advanceTimersByTimeAsync(20)
    expect(isDone).toBe(false)
    await vi.advanceTimersByTimeAsync(1000)
    expect((await soon).data).toEqual([])
    answers.push(down('3600'))
    expect((await problem(client.cities.list())).status).toBe(503)
    answers.push(down('1'))
    expect((await problem(client.cities.create({ name: 'Once' }))).status).toBe(503)
    answers.push(broken)
    await expect(client.cities.create({ name: 'Once' })).rejects.toThrow('fetch failed')
    expect(answers).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('signs in, refreshes once for all who wait, and hands over the new pair', async () => {
  vi.stubEnv('JWT_SECRET', Buffer.alloc(32, 7).toString('base64'))
  const closed = makePanel({})
  const credentials = { username: 'ada', password: 'correct horse battery' }
  await closed.ensureUser({ ...credentials, roles: ['admin'] })
  const paths: string[] = []
  const fetch = (request: Request) => {
    paths.push(`${request.method} ${new URL(request.url).pathname.slice('/admin'.length)}`)
    return closed.fetch(request)
  }
  try {
    expect((await problem(createClient<Panel>({ baseUrl, fetch }).cities.list())).status).toBe(401)
    const pairs: { token: string; refreshToken: string }[] = []
    paths.length = 0
    const client = createClient<Panel>({ baseUrl: `${baseUrl}/`, fetch, credentials, onTokens: (pair) => pairs.push(pair) })
    await Promise.all([client.cities.list(), client.cities.list(), client.countries.list()])
    expect(paths.filter((path) => path === 'POST /authenticate')).toHaveLength(1)
    paths.length = 0
    const stale = createClient<Panel>({
      baseUrl,
      fetch,
      token: 'stale',
      refreshToken: pairs[0]?.refreshToken ?? '',
      onTokens: (pair) => pairs.push(pair),
    })
    await Promise.all([stale.cities.list(), stale.cities.create({ name: 'A' }), stale.cities.list()])
    expect(paths.filter((path) => path === 'POST /refresh')).toHaveLength(1)
    expect(paths.filter((path) => path === 'POST /resource/cities/crud')).toHaveLength(2)
    expect(pairs).toHaveLength(2)
    // The refusal of one may come while the token is being renewed because of another.
    const late: string[] = []
    const slow = createClient<Panel>({
      baseUrl,
      token: 'stale',
      refreshToken: pairs[1]?.refreshToken ?? '',
      async fetch(request) {
        const isWrite = request.url.endsWith('/countries/crud')
        if (isWrite) await vi.waitFor(() => expect(late).toContain('renews'), 10_000)
        if (request.url.endsWith('/refresh')) {
          late.push('renews')
          await vi.waitFor(() => expect(late).toContain('refused'), 10_000)
        }
        const response = await closed.fetch(request)
        if (isWrite && response.status === 401) late.push('refused')
        return response
      },
    })
    await Promise.all([slow.cities.list(), slow.countries.create({ name: 'B' })])
    // A second use of the first refresh token is refused; the credentials are what is left.
    const wrong = createClient<Panel>({ baseUrl, fetch, token: 'stale', refreshToken: 'nonsense' })
    expect((await problem(wrong.cities.list())).status).toBe(401)
    const both = createClient<Panel>({ baseUrl, fetch, token: 'stale', refreshToken: 'nonsense', credentials })
    expect((await both.cities.list()).data).toHaveLength(1)
    const byHand = createClient<Panel>({ baseUrl, fetch })
    expect((await problem(byHand.signIn({ ...credentials, password: 'wrong' }))).status).toBe(401)
    await byHand.signIn(credentials)
    expect((await byHand.cities.list()).data).toHaveLength(1)

    // With a second factor, the code is asked for once the password was right.
    const own = '/profile/two-factor'
    const { secret } = ((await byHand.request('GET', own)) as { data: { setUp: { secret: string } } }).data.setUp
    const codeOf = (steps: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
    await byHand.request('PUT', own, { secret, code: codeOf(0), currentPassword: credentials.password })
    const twice = createClient<Panel>({ baseUrl, fetch })
    const asked = await problem(twice.signIn(credentials))
    expect([asked.status, asked.ticket]).toEqual([401, expect.stringMatching(/^[\w-]{43}$/)])
    const code = vi.fn(async () => codeOf(1))
    expect((await problem(twice.signIn({ ...credentials, password: 'wrong', code }))).ticket).toBe(null)
    expect(code).not.toHaveBeenCalled()
    await twice.signIn({ ...credentials, code })
    expect(code).toHaveBeenCalledOnce()
    expect((await twice.cities.list()).data).toHaveLength(1)
  } finally {
    vi.unstubAllEnvs()
    await closed.close()
  }
})

test('a list comes as a file: all of it, what a query finds, or some records', async () => {
  const words = sqliteTable('words', { id: integer('id').primaryKey(), name: varchar('name').notNull(), note: varchar('note') })
  const Words = defineResource({
    model: memoryStore(
      words,
      ['Ant', 'Bee', 'Cow', 'Boa'].map((name, i) => ({ id: i + 1, name, note: null })),
    ),
    fields: { id: id(), name: text('Name').sortable(), note: text('Note') },
    filters: ['name'],
  })
  const panel = definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Words], formats: [xlsx()] })
  const { words: at } = createClient<typeof panel>({ baseUrl, fetch: (request) => panel.fetch(request) })
  const linesOf = async (file: Blob) => (await file.text()).trim().split('\r\n')
  expect(await linesOf(await at.export())).toHaveLength(5)
  const found = await at.export({ filter: { name: { startsWith: 'B' } }, sort: '-name', fields: ['name'] })
  expect([found.type, await linesOf(found)]).toEqual([expect.stringContaining('text/csv'), ['Name', 'Boa', 'Bee']])
  expect(await linesOf(await at.export({ sort: 'name', fields: ['name'] }, [3, 1]))).toEqual(['Name', 'Ant', 'Cow'])
  const workbook = await at.export({ format: 'xlsx' }, [2])
  expect(workbook.type).toContain('spreadsheetml')
  expect((await problem(at.export({ format: 'ods' }))).errors).toHaveProperty('format')
  expect((await problem(at.export({}, [9]))).status).toBe(404)
  expect((await problem(at.export({}, []))).errors).toHaveProperty('ids')
  await panel.close()
})

test('a file goes to its field and comes back, with the name that it has or is given', async () => {
  const place = mkdtempSync(join(tmpdir(), 'daymark-client-'))
  const client = new Sqlite(join(place, 'papers.db'))
  client.exec('create table papers (id integer primary key, name text not null, scan text)')
  client.close()
  const papers = sqliteTable('papers', { id: integer('id').primaryKey(), name: varchar('name').notNull(), scan: varchar('scan') })
  const Papers = defineResource({ model: papers, fields: { id: id(), name: text('Name'), scan: file('Scan').maxBytes(100) } })
  const files = folder(join(place, 'files'))
  const panel = definePanel({ auth: 'open', database: `sqlite:${join(place, 'papers.db')}`, resources: [Papers], files })
  const { papers: at } = createClient<typeof panel>({ baseUrl, fetch: (request) => panel.fetch(request) })
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => i + 100)
  const scan = await at.upload('scan', new File([bytes], 'Übersicht 1.bin'))
  expect(scan).toMatch(/\/Übersicht 1\.bin$/)
  const { id: key } = await at.create({ name: 'A', scan })
  const read = await at.file(key, 'scan')
  expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes)
  expect((await at.update(key, { scan: await at.upload('scan', new Blob(['x']), 'x.txt') })).scan).toMatch(/\/x\.txt$/)
  expect((await problem(at.upload('scan', new Blob(['x'])))).errors).toHaveProperty('name')
  expect(await problem(at.upload('scan', new Blob([bytes, 'x']), 'x'))).toMatchObject({
    status: 413,
    errors: { scan: [expect.any(String)] },
  })
  await at.update(key, { scan: null })
  expect((await problem(at.file(key, 'scan'))).status).toBe(404)
  await panel.close()
  rmSync(place, { recursive: true })
})

test('credentials are for panels with tokens: one that signs in with a cookie is said to be one, at once, and takes an API key', async () => {
  const folderOf = mkdtempSync(join(tmpdir(), 'daymark-cookies-'))
  const closed = definePanel({
    secret: 'x'.repeat(32),
    database: `sqlite:${join(folderOf, 'panel.db')}`,
    auth: { middleware: authenticate(), pipelines: [password(), apiKeys()] },
    resources: [defineResource({ model: memoryStore(countries), can: { view: true } })],
  })
  const credentials = { username: 'ada', password: 'correct horse battery' }
  await closed.ensureUser({ ...credentials, roles: ['admin'] })
  const paths: string[] = []
  const fetch = (request: Request) => {
    paths.push(new URL(request.url).pathname)
    return closed.fetch(request)
  }
  try {
    const client = createClient<typeof closed>({ baseUrl, fetch, credentials, onTokens: () => paths.push('tokens') })
    const said = /signs in with a cookie.+daymark\/jwt.+ API key as `token`/
    await expect(client.countries.list()).rejects.toThrow(said)
    await expect(client.signIn(credentials)).rejects.toThrow(said)
    expect(paths).toEqual(['/admin/authenticate', '/admin/authenticate'])
    // A browser keeps the cookie of whoever signs in by hand.
    vi.stubGlobal('location', new URL(baseUrl))
    await createClient<typeof closed>({ baseUrl, fetch }).signIn(credentials)
    await expect(client.countries.list()).rejects.toThrow(said)
    vi.unstubAllGlobals()
    const signedIn = await closed.fetch(
      new Request(`${baseUrl}/authenticate`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(credentials),
      }),
    )
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const made = await closed.fetch(
      new Request(baseUrl + closed.route('api-keys.create').slice('/admin'.length), {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', cookie },
        body: JSON.stringify({ name: 'Script', currentPassword: credentials.password }),
      }),
    )
    const { key } = (await made.json()) as { key: string }
    const script = createClient<typeof closed>({ baseUrl, fetch, token: key })
    expect((await script.countries.list()).data).toEqual([])
  } finally {
    await closed.close()
    rmSync(folderOf, { recursive: true, force: true })
  }
})

test('what a form would show is asked for without writing, and said of what is refused, too', async () => {
  const products = sqliteTable('products', { id: integer('id').primaryKey(), price: integer('price') })
  const lines = sqliteTable('lines', {
    id: integer('id').primaryKey(),
    productId: integer('product_id').notNull(),
    price: integer('price').notNull(),
    amount: integer('amount').notNull(),
  })
  const Lines = defineResource({
    model: memoryStore(lines),
    fields: {
      id: id(),
      productId: belongsTo('Product', products).fills({ price: 'price' }),
      price: number('Price'),
      amount: number('Amount'),
    },
    computed: { total: { label: 'Total', needs: ['price', 'amount'], currency: 'EUR', value: ({ price, amount }) => price * amount } },
    pages: { form: ['productId', 'price', 'amount', 'total'] },
  })
  const kept = definePanel({ auth: 'open', log: () => {}, resources: [Lines, defineResource({ model: memoryStore(products) })] })
  const client = createClient<typeof kept>({ baseUrl, fetch: (request) => kept.fetch(request) })
  const { id: productId } = await client.products.create({ price: 3 })
  expect(await client.lines.validate({ productId, amount: 2 })).toEqual({
    computed: { total: { value: 6, text: '€6.00' } },
    filled: { price: { value: 3, text: '3' } },
  })
  const { id: key } = await client.lines.create({ productId, amount: 2 })
  expect(await client.lines.validate({ amount: 5 }, key)).toEqual({ computed: { total: { value: 15, text: '€15.00' } }, filled: {} })
  const refused = await problem(client.lines.validate({ productId }))
  expect([refused.status, refused.errors]).toEqual([422, { amount: ['Amount is required'] }])
  expect(refused.would).toEqual({ computed: { total: { value: null, text: null } }, filled: { price: { value: 3, text: '3' } } })
  expect((await problem(client.lines.get(99))).would).toBeNull()
  expect((await client.lines.list()).data).toHaveLength(1)
})
