import { integer, SQLiteSyncDialect, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { always, type Condition } from '../../resource/condition/condition.js'
import { type Model, modelOf } from '../../resource/model/model.js'
import { models } from '../contract/tables.js'
import type { Aggregation, ListQuery } from '../store.js'
import { planAggregate } from './aggregate.js'
import { planCount } from './count.js'
import { planCreate } from './create.js'
import { planDelete } from './delete.js'
import { planFind, withKeys } from './find.js'
import { planList } from './list.js'
import { type Planned, Planner } from './plan.js'
import { boundValues } from './record.js'
import { sqliteDialect } from './sqlite/dialect.js'
import { planUpdate } from './update.js'

const { places } = models
const query = (rest: Partial<ListQuery> = {}): ListQuery => ({
  columns: ['id', 'name'],
  where: { op: 'eq', column: 'people', value: 1 },
  order: [
    { column: 'people', direction: 'ASC' },
    { column: 'id', direction: 'ASC' },
  ],
  limit: 25,
  ...rest,
})

test('one statement serves all values of a shape', () => {
  const planner = new Planner(sqliteDialect())
  const { plan, values } = planList(planner, places, query())
  const other = planList(planner, places, query({ where: { op: 'eq', column: 'people', value: 2 }, limit: 50 }))
  expect(other.plan).toBe(plan)
  expect([values, other.values]).toEqual([
    [1, 25],
    [2, 50],
  ])
})

test('one statement serves any number of keys', () => {
  const planner = new Planner(sqliteDialect())
  const find = (...keys: unknown[]) => planFind(planner, places, ['name'], withKeys(places, keys, undefined)).plan
  expect(find(1, 2, 3)).toBe(find(...Array.from({ length: 5000 }, (_, index) => index)))
})

test('whatever changes the SQL changes the shape', () => {
  const planner = new Planner(sqliteDialect())
  const is = (value: unknown): Condition => ({ op: 'eq', column: 'people', value })
  const shapes: ListQuery[] = [
    query(),
    query({ columns: ['name', 'id'] }),
    query({ where: is(null) }),
    query({ where: { op: 'ne', column: 'people', value: 1 } }),
    query({ where: { op: 'eq', column: 'slot', value: 1 } }),
    query({ where: { op: 'not', of: is(1) } }),
    query({ where: { op: 'and', all: [is(1)] } }),
    query({ where: { op: 'or', all: [is(1), is(1)] } }),
    query({ where: { op: 'and', all: [is(1), { op: 'or', all: [is(1)] }] } }),
    query({ where: { op: 'and', all: [{ op: 'or', all: [is(1), is(1)] }] } }),
    query({ where: { op: 'in', column: 'people', values: [1] } }),
    query({ where: { op: 'in', column: 'area', values: [0.5] } }),
    query({ where: { op: 'in', column: 'area', values: [0.5, 1.5] } }),
    query({ where: { op: 'contains', column: 'name', text: 'a' } }),
    query({ where: { op: 'search', columns: ['name'], words: ['a'] } }),
    query({ where: { op: 'search', columns: ['name', 'code'], words: ['a'] } }),
    query({ where: { op: 'search', columns: ['name'], words: ['a', 'b'] } }),
    query({
      order: [
        { column: 'people', direction: 'DESC' },
        { column: 'id', direction: 'ASC' },
      ],
    }),
    query({ order: [{ column: 'id', direction: 'ASC' }] }),
    query({ offset: 5 }),
    query({ fromEnd: true }),
    query({ position: { side: 'after', values: [1, 1] } }),
    query({ position: { side: 'before', values: [1, 1] } }),
    query({ position: { side: 'after', values: [null, 1] } }),
    query({ position: { side: 'before', values: [null, 1] } }),
  ]
  const texts = shapes.map((shape) => planList(planner, places, shape).plan.text)
  // A fresh planner has no cache, so it writes what each shape needs.
  expect(texts).toEqual(shapes.map((shape) => planList(new Planner(sqliteDialect()), places, shape).plan.text))
  expect(planCount(planner, places, is(1)).plan.text).not.toBe(planCount(planner, places, is(1), 5).plan.text)
  expect(planCreate(planner, places, { name: 'a' }).plan.text).not.toBe(planCreate(planner, places, { name: 'a', people: 1 }).plan.text)
})

test('the statements of shapes unused for long are forgotten, the others kept', () => {
  const planner = new Planner(sqliteDialect())
  const keys = [...places.columns.keys()]
  const shape = (index: number) => {
    const columns = [index % 10, Math.floor(index / 10) % 10, Math.floor(index / 100)].map((place) => keys[place] as string)
    return planFind(planner, places, columns, withKeys(places, [], undefined)).plan
  }
  const [first, second] = [shape(0), shape(1)]
  for (let index = 2; index <= 500; index++) {
    shape(index)
    expect(shape(0)).toBe(first)
  }
  expect(shape(1)).not.toBe(second)
})

test('a word to be found in no column is not bound', () => {
  const { plan, values } = planCount(new Planner(sqliteDialect()), places, { op: 'search', columns: [], words: ['a'] })
  expect(boundValues({ plan, values })).toEqual([])
})

test('whatever is selected from has a name: until 16, PostgreSQL asks for one', () => {
  const { text } = planList(new Planner(sqliteDialect()), places, query({ position: { side: 'after', values: [5, 1] } })).plan
  expect(text).toMatch(/ from \(select \* from \(.*\) part union all select \* from \(.*\) part\) parts order by /)
})

// More tables and columns than ten: their numbers have one and two digits. A column is named by its table, so that texts tell them apart.
const numbers = Array.from({ length: 13 }, (_, number) => number)
const columnOf = (number: number) => `c${number}`
const tables: readonly Model[] = numbers.map((table) => {
  const columns = numbers.map(
    (number) => [columnOf(number), number % 2 ? integer(`t${table}c${number}`) : text(`t${table}c${number}`)] as const,
  )
  return modelOf(sqliteTable(`t${table}`, { id: integer().primaryKey(), ...Object.fromEntries(columns) }))
})
const columnName = fc.constantFrom(...numbers).map(columnOf)
const integerName = fc.constantFrom(...numbers.filter((number) => number % 2)).map(columnOf)
const textName = fc.constantFrom(...numbers.filter((number) => number % 2 === 0)).map(columnOf)
const columnNames = fc.uniqueArray(columnName, { minLength: 1, maxLength: 3 })
const { where: anyWhere } = fc.letrec<{ where: Condition }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small' },
    fc.record({ op: fc.constantFrom('eq', 'ne', 'gt', 'lte'), column: integerName, value: fc.constantFrom(null, 1) }),
    fc.record({ op: fc.constant('in' as const), column: integerName, values: fc.constantFrom([1], [1, 2]) }),
    fc.record({ op: fc.constantFrom('contains', 'startsWith', 'sameText'), column: textName, text: fc.constantFrom('a', '1') }),
    fc.record({ op: fc.constantFrom('and', 'or'), all: fc.array(tie('where'), { maxLength: 2 }) }),
    fc.record({ op: fc.constant('not' as const), of: tie('where') }),
  ) as fc.Arbitrary<Condition>,
}))
const anyOrder = fc.uniqueArray(columnName, { minLength: 1, maxLength: 2 }).chain((all) =>
  fc.record({
    order: fc.tuple(
      ...all.map((column) => fc.record({ column: fc.constant(column), direction: fc.constantFrom('ASC' as const, 'DESC' as const) })),
    ),
    position: fc.option(
      fc.record({
        side: fc.constantFrom('after' as const, 'before' as const),
        values: fc.tuple(...all.map((column) => fc.constantFrom(null, Number(column.slice(1)) % 2 ? 1 : 'a'))),
      }),
      { nil: undefined },
    ),
  }),
)
const anyGrouping = fc.uniqueArray(
  fc.record({ column: integerName, bounds: fc.constantFrom(undefined, [0, 1], [0, 1, 2]) }, { requiredKeys: ['column'] }),
  { maxLength: 2, selector: ({ column }) => column },
)

