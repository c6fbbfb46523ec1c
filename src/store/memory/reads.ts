import type { Condition } from '../../resource/condition.js'
import type { Column, Model } from '../../resource/model.js'
import type { ListQuery, Reads, Row } from '../store.js'
import { aggregated } from './aggregate.js'
import { compareStep } from './compare.js'
import { columnOf, matcher } from './match.js'
import type { Stored } from './records.js'
import type { Tables } from './tables.js'
import { copy, kept } from './value.js'

/** Reads the tables that `tables` returns at each call. */
export function readsOf(tables: () => Tables): Reads {
  const matching = (model: Model, where: Condition) => tables().of(model).all().filter(matcher(model, where))
  return {
    async list(model, query) {
      return listed(model, matching(model, query.where), query).map(rowOf(model, query.columns))
    },
    async count(model, where, cap = Number.POSITIVE_INFINITY) {
      return Math.min(matching(model, where).length, cap)
    },
    async aggregate(model, aggregation) {
      return aggregated(model, matching(model, aggregation.where), aggregation)
    },
    async find(model, key, columns, where) {
      return matching(model, withKeys(model, [key], where)).map(rowOf(model, columns))[0] ?? null
    },
    async findMany(model, keys, columns, where) {
      return matching(model, withKeys(model, keys, where)).map(rowOf(model, columns))
    },
  }
}

export function withKeys(model: Model, keys: readonly unknown[], where: Condition | undefined): Condition {
  const ofKeys: Condition = { op: 'in', column: model.key.key, values: keys }
  return where ? { op: 'and', all: [ofKeys, where] } : ofKeys
}

function listed(model: Model, records: Stored[], { order, position, limit, offset = 0, fromEnd = false }: ListQuery): Stored[] {
  const steps = order.map(({ column, direction }) => ({ column: columnOf(model, column), direction }))
  const compareTo = (values: (column: Column, index: number) => unknown) => (record: Stored) => {
    for (const [index, { column, direction }] of steps.entries()) {
      const compared = compareStep(column, direction, record.get(column.key), values(column, index))
      if (compared !== 0) return compared
    }
    return 0
  }
  const sorted = records.sort((a, b) => compareTo((column) => b.get(column.key))(a))
  if (!position && fromEnd) return sorted.slice(Math.max(0, sorted.length - offset - limit), Math.max(0, sorted.length - offset))
  if (!position) return sorted.slice(offset, offset + limit)
  if (position.values.length !== order.length) throw new TypeError('A position needs one value for each step of the order')
  const values = position.values.map((value, index) => kept(steps[index]?.column as Column, value))
  const compared = compareTo((_, index) => values[index])
  if (position.side === 'after') return sorted.filter((record) => compared(record) > 0).slice(0, limit)
  const before = sorted.filter((record) => compared(record) < 0)
  return before.slice(Math.max(0, before.length - limit))
}

function rowOf(model: Model, columns: readonly string[]): (record: Stored) => Row {
  const keys = columns.map((key) => columnOf(model, key).key)
  return (record) => keys.map((key) => copy(record.get(key)))
}
