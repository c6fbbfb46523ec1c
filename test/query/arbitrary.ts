import fc from 'fast-check'
import type { Filter, Match, Step } from './evaluate.js'
import { kinds, type Thing } from './things.js'

// Few characters, so that texts meet: cases beyond ASCII, what patterns and quotes are made of, one beyond the basic plane.
const character = fc.constantFrom(
  'a',
  'A',
  'b',
  'ß',
  'ẞ',
  'é',
  'É',
  'σ',
  'ς',
  'Σ',
  'k',
  '\u212a',
  '%',
  '_',
  '*',
  '?',
  '[',
  ']',
  '^',
  '\\',
  "'",
  '"',
  ' ',
  '😀',
  '\ue000',
)
const text = fc.array(character, { maxLength: 5 }).map((all) => all.join(''))
const day = fc.constantFrom('2024-02-29', '2025-01-01', '2025-12-31', '1970-01-01')
const instant = fc.constantFrom(0, 1, -1, 1_700_000_000_000, 1_700_000_000_001, 253_402_300_799_999)
const integer = fc.oneof(fc.integer({ min: -2, max: 3 }), fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER))
const real = fc.oneof(fc.integer({ min: -1, max: 2 }), fc.constantFrom(0.1, 0.2, 0.30000000000000004, -1e-7, 1e21))
const big = fc.constantFrom(0n, 9n, 10n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 9_007_199_254_740_993n)

/** Some rows with keys of their own, many of them alike. */
export const rows: fc.Arbitrary<Thing[]> = fc.uniqueArray(row(), { maxLength: 30, selector: ({ id }) => id })

export function row(): fc.Arbitrary<Thing> {
  const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 3 })
  return fc.record({
    id: fc.integer({ min: 1, max: 60 }),
    name: maybe(text),
    notes: maybe(text),
    kind: maybe(fc.constantFrom(...kinds)),
    rank: maybe(integer),
    score: real,
    mint: maybe(big),
    done: fc.boolean(),
    parent: maybe(fc.integer({ min: 1, max: 3 })),
    day: maybe(day),
    at: maybe(instant.map((time) => new Date(time))),
  })
}

// An empty value means that nothing was given, and `search` forgives spaces around it.
const given = text.filter((one) => one !== '')
const texts: { readonly [K in keyof Thing]: fc.Arbitrary<string> } = {
  id: fc.integer({ min: 1, max: 60 }).map(String),
  name: given,
  notes: given,
  kind: fc.constantFrom(...kinds),
  rank: integer.map(String),
  score: real.map(String),
  mint: big.map(String),
  done: fc.constantFrom('1', '0', 'true', 'false'),
  parent: fc.integer({ min: 1, max: 4 }).map(String),
  day,
  at: instant.map((time) => new Date(time).toISOString()),
}

const compared = ['ne', 'gt', 'gte', 'lt', 'lte', 'from', 'to'] as const
const worded = ['ne', 'contains', 'startsWith', 'null'] as const
/** The operators of each column besides `eq`. */
export const operators: { readonly [K in keyof Thing]: readonly string[] } = {
  id: compared,
  name: worded,
  notes: worded,
  kind: ['ne', 'null'],
  rank: [...compared, 'null'],
  score: [...compared, 'null'],
  mint: [...compared, 'null'],
  done: ['null'],
  parent: ['ne', 'null'],
  day: [...compared, 'null'],
  at: [...compared, 'null'],
}

export const columns = Object.keys(operators) as (keyof Thing)[]

const filter: fc.Arbitrary<Filter> = fc.constantFrom(...columns).chain((column) =>
  fc.oneof(
    fc.array(texts[column], { minLength: 1, maxLength: 3 }).map((all) => ({ column, operator: 'eq', texts: all })),
    fc.constantFrom(...operators[column]).chain((operator) => {
      const one = operator === 'null' ? fc.constantFrom('1', '0', 'true', 'false') : texts[column]
      return one.map((value) => ({ column, operator, texts: [value] }))
    }),
  ),
)

/** Filters of columns and operators that differ: of a repeated one only the `eq` of several values makes sense. */
export const filters: fc.Arbitrary<Filter[]> = fc.uniqueArray(filter, {
  maxLength: 3,
  selector: ({ column, operator }) => `${column} ${operator}`,
})

export const search: fc.Arbitrary<string> = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: text })

export const match: fc.Arbitrary<Match> = fc.constantFrom('all', 'any')

/** An order of some columns, none twice. */
export const order: fc.Arbitrary<Step[]> = fc.uniqueArray(fc.record({ column: fc.constantFrom(...columns), descending: fc.boolean() }), {
  maxLength: 4,
  selector: ({ column }) => column,
})

/** The query string of a listing. */
export function queryText(
  filters: readonly Filter[],
  search: string,
  order: readonly Step[],
  more: Readonly<Record<string, string | number>> = {},
): string {
  const query = new URLSearchParams()
  for (const { column, operator, texts } of filters)
    for (const value of texts)
      query.append(operator === 'eq' ? `filter[${column}]${texts.length > 1 ? '[]' : ''}` : `filter[${column}][${operator}]`, value)
  if (search !== '') query.set('search', search)
  if (order.length > 0) query.set('sort', order.map(({ column, descending }) => (descending ? '-' : '') + column).join(','))
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  return query.toString()
}
