import { expect, test } from 'vitest'
import type { Condition } from '../../resource/condition.js'
import { models } from '../contract/tables.js'
import type { ListQuery } from '../store.js'
import { planCount } from './count.js'
import { planCreate } from './create.js'
import { planFind, withKeys } from './find.js'
import { planList } from './list.js'
import { Planner } from './plan.js'
import { boundValues } from './record.js'
import { sqliteDialect } from './sqlite/dialect.js'

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
