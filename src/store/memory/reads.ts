import type { Condition } from '../../resource/condition/condition.js'
import type { Column, Model } from '../../resource/model/model.js'
import type { Along, ListQuery, Reads, Row } from '../store.js'
import { aggregated } from './aggregate.js'
import { compareStep, identity } from './compare.js'
import { columnOf, matcher } from './match.js'
import type { Stored } from './records.js'
import type { Tables } from './tables.js'
import { copy, kept } from './value.js'

/** Reads the tables that `tables` returns at each call. */
export function readsOf(tables: () => Tables): Reads {
  const matching = (model: Model, where: Condition) => tables().of(model).all().filter(matcher(model, where))
  return {
    async list(model, query) {
      const ways = waysOf(tables(), model, query)
      return listed(matching(model, query.where), query, ways).map(rowOf(query.columns.map(ways)))
    },
    async count(model, where, cap = Number.POSITIVE_INFINITY) {
      return Math.min(matching(model, where).length, cap)
    },
    async aggregate(model, aggregation) {
      return aggregated(model, matching(model, aggregation.where), aggregation)
    },
    async find(model, key, columns, where) {
      return matching(model, withKeys(model, [key], where)).map(rowOf(columns.map(namedIn(model))))[0] ?? null
    },
    async findMany(model, keys, columns, where) {
      return matching(model, withKeys(model, keys, where)).map(rowOf(columns.map(namedIn(model))))
    },
  }
}

export function withKeys(model: Model, keys: readonly unknown[], where: Condition | undefined): Condition {
  const ofKeys: Condition = { op: 'in', column: model.key.key, values: keys }
  return where ? { op: 'and', all: [ofKeys, where] } : ofKeys
}

/** What a name of a query stands for. */
interface Named {
  readonly column: Column
  of(record: Stored): unknown
}

/** The columns of a model by their names, and what a query reads of other records. */
function waysOf(tables: Tables, model: Model, { order }: ListQuery): (name: string) => Named {
  const ways = new Map(order.flatMap(({ column, along }) => (along ? [[column, wayOf(tables, along)] as const] : [])))
  const own = namedIn(model)
  return (name) => ways.get(name) ?? own(name)
}

const namedIn =
  (model: Model) =>
  (name: string): Named => ({ column: columnOf(model, name), of: (record) => record.get(name) })

const rowOf =
  (named: readonly Named[]) =>
  (record: Stored): Row =>
    named.map(({ of }) => copy(of(record)))

function wayOf(tables: Tables, { steps, column }: Along): Named {
  const ways = steps.map(({ by, of, where }) => {
    const meets = matcher(of, where)
    const byKey = new Map(
      tables
        .of(of)
        .all()
        .filter(meets)
        .map((one) => [identity(of.key, one.get(of.key.key)), one]),
    )
    return (from: Stored) => {
      const key = from.get(by) ?? null
      return key === null ? undefined : byKey.get(identity(of.key, key))
    }
  })
  return {
    column: columnOf((steps.at(-1) as Along['steps'][number]).of, column),
    of: (record) => ways.reduce<Stored | undefined>((from, next) => from && next(from), record)?.get(column) ?? null,
  }
}

function listed(
  records: Stored[],
  { order, position, limit, offset = 0, fromEnd = false }: ListQuery,
  named: (name: string) => Named,
): Stored[] {
  const steps = order.map(({ column, direction }) => ({ ...named(column), direction }))
  const compareTo = (values: readonly unknown[]) => (record: Stored) => {
    for (const [index, { column, of, direction }] of steps.entries()) {
      const compared = compareStep(column, direction, of(record), values[index])
      if (compared !== 0) return compared
    }
    return 0
  }
  const sorted = records.sort((a, b) => compareTo(steps.map(({ of }) => of(b)))(a))
  if (!position && fromEnd) return sorted.slice(Math.max(0, sorted.length - offset - limit), Math.max(0, sorted.length - offset))
  if (!position) return sorted.slice(offset, offset + limit)
  if (position.values.length !== order.length) throw new TypeError('A position needs one value for each step of the order')
  const compared = compareTo(position.values.map((value, index) => kept(steps[index]?.column as Column, value)))
  if (position.side === 'after') return sorted.filter((record) => compared(record) > 0).slice(0, limit)
  const before = sorted.filter((record) => compared(record) < 0)
  return before.slice(Math.max(0, before.length - limit))
}