type Asks = (planner: Planner) => Planned | null
const asks: fc.Arbitrary<Asks> = fc
  .record({
    verb: fc.constantFrom('list', 'find', 'count', 'create', 'update', 'delete', 'aggregate'),
    model: fc.constantFrom(...tables),
    columns: columnNames,
    set: columnNames,
    where: fc.oneof({ weight: 3, arbitrary: fc.constant(always) }, anyWhere),
    ordered: anyOrder,
    by: anyGrouping,
    offset: fc.constantFrom(0, 5),
    of: fc.constantFrom<Aggregation['of']>('count', 'sum', 'largest'),
  })
  .map(({ verb, model, columns, set, where, ordered, by, offset, of }) => (planner) => {
    const values = Object.fromEntries(set.map((column) => [column, Number(column.slice(1)) % 2 ? 1 : 'a']))
    if (verb === 'list')
      return planList(planner, model, { columns, where, ...ordered, ...(!ordered.position && { offset }), limit: 5 } as ListQuery)
    if (verb === 'find') return planFind(planner, model, columns, where)
    if (verb === 'count') return planCount(planner, model, where, offset === 0 ? undefined : 7)
    if (verb === 'create') return planCreate(planner, model, values, offset === 0 ? null : columns)
    if (verb === 'update') return planUpdate(planner, model, values, where, offset === 0 ? null : columns)
    if (verb === 'delete') return planDelete(planner, model, where)
    return planAggregate(planner, model, {
      of,
      column: of === 'count' ? null : (by[0]?.column ?? 'c1'),
      where,
      by,
      order: offset === 0 ? 'group' : 'value',
      limit: 5,
    } as Aggregation)
  })

