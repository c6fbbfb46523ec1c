import type { Column, Model } from '../../resource/model/model.js'
import type { Aggregated, Aggregation } from '../store.js'
import { compare, compareStep, identity } from './compare.js'
import { columnOf } from './match.js'
import type { Stored } from './records.js'
import { asked, copy, kept } from './value.js'

/** A number over the records of each group. */
export function aggregated(model: Model, records: readonly Stored[], { of, column, by, order, limit }: Aggregation): readonly Aggregated[] {
  const over = column === null ? null : columnOf(model, column)
  const groupers = by.map(({ column: key, bounds }) => grouper(columnOf(model, key), bounds))
  const groups = new Map<string, { by: readonly unknown[]; records: Stored[] }>()
  if (by.length === 0) groups.set(JSON.stringify([]), { by: [], records: [] })
  for (const record of records) {
    const values = groupers.map((one) => one.valueOf(record))
    if (values.includes(undefined)) continue
    const name = JSON.stringify(groupers.map((one, index) => one.nameOf(values[index])))
    const group = groups.get(name) ?? { by: values, records: [] }
    groups.set(name, group)
    group.records.push(record)
  }
  const found = [...groups.values()].map((group) => ({ by: group.by, value: numberOf(of, over, group.records) }))
  const byGroup = (a: Aggregated, b: Aggregated) => {
    for (const [index, one] of groupers.entries()) {
      const compared = one.compare(a.by[index], b.by[index])
      if (compared !== 0) return compared
    }
    return 0
  }
  const byValue = (a: Aggregated, b: Aggregated) =>
    a.value === null || b.value === null ? Number(a.value === null) - Number(b.value === null) : b.value - a.value
  return found.sort((a, b) => (order === 'value' ? byValue(a, b) || byGroup(a, b) : byGroup(a, b))).slice(0, limit)
}

interface Grouper {
  /** The group's value; `undefined`: the record is in none. */
  valueOf(record: Stored): unknown
  nameOf(value: unknown): string | null
  compare(a: unknown, b: unknown): number
}

function grouper(column: Column, bounds: readonly unknown[] | undefined): Grouper {
  if (!bounds)
    return {
      valueOf: (record) => copy(record.get(column.key)),
      nameOf: (value) => (value === null ? null : identity(column, value)),
      compare: (a, b) => compareStep(column, 'ASC', a, b),
    }
  const limits = bounds.map((bound) => (column.stored ? asked(column, bound, 'lt') : kept(column, bound)))
  return {
    valueOf(record) {
      const value = record.get(column.key)
      // The first bound above the value ends its interval.
      const end = value === null ? -1 : limits.findIndex((limit) => compare(column, value, limit) < 0)
      return end < 1 ? undefined : end - 1
    },
    nameOf: String,
    compare: (a, b) => Number(a) - Number(b),
  }
}

function numberOf(of: Aggregation['of'], over: Column | null, records: readonly Stored[]): number | null {
  if (over === null) return records.length
  const values = records.flatMap((record) => {
    const value = record.get(over.key)
    return value === null || value === undefined ? [] : [Number(value)]
  })
  if (of === 'count') return values.length
  if (values.length === 0) return null
  const sum = values.reduce((sum, value) => sum + value, 0)
  switch (of) {
    case 'sum':
      return sum
    case 'average':
      return sum / values.length
    case 'smallest':
      return values.reduce((a, b) => Math.min(a, b))
    case 'largest':
      return values.reduce((a, b) => Math.max(a, b))
  }
}
