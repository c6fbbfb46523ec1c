import {
  belongsToMany,
  type Component,
  chart,
  date,
  dateTime,
  definePage,
  definePanel,
  defineResource,
  type GroupedBy,
  groups,
  id,
  json,
  number,
  select,
} from 'daymark'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'

type Chart = Extract<Component, { is: 'chart' }>

const tags = sqliteTable('tags', { id: integer().primaryKey() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  status: text({ enum: ['open', 'paid'] }),
  kind: text({ enum: ['small', 'large'] }),
  total: integer(),
  at: integer({ mode: 'timestamp' }),
  day: text(),
  more: text({ mode: 'json' }),
})
const orderTags = sqliteTable('order_tags', {
  orderId: integer()
    .notNull()
    .references(() => orders.id),
  tagId: integer()
    .notNull()
    .references(() => tags.id),
})
const Tags = defineResource({ model: tags })
const Orders = defineResource({
  model: orders,
  fields: {
    id: id(),
    status: select(),
    kind: select(),
    total: number(),
    at: dateTime(),
    day: date(),
    more: json(),
    tagIds: belongsToMany('Tags', orderTags.tagId),
  },
})

type By = GroupedBy<string>
const count = (by: By) => groups.count('orders', by)

function problems(data: Chart['data'], type?: NonNullable<Chart['type']>): string {
  const page = definePage({ uri: 'own', title: 'Own', components: [chart({ name: 'one', label: 'One', data, ...(type && { type }) })] })
  try {
    definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Orders, Tags], pages: [page], log: () => {} })
    return ''
  } catch (error) {
    return String((error as Error).message)
  }
}

test.each<[says: string, by: By]>([
  ['"nope" is not a field of orders', { by: 'nope' }],
  ['"nope" is not a field of orders', { by: 'status', split: 'nope' }],
  ['"at" holds times: say the periods, as `every`', { by: 'at' }],
  ['"at" holds times: say the periods, as `every`', { by: 'status', split: 'at' }],
  ['"status" holds no times, so no periods', { by: 'status', every: 'day' }],
  ['"day" holds days, which have no hours', { by: 'day', every: 'hour' }],
  ['"more" holds no values that form groups', { by: 'more' }],
  ['"tagIds" holds no values that form groups', { by: 'tagIds' }],
  ['`split` is "status", as `by`', { by: 'status', split: 'status' }],
  ['`every` is one of hour, day, week, month, quarter, year, not decade', { by: 'at', every: 'decade' as never }],
  ['last must be a whole number from 1 to 366, not 367', { by: 'at', every: 'day', last: 367 }],
  ['limit must be a whole number from 1 to 50, not 0', { by: 'status', limit: 0 }],
  ['`order` is value or group, not name', { by: 'status', order: 'name' as never }],
  ['is not a column', { by: 'status', where: { nope: 1 } }],
])('%s', (says, by) => {
  expect(problems(count(by))).toContain(says)
})

test('a chart needs a resource of the panel, and numbers to add up', () => {
  expect(problems(groups.count('gone', { by: 'x' }))).toMatch(/component-resource {2}pages\.own\.one.*no resource "gone"/)
  for (const of of ['sum', 'average', 'smallest', 'largest'] as const)
    for (const column of ['status', 'at'] as const)
      expect(problems(groups[of](Orders, column as never, { by: 'kind' }))).toContain(`"${column}" holds no numbers`)
})

test('several series are by the same periods', () => {
  const says = 'several series need the same periods'
  const series = (...all: By[]) => all.map((by, index) => ({ label: String(index), data: count(by) }))
  expect(problems([])).toContain('it has no series')
  expect(problems(series({ by: 'status' }, { by: 'status' }))).toContain(says)
  expect(problems(series({ by: 'at', every: 'day' }, { by: 'at', every: 'week' }))).toContain(says)
  expect(problems(series({ by: 'at', every: 'day', last: 3 }, { by: 'at', every: 'day' }))).toContain(says)
  expect(problems(series({ by: 'at', every: 'day' }, { by: 'at', every: 'day', split: 'status' }))).toContain(says)
  expect(problems(series({ by: 'at', every: 'day' }, { by: 'day', every: 'day' }))).toBe('')
})

test('as many series as there are colours', () => {
  const series = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ label: String(at), data: groups.count('orders', { by: 'at', every: 'day' }) }))
  expect(problems(series(5))).toBe('')
  expect(problems(series(6))).toContain('it has 6 series, and colours tell 5 apart')
})

test('a doughnut shows one series of parts of a whole', () => {
  expect(problems(count({ by: 'status' }), 'doughnut')).toBe('')
  expect(problems(count({ by: 'status', split: 'kind' }), 'doughnut')).toContain('a doughnut shows one series')
  expect(problems(groups.average(Orders, 'total', { by: 'status' }), 'doughnut')).toContain('counts or sums')
})

test('a misspelt setting is told at once: without its condition, a chart would count all records', () => {
  expect(() => groups.count(Orders, { by: 'status', were: { total: 1 } } as never)).toThrow(
    'setting-unknown  groups.count(orders).were: unknown setting "were"',
  )
})
