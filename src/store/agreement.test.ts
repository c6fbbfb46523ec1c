import fc from 'fast-check'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import type { Condition } from '../resource/condition/condition.js'
import { models } from './contract/tables.js'
import { contractSchema } from './contract.js'
import { memoryStore } from './memory.js'
import { openSqlStore } from './sql/open.js'
import type { ListQuery, Order, Store, Values } from './store.js'

const { places } = models
const all: Condition = { op: 'and', all: [] }

// Few values, so that they collide; letters with irregular cases, and characters special to GLOB, LIKE and JSON.
const text = fc.string({ unit: fc.constantFrom(...'aAbiIıİsSſßẞkK\u212aσςΣåÅ\u212béE\u0301%_*?[]^-\\\'"😀𐐀𐐨\uE000 1'), maxLength: 5 })
const values: Record<string, fc.Arbitrary<unknown>> = {
  name: text,
  madeBy: fc.option(text),
  people: fc.option(fc.constantFrom(-1, 0, 1, 2, 2 ** 53 - 1)),
  area: fc.option(fc.constantFrom(-1.5, 0, 0.1, 0.1 + 0.2, 0.3, 1e300)),
  open: fc.boolean(),
  seenAt: fc.option(fc.constantFrom(new Date(0), new Date(-1), new Date(1.7e12))),
  views: fc.option(fc.constantFrom(9n, 10n, -9n, 2n ** 60n, 2n ** 60n + 1n)),
  price: fc.option(fc.constantFrom('9.5', '10', '-0.25', '9007199254740993')),
  tags: fc.option(
    fc.oneof(fc.array(fc.constantFrom('a', 'A', 'ß"', 1, 0, 1.5, true, null), { maxLength: 3 }), fc.constantFrom('a', 1, { a: 'a' })),
  ),
  photo: fc.option(fc.constantFrom(Buffer.from('a'), Buffer.from('ab'), Buffer.alloc(0))),
}
// Lists have no comparison: only `has` applies to them.
const keys = Object.keys(values).filter((key) => key !== 'tags')
const column = fc.constantFrom(...keys)
const row = fc.record(values)
const textColumn = fc.constantFrom('name', 'madeBy')

const alike: Readonly<Record<string, string>> = { name: 'madeBy', madeBy: 'name' }
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    column.chain((key) =>
      fc.record({
        op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
        column: fc.constant(key),
        value: values[key] as fc.Arbitrary<unknown>,
      }),
    ),
    column.chain((key) =>
      fc.record({
        op: fc.constant('in' as const),
        column: fc.constant(key),
        values: fc.array(values[key] as fc.Arbitrary<unknown>, { maxLength: 4 }),
      }),
    ),
    fc.record({ op: fc.constantFrom('contains', 'startsWith', 'sameText'), column: textColumn, text }),
    fc.record({ op: fc.constant('has'), column: fc.constant('tags'), value: fc.constantFrom('a', 'ß"', '1', 1, 0, 1.5) }),
    fc.record({ op: fc.constant('search' as const), columns: fc.uniqueArray(textColumn), words: fc.array(text, { maxLength: 2 }) }),
    column.chain((key) =>
      fc.record({
        op: fc.constant('among' as const),
        column: fc.constant(key),
        of: fc.constant(places),
        values: fc.constantFrom(key, alike[key] ?? key),
        where: tie('condition'),
      }),
    ),
    fc.record({ op: fc.constant('not' as const), of: tie('condition') }),
    fc.record({ op: fc.constantFrom('and', 'or'), all: fc.array(tie('condition'), { maxLength: 3 }) }),
  ) as fc.Arbitrary<Condition>,
}))

const step = fc.record({ column, direction: fc.constantFrom('ASC', 'DESC') }) as fc.Arbitrary<Order>
const order = fc.uniqueArray(step, { maxLength: 3, selector: (one) => one.column })

test('memory and SQLite agree on random rows, conditions, orders and positions', async () => {
  const client = new Libsql(':memory:')
  for (const statement of contractSchema) client.exec(statement)
  const sqlite = openSqlStore({ database: { $client: client } })
  const property = fc.asyncProperty(
    fc.array(row, { maxLength: 12 }),
    condition,
    order,
    fc.record({ at: row, id: fc.nat(12), side: fc.constantFrom('after' as const, 'before' as const), limit: fc.nat(5), offset: fc.nat(5) }),
    async (rows, where, steps, { at, id, side, limit, offset }) => {
      const memory = memoryStore()
      for (const store of [memory, sqlite]) await refill(store, rows)
      const base: ListQuery = { columns: ['id', ...keys, 'tags'], where, order: [...steps, { column: 'id', direction: 'ASC' }], limit: 100 }
      const position = { side, values: [...steps.map((one) => (at as Values)[one.column]), id] }
      const queries: ListQuery[] = [
        base,
        { ...base, limit, offset },
        { ...base, limit, offset, fromEnd: true },
        { ...base, limit, position },
      ]
      const read = await resolved(memory, where)
      for (const query of queries) expect(await sqlite.list(places, query)).toEqual(await memory.list(places, { ...query, where: read }))
      expect(await sqlite.count(places, where)).toBe(await memory.count(places, read))
      expect(await sqlite.count(places, { op: 'not', of: where })).toBe(rows.length - (await memory.count(places, read)))
    },
  )
  await fc.assert(property, { numRuns: 200 })
  await sqlite.close()
}, 60_000)

/** The condition with the values of the other table that it compares with, which the store in memory does not look up. */
async function resolved(store: Store, where: Condition): Promise<Condition> {
  switch (where.op) {
    case 'and':
    case 'or':
      return { op: where.op, all: await Promise.all(where.all.map((one) => resolved(store, one))) }
    case 'not':
      return { op: 'not', of: await resolved(store, where.of) }
    case 'among': {
      const met = await resolved(store, where.where)
      const rows = await store.list(places, {
        columns: [where.values],
        where: met,
        order: [{ column: 'id', direction: 'ASC' }],
        limit: 100,
      })
      return { op: 'in', column: where.column, values: rows.map(([value]) => value) }
    }
    default:
      return where
  }
}

async function refill(store: Store, rows: readonly Values[]): Promise<void> {
  await store.transaction(async (tx) => {
    const old = await tx.list(places, { columns: ['id'], where: all, order: [{ column: 'id', direction: 'ASC' }], limit: 100 })
    await tx.deleteMany(
      places,
      old.map(([id]) => id),
    )
    for (const one of rows) await tx.create(places, one)
  })
}
