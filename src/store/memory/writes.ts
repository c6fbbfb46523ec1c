import { is, SQL } from 'drizzle-orm'
import { invalid } from '../../base/errors.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import { type Filled, filled, onCreate, onUpdate } from '../fill.js'
import type { Values, Writes } from '../store.js'
import { checkGone, checkRecord, checkReferences } from './constraints.js'
import { matcher } from './match.js'
import { withKeys } from './reads.js'
import type { Records, Stored } from './records.js'
import type { Tables } from './tables.js'
import { kept } from './value.js'

/** Writes to the tables that `tables` returns at each call. */
export function writesOf(tables: () => Tables): Writes {
  return {
    create: async (model, values) => create(tables(), model, values),
    update: async (model, key, values, where) => update(tables(), model, values, withKeys(model, [key], where)),
    delete: async (model, key, where) => remove(tables(), model, withKeys(model, [key], where)),
    deleteMany: async (model, keys, where) => remove(tables(), model, withKeys(model, keys, where)),
  }
}

export function create(tables: Tables, model: Model, values: Values): unknown {
  const set = keptValues(filled(model, values, onCreate))
  const records = tables.changing(model)
  const counted = [...model.columns.values()].find(({ primary, type }) => primary && type === 'integer')
  if (counted && (set.get(counted.key) ?? null) === null) set.set(counted.key, nextKey(records, counted.key))
  const record: Stored = new Map([...model.columns.keys()].map((column) => [column, set.get(column) ?? null]))
  checkRecord(tables, model, record, null)
  records.add(record)
  checkReferences(tables, model, record)
  return record.get(model.key.key)
}

function update(tables: Tables, model: Model, values: Values, where: Condition): number {
  const set = keptValues(filled(model, values, onUpdate))
  const records = tables.changing(model)
  const found = records.all().filter(matcher(model, where))
  for (const before of found) {
    const after: Stored = new Map([...before, ...set])
    checkRecord(tables, model, after, before)
    records.remove(before)
    records.add(after)
    checkReferences(tables, model, after)
    checkGone(tables, model, [before])
  }
  return found.length
}

function remove(tables: Tables, model: Model, where: Condition): number {
  const records = tables.changing(model)
  const found = records.all().filter(matcher(model, where))
  for (const record of found) records.remove(record)
  checkGone(tables, model, found)
  return found.length
}

function keptValues(all: readonly Filled[]): Map<string, unknown> {
  return new Map(
    all.map(({ column, value, given }) => {
      if (!given && is(value, SQL)) throw invalid(column.key, 'Has a default in SQL, which only a database can compute')
      return [column.key, kept(column, value)]
    }),
  )
}

function nextKey(records: Records, key: string): number {
  return records.all().reduce((last, record) => Math.max(last, Number(record.get(key))), 0) + 1
}
