import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { always } from '../../../resource/condition/condition.js'
import { modelOf } from '../../../resource/model/model.js'
import type { ListQuery } from '../../store.js'
import { openSqlStore } from '../open.js'

const towns = modelOf(
  sqliteTable('towns', { id: integer().primaryKey(), name: text().notNull(), people: integer().notNull(), score: integer() }),
)
const client = new Libsql(':memory:')
client.exec('create table towns (id integer primary key, name text not null, people integer not null, score integer)')
client.exec('create index towns_people on towns (people); create index towns_score on towns (score)')
let last = ''
const store = openSqlStore({
  database: { $client: client },
  observe(statement) {
    last = statement
  },
})

async function plan(query: Partial<ListQuery>): Promise<string> {
  await store.list(towns, { columns: ['id', 'name'], where: always, order: [], limit: 25, ...query })
  const marks = Array(last.split('?').length - 1).fill(1)
  const steps = client.prepare(`explain query plan ${last}`).raw().all(marks) as unknown[][]
  return steps.map((step) => step[3]).join('\n')
}

const by = (column: string, direction: 'ASC' | 'DESC' = 'ASC') =>
  [
    { column, direction },
    { column: 'id', direction },
  ] as const
const at = (side: 'after' | 'before', ...values: unknown[]) => ({ position: { side, values } })

test.each<[string, Partial<ListQuery>, string]>([
  ['an order', { order: by('people') }, 'SCAN towns USING INDEX towns_people'],
  ['an order downwards', { order: by('people', 'DESC') }, 'SCAN towns USING INDEX towns_people'],
  ['an order from the end', { order: by('people'), fromEnd: true }, 'SCAN towns USING INDEX towns_people'],
  ['an order with nulls last', { order: by('score') }, 'SCAN towns USING INDEX towns_score'],
  ['an order downwards with nulls last', { order: by('score', 'DESC') }, 'SCAN towns USING INDEX towns_score'],
  ['an order with nulls last from the end', { order: by('score'), fromEnd: true }, 'SCAN towns USING INDEX towns_score'],
  ['a position', { order: by('people'), ...at('after', 5, 5) }, 'SEARCH towns USING INDEX towns_people (people>?)'],
  ['a position backwards', { order: by('people'), ...at('before', 5, 5) }, 'SEARCH towns USING INDEX towns_people (people<?)'],
  [
    'a position by key',
    { order: [{ column: 'id', direction: 'DESC' }], ...at('after', 5) },
    'SEARCH towns USING INTEGER PRIMARY KEY (rowid<?)',
  ],
  ['a position before nulls', { order: by('score'), ...at('before', 5, 5) }, 'SEARCH towns USING INDEX towns_score (score<?)'],
  ['a position among nulls', { order: by('score'), ...at('after', null, 5) }, 'SEARCH towns USING INDEX towns_score (score=? AND rowid>?)'],
])('%s is answered by an index and sorts nothing', async (_, query, step) => {
  expect(await plan(query)).toBe(step)
})

test.each<[string, Partial<ListQuery>, string, string]>([
  ['forwards over the first null', { order: by('score', 'DESC'), ...at('after', 5, 5) }, '(score<?)', '(score=?)'],
  ['backwards over the first null', { order: by('score', 'DESC'), ...at('before', null, 5) }, '(score=? AND rowid>?)', '(score>?)'],
])('%s, both parts of a page are found by the index', async (_, query, first, second) => {
  const found = await plan(query)
  expect(found.match(/towns USING INDEX towns_score (.*)/g)).toEqual([
    `towns USING INDEX towns_score ${first}`,
    `towns USING INDEX towns_score ${second}`,
  ])
})

test('where directions differ, an index still finds the place', async () => {
  const found = await plan({
    order: [
      { column: 'people', direction: 'DESC' },
      { column: 'id', direction: 'ASC' },
    ],
    ...at('after', 5, 5),
  })
  expect(found).toContain('SEARCH towns USING INDEX towns_people (people<?)')
})

test('of conditions joined by or, each is found by its index', async () => {
  const range = {
    op: 'and',
    all: [
      { op: 'gte', column: 'people', value: 5 },
      { op: 'lt', column: 'people', value: 9 },
    ],
  } as const
  const found = await plan({ order: by('name'), where: { op: 'or', all: [range, { op: 'eq', column: 'score', value: null }] } })
  expect(found.match(/MULTI-INDEX OR|SCAN|towns_.*/g)).toEqual([
    'MULTI-INDEX OR',
    'towns_people (people>? AND people<?)',
    'towns_score (score=?)',
  ])
})

test('any number of keys is found by the key', async () => {
  await store.findMany(towns, [1, 2, 3], ['name'])
  const steps = client.prepare(`explain query plan ${last}`).raw().all(['[]']) as unknown[][]
  expect(steps.map((step) => step[3]).join()).toContain('SEARCH towns USING INTEGER PRIMARY KEY (rowid=?)')
})
