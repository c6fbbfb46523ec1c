import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columns, filters, operators, order, queryText, row, search } from './arbitrary.js'
import { evaluate } from './evaluate.js'
import { openWorld, request, type StoreName, stores, type Thing, type World } from './things.js'

const rows = new Map(fc.sample(row(), { numRuns: 200, seed: 11 }).map((one) => [one.id, one]))
const all: readonly Thing[] = [...rows.values()]

/** Texts that have broken others. None of them holds what the test takes for a sign of a leak. */
const nasty = [
  "' OR '1'='1",
  '1; drop table things; --',
  '") or 1=1 --',
  '%27%20or%201=1',
  '*/1/*',
  '$ne',
  '{"$gt":""}',
  '[object Object]',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '"><img src=x>',
  '#{7*7}',
  '{{7*7}}',
  '%',
  '\\',
  '\u202e',
  '\ufeff',
  'ﬀ',
  '\u{1f600}'.repeat(20),
  '['.repeat(200),
  '*?'.repeat(100),
  'a'.repeat(3000),
]

// No value of their columns, however it is read.
const words = ['many', '--1', '1,5', '0x10', 'NaN', 'Infinity', '1e999', '12abc', '１', '9'.repeat(400), ...nasty]
const badTexts: { readonly [K in keyof Thing]: readonly string[] } = {
  id: ['007', '7.0', ' 7', '-0', '1e1', '9223372036854775808', ...words],
  name: [],
  notes: [],
  // Any text may be asked for: what is not an option could once have been one.
  kind: ['a\0b', '\0'],
  rank: ['1.5', '9007199254740993', '1e-1', ...words],
  score: words,
  mint: ['1.5', '9223372036854775808', '-9223372036854775809', '007', '1e3', ...words],
  done: ['2', 'yes', 'TRUE', 'on', ...nasty],
  parent: ['07', '1.0', ...words],
  day: ['2024-02-30', '2023-02-29', '24-01-01', '2024-1-1', '2024-01-01T00:00:00Z', ...nasty],
  at: ['2024-02-30T00:00:00Z', '2024-01-01T25:00:00Z', '1700000000000', 'yesterday', '99999-01-01T00:00:00Z', ...nasty],
}

/** One parameter that must be refused, whatever stands beside it. */
const bad: fc.Arbitrary<readonly [name: string, value: string]> = fc.oneof(
  fc
    .constantFrom(...columns)
    .filter((column) => badTexts[column].length > 0)
    .chain((column) => {
      const compared = operators[column].filter((operator) => operator !== 'null')
      const name = fc.constantFrom(
        `filter[${column}]`,
        `filter[${column}][]`,
        ...compared.map((operator) => `filter[${column}][${operator}]`),
      )
      return fc.tuple(name, fc.constantFrom(...badTexts[column]))
    }),
  fc.tuple(
    fc
      .constantFrom(...columns)
      .map((column) => `filter[${column}][null]`)
      .filter((name) => name !== 'filter[id][null]'),
    fc.constantFrom('yes', '2', 'NULL', ...nasty),
  ),
  fc.tuple(
    fc
      .constantFrom('rank', 'done', 'kind', 'at')
      .chain((column) =>
        fc.constantFrom('contains', 'startsWith', 'like', 'in', 'constructor', 'or').map((operator) => `filter[${column}][${operator}]`),
      ),
    fc.constant('1'),
  ),
  fc.tuple(
    fc.constantFrom(...nasty, '__proto__', 'constructor', 'things.id', 'ID', 'id ', '').map((name) => `filter[${name}]`),
    fc.constant('1'),
  ),
  fc.tuple(
    fc.constantFrom('filter', 'filters[id]', 'where', 'limit', 'offset', 'select', '$where', 'Sort', '__proto__', ...nasty),
    fc.constant('1'),
  ),
  fc.tuple(
    fc.constant('sort'),
    fc.constantFrom('score desc', '--id', '+id', 'id;', '__proto__', 'things.id', 'rowid', 'random()', 'id asc, name', ...nasty),
  ),
  fc.tuple(fc.constantFrom('page', 'perPage'), fc.constantFrom('0', '-1', '1.5', '1e3', 'one', '٣', '0x1', ' 1', '9'.repeat(30), ...nasty)),
  fc.tuple(fc.constant('perPage'), fc.constantFrom('101', '1000000')),
  fc.tuple(
    fc.constant('cursor'),
    fc.oneof(
      fc.constantFrom(...nasty),
      fc.base64String().map((text) => `x${text}`),
      forged(),
    ),
  ),
  fc.tuple(fc.constantFrom('include', 'fields', 'query-tag', 'total'), fc.constantFrom('nothing', '*', '__proto__', ...nasty)),
  fc.tuple(fc.constantFrom('search', 'filter[name]', 'filter[notes][contains]', 'query-tag'), fc.constantFrom('a\0b', '\0')),
)

