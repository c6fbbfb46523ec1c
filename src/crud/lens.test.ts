import { bigint as big, boolean, integer, jsonb, numeric, pgTable, real, timestamp, text as varchar } from 'drizzle-orm/pg-core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateTime } from '../field/kinds/date-time.js'
import { id } from '../field/kinds/id.js'
import { json } from '../field/kinds/json.js'
import { number } from '../field/kinds/number.js'
import { switcher } from '../field/kinds/switcher.js'
import { text } from '../field/kinds/text.js'
import { defineResource } from '../resource/resource.js'
import { lensOf } from './lens.js'

const things = pgTable('things', {
  id: integer().primaryKey(),
  name: varchar(),
  '7': varchar(),
  views: integer(),
  price: real(),
  exact: numeric(),
  huge: big({ mode: 'bigint' }),
  on: boolean(),
  at: timestamp({ withTimezone: true, precision: 3 }),
  data: jsonb(),
  'say "hi"': varchar(),
})

const Things = defineResource({
  model: things,
  fields: {
    name: text(),
    '7': text(),
    views: number(),
    price: number(),
    exact: number(),
    huge: number(),
    on: switcher(),
    at: dateTime(),
    data: json(),
    id: id(),
    'say "hi"': text(),
  },
  computed: { double: { label: 'Double', needs: ['views'], value: ({ views }) => (views === null ? null : views * 2) } },
})

const identity = { id: '1', username: 'ann', name: 'Ann', roles: ['admin'] }
const any = fc.oneof(
  fc.string({ unit: 'binary' }).filter((one) => one.isWellFormed()),
  fc.constantFrom('', '"', '\\', 'a\nb', 'ü😀', '\u2028'),
)
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const rows = fc.record({
  id: fc.integer(),
  name: orNull(any),
  '7': orNull(any),
  views: orNull(fc.integer()),
  price: orNull(fc.double({ noNaN: true, noDefaultInfinity: true })),
  exact: orNull(fc.integer().map(String)),
  huge: orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  on: orNull(fc.boolean()),
  at: orNull(fc.date({ noInvalidDate: false })),
  data: orNull(fc.jsonValue()),
  'say "hi"': orNull(any),
})

test.each([
  ['a list', { name: 'index', whole: false }],
  ['a record', { name: 'detail', whole: true }],
  ['all of it', { name: 'record', whole: true }],
  ['a part without its key', { name: 'detail', whole: true, only: ['7', 'name', 'double'] }],
] as const)('the text of %s is that of its object', (_, view) => {
  const lens = lensOf(identity, Things as never, view)
  fc.assert(
    fc.property(rows, (values) => {
      const row = lens.columns.map((column) => values[column as keyof typeof values])
      expect(lens.text(row)).toBe(JSON.stringify(lens.record(row)))
    }),
    { numRuns: 500 },
  )
})