test('a planner that has written any other statements before writes the same one', () => {
  const said = (planned: Planned | null) => planned && [planned.plan.text, boundValues(planned), planned.plan.table.model.name]
  fc.assert(
    fc.property(fc.array(asks, { minLength: 2, maxLength: 150 }), (all) => {
      const shared = new Planner(sqliteDialect())
      // Tables have the same numbers in both.
      const fresh = () => {
        const planner = new Planner(sqliteDialect())
        for (const model of tables) planner.table(model)
        return planner
      }
      for (const model of tables) shared.table(model)
      for (const ask of all) expect(said(ask(shared))).toEqual(said(ask(fresh())))
    }),
    { numRuns: Number(process.env.RUNS ?? 60) },
  )
})

test('statements of two tables are never one, whatever the numbers of their columns', () => {
  const planner = new Planner(sqliteDialect())
  const isOne: Condition = { op: 'eq', column: 'id', value: 1 }
  for (const model of tables) planner.table(model)
  for (const model of tables)
    for (const number of numbers) {
      const column = columnOf(number)
      const all = [
        planUpdate(planner, model, { [column]: null }, isOne),
        planCreate(planner, model, { [column]: null }),
        planFind(planner, model, [column], isOne),
        planList(planner, model, { columns: [column], where: isOne, order: [{ column, direction: 'ASC' }], limit: 1 }),
      ]
      for (const planned of all)
        expect([planned?.plan.text.includes(`"${model.name}c${number}"`), planned?.plan.table.model]).toEqual([true, model])
    }
})

test('groups by an interval and a column are in the order in which they are named', () => {
  const planner = new Planner(sqliteDialect())
  const [interval, column] = [{ column: 'people', bounds: [0, 10, 20] }, { column: 'name' }]
  const textBy = (by: Aggregation['by']) =>
    planAggregate(planner, places, { of: 'count', column: null, where: always, by, order: 'group', limit: 5 }).plan.text
  expect(textBy([interval, column])).toMatch(/order by 2(?! nulls)[^,]*, .*"name"/)
  expect(textBy([column, interval])).toMatch(/order by .*"name".*, 2 limit/)
})

test.each(['snake_case', undefined] as const)('two declarations of one table have names for all of their columns (%s)', (casing) => {
  const planner = new Planner(sqliteDialect(new SQLiteSyncDialect({ ...(casing && { casing }) })))
  const wide = modelOf(sqliteTable('people', { id: integer().primaryKey(), firstName: text(), lastName: text() }))
  const narrow = modelOf(sqliteTable('people', { id: integer().primaryKey(), firstName: text(), bornAt: integer() }))
  const textOf = (model: Model) => planFind(planner, model, [...model.columns.keys()], { op: 'eq', column: 'id', value: 1 }).plan.text
  const named = (...names: string[]) => names.map((name) => `"people"."${name}"`).join(', ')
  const [first, last, born] = casing ? ['first_name', 'last_name', 'born_at'] : ['firstName', 'lastName', 'bornAt']
  expect(textOf(wide)).toContain(named('id', first, last))
  expect(textOf(narrow)).toContain(named('id', first, born))
  expect(planUpdate(planner, wide, { lastName: 'x' }, { op: 'eq', column: 'id', value: 1 })?.plan.text).toContain(`set "${last}" = ?`)
})