/** Something that looks like a cursor. */
function forged(): fc.Arbitrary<string> {
  const written = fc.record({
    v: fc.constantFrom(1, 2, '1'),
    h: fc.constantFrom('', 'x', 'AAAAAAAAAAAA'),
    s: fc.constantFrom('after', 'before'),
    p: fc.array(fc.jsonValue()),
  })
  return fc.oneof(written, fc.jsonValue()).map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))
}

/** What a caller must never see: SQL, a stack, a path, a driver's words. */
const leak =
  /"things"\.|\bselect ["*\w(][^<>]*\bfrom ["\w]|insert into|sqlite|libsql|drizzle|syntax error|no such column|\.[jt]s:\d+|node_modules|\n\s+at /i

describe.each(Object.keys(stores) as StoreName[])('over %s', (store) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(store, all)
  })
  afterAll(async () => {
    try {
      // Nothing that was asked here may have changed anything.
      const { body } = await world.get('things', 'perPage=100&sort=id')
      expect(JSON.parse(body).data.map(({ id }: { id: number }) => id)).toEqual(
        evaluate(all, [], '', [{ column: 'id', descending: false }]),
      )
      expect(world.faults).toEqual([])
    } finally {
      await world.close()
    }
  })

  test.each(['RED', 'purple', ...nasty.filter((text) => text !== '' && !text.includes('\0'))])(
    '%j as an option finds nothing',
    async (text) => {
      const { status, body } = await world.get('things', encoded(['filter[kind]', text]))
      expect([status, keysOf(body)]).toEqual([200, []])
    },
  )

  test('a query with something wrong in it is refused; one without gives what it asks for and no row more', async () => {
    const asked = fc.asyncProperty(filters, search, order, fc.array(bad, { maxLength: 2 }), async (filters, search, order, wrong) => {
      const query = [
        ...(filters.length + search.length + order.length > 0 ? [queryText(filters, search, order)] : []),
        ...wrong.map(encoded),
      ].join('&')
      const { status, body } = await world.get('things', query)
      expect(body, query).not.toMatch(leak)
      if (wrong.length > 0) expect(status, `${query}\n${body}`).toBe(422)
      else expect([status, keysOf(body)], query).toEqual([200, evaluate(all, filters, search, order).slice(0, 25)])
    })
    await fc.assert(asked, { numRuns: 1000 })
  }, 60_000)

  test('any text at all as a query', async () => {
    const piece = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...nasty, '=', '&', '[', ']', '%', '%00', '%ff', '+', 'filter', 'sort', 'page'),
    )
    const asked = fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      // What an address cannot hold is encoded; percent signs stay as they are.
      const query = encodeURI(pieces.join('').toWellFormed()).replaceAll('%25', '%').replaceAll('#', '')
      const { status, body } = await world.get('things', query)
      expect(body, query).not.toMatch(leak)
      expect(status === 200 || (status >= 400 && status < 500), `${query}\n${status} ${body}`).toBe(true)
      const names = query.split('&').map((pair) => pair.split('=')[0]?.replace(/%5B/gi, '[').replace(/%5D/gi, ']') ?? '')
      if (status === 200)
        expect(
          names.every((name) => /^(?:|page|sort|filter\[\w+\].*)$/.test(name)),
          query,
        ).toBe(true)
      else expect(status, `${query}\n${body}`).toBe(422)
    })
    await fc.assert(asked, { numRuns: 1000 })
  }, 60_000)

  test('pages for people: never an error of ours, never what was sent as markup', async () => {
    const asked = fc.asyncProperty(fc.array(bad, { minLength: 1, maxLength: 3 }), async (wrong) => {
      const path = `${world.panel.route('crud.index', { resource: 'things' })}?${wrong.map(encoded).join('&')}`
      const response = await world.panel.fetch(new Request(`http://localhost${path}`))
      const page = await response.text()
      expect(response.status, path).toBeLessThan(500)
      expect(page, path).not.toMatch(leak)
      expect(page, path).not.toMatch(/<script>alert|<img src=x/)
    })
    await fc.assert(asked, { numRuns: 200 })
  }, 60_000)

  test('bodies: whatever is sent with a name that does not exist changes nothing', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(...nasty, ...words),
      fc.constantFrom(1e308, -0, 2 ** 53, Number.MIN_VALUE),
      fc.bigInt().map(String),
    )
    const names = fc.constantFrom<string>(...columns, '__proto__', 'constructor', 'toString', '_method', '_version', 'ids', ...nasty)
    const fields = fc.array(fc.tuple(names, value), { maxLength: 8 })
    const kind = fc.constantFrom('json', 'form', 'multipart', 'broken')
    const method = fc.constantFrom('POST', 'PUT', 'PATCH')
    const asked = fc.asyncProperty(method, fields, kind, fc.nat(60), async (method, fields, kind, cut) => {
      const { panel } = world
      const path =
        method === 'POST'
          ? panel.route('crud.store', { resource: 'things' })
          : panel.route('crud.update', { resource: 'things', resourceItem: String(all[0]?.id) })
      const response = await world.panel.fetch(request(method, path, bodyOf(kind, fields, cut)))
      const body = await response.text()
      expect([400, 404, 405, 412, 422], `${method} ${kind} ${JSON.stringify(fields)}\n${body}`).toContain(response.status)
      expect(body).not.toMatch(leak)
    })
    await fc.assert(asked, { numRuns: 1000 })
  }, 60_000)

  test('keys of a delete: what names no record deletes none, whatever stands beside it', async () => {
    const key = fc.oneof(fc.constantFrom(...badTexts.id), fc.integer({ min: 61, max: 99 }).map(String))
    const there = fc.constantFrom(...all.map(({ id }) => String(id)))
    const asked = fc.asyncProperty(
      fc.array(there, { maxLength: 4 }),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (good, wrong, inBody) => {
        const ids = [...good, ...wrong]
        const path = world.panel.route('crud.massDelete', { resource: 'things' })
        const query = new URLSearchParams(ids.map((id): [string, string] => ['ids[]', id]))
        const asked = inBody
          ? request('DELETE', path, { body: JSON.stringify({ ids }), headers: { 'content-type': 'application/json' } })
          : request('DELETE', `${path}?${query}`)
        const response = await world.panel.fetch(asked)
        const body = await response.text()
        expect([404, 422], `${ids}\n${body}`).toContain(response.status)
        expect(body).not.toMatch(leak)
      },
    )
    await fc.assert(asked, { numRuns: 200 })
  }, 60_000)
})

function encoded([name, value]: readonly [string, string]): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

function keysOf(body: string): number[] {
  return JSON.parse(body).data.map(({ id }: { id: number }) => id)
}

function bodyOf(kind: string, fields: readonly (readonly [string, unknown])[], cut: number): RequestInit {
  const named = [...fields, ['nope', 1] as const]
  const texts = named.map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  if (kind === 'form') return { body: new URLSearchParams(texts) }
  if (kind === 'multipart') {
    const form = new FormData()
    for (const [name, value] of texts) form.append(name, value)
    return { body: form }
  }
  const json = `{${named.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`
  return {
    body: kind === 'broken' ? json.slice(0, Math.min(cut, json.length - 1)) || '{' : json,
    headers: { 'content-type': 'application/json' },
  }
}
