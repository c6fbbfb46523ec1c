import type { Condition } from '../../resource/condition/condition.js'
import type { Column, Model } from '../../resource/model/model.js'
import { checkListed, checkSearch, encode } from '../../resource/model/value.js'
import { fold } from '../fold.js'
import { compare, identity } from './compare.js'
import type { Stored } from './records.js'
import { asked } from './value.js'

/** A condition as a predicate that agrees with what databases find. Its values are checked at once, even if there are no records. */
export function matcher(model: Model, condition: Condition): (record: Pick<Stored, 'get'>) => boolean {
  switch (condition.op) {
    case 'and': {
      const all = condition.all.map((one) => matcher(model, one))
      return (record) => all.every((test) => test(record))
    }
    case 'or': {
      const all = condition.all.map((one) => matcher(model, one))
      return (record) => all.some((test) => test(record))
    }
    case 'not': {
      const test = matcher(model, condition.of)
      return (record) => !test(record)
    }
    case 'in': {
      const column = columnOf(model, condition.column)
      const values = condition.values.filter((value) => encode(column, value) !== null)
      const wanted = new Set(values.map((value) => identity(column, value)))
      return (record) => record.get(column.key) !== null && wanted.has(identity(column, record.get(column.key)))
    }
    case 'among':
      throw new TypeError('Values of another table are compared by a database: a store in memory has none')
    case 'has': {
      const { column: key, value } = condition
      checkListed(columnOf(model, key), value)
      return (record) => {
        const list = record.get(key)
        return Array.isArray(list) && list.includes(value)
      }
    }
    case 'contains':
    case 'startsWith':
    case 'sameText':
      return textMatcher(columnOf(model, condition.column), condition.text, condition.op)
    case 'search': {
      const columns = condition.columns.map((key) => columnOf(model, key))
      const words = condition.words.map((word) => columns.map((column) => textMatcher(column, word, 'contains')))
      return (record) => words.every((tests) => tests.some((test) => test(record)))
    }
    case 'fullText': {
      const columns = condition.columns.map((key) => columnOf(model, key))
      for (const column of columns) for (const word of condition.words) checkSearch(column, word)
      const wanted = condition.words.flatMap(wordsOf)
      return (record) => {
        const words = columns.flatMap(({ key }) => wordsOf(String(record.get(key) ?? '')))
        return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)))
      }
    }
    default:
      return comparison(columnOf(model, condition.column), condition.op, condition.value)
  }
}

/** @throws TypeError for a column that does not exist: a misspelling must never widen a policy */
export function columnOf(model: Model, key: string): Column {
  const column = model.columns.get(key)
  if (column === undefined) throw new TypeError(`A query names "${key}", which is not a column of "${model.name}"`)
  return column
}

function wordsOf(text: string): readonly string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

type Comparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'

const holds: Readonly<Record<Comparison, (compared: number) => boolean>> = {
  eq: (compared) => compared === 0,
  ne: (compared) => compared !== 0,
  gt: (compared) => compared > 0,
  gte: (compared) => compared >= 0,
  lt: (compared) => compared < 0,
  lte: (compared) => compared <= 0,
}

function comparison(column: Column, op: Comparison, value: unknown): (record: Pick<Stored, 'get'>) => boolean {
  const wanted = encode(column, value) === null ? null : asked(column, value, op)
  return (record) => {
    const stored = record.get(column.key)
    if (wanted === null) return op === 'eq' ? stored === null : op === 'ne' && stored !== null
    return stored === null ? op === 'ne' : holds[op](compare(column, stored, wanted))
  }
}

function textMatcher(column: Column, text: string, op: keyof typeof holdsText): (record: Pick<Stored, 'get'>) => boolean {
  checkSearch(column, text)
  const wanted = fold(text)
  return (record) => {
    const stored = record.get(column.key)
    return typeof stored === 'string' && holdsText[op](fold(stored), wanted)
  }
}

const holdsText = {
  contains: (stored: string, wanted: string) => stored.includes(wanted),
  startsWith: (stored: string, wanted: string) => stored.startsWith(wanted),
  sameText: (stored: string, wanted: string) => stored === wanted,
}
