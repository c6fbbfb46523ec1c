import { type SQL, sql } from 'drizzle-orm'
import { DaymarkError, invalid } from '../../base/errors.js'
import { type Condition, isAlways } from '../../resource/condition/condition.js'
import { checkListed, checkSearch } from '../../resource/model/value.js'
import type { Among, Codec, Dialect, Mapped, Pattern } from './dialect.js'
import type { Draft, Slot } from './draft.js'

/** Adds the shape and values of a condition to a draft. What is compared in another table is told of the column `by` that leads there. */
export function readCondition(draft: Draft, dialect: Dialect, condition: Condition, table: Mapped = draft.table, by?: string): void {
  const keyOf = (column: string) => by ?? (table === draft.table ? column : undefined)
  switch (condition.op) {
    case 'and':
    case 'or':
      draft.shape += condition.op === 'and' ? '&(' : '|('
      for (const one of condition.all) readCondition(draft, dialect, one, table, by)
      draft.shape += ')'
      return
    case 'not':
      draft.shape += '!'
      readCondition(draft, dialect, condition.of, table, by)
      return
    case 'in': {
      const codec = table.column(condition.column)
      readAmong(draft, dialect, codec, condition.values, keyOf(condition.column))
      return
    }
    case 'among': {
      const others = table.beside(condition.of)
      draft.others ??= new Set()
      draft.others.add(others)
      draft.shape += `among${table.column(condition.column).id},${others.id},${others.column(condition.values).id}(`
      readCondition(draft, dialect, condition.where, others, keyOf(condition.column))
      draft.shape += ')'
      return
    }
    case 'has': {
      const codec = table.column(condition.column)
      checkListed(codec.column, condition.value)
      draft.shape += `has${codec.id},`
      const { linked } = codec
      const one = linked ? linked.target.equal(linked.stored(condition.value)) : dialect.list.one(codec, condition.value)
      draft.push(keyOf(condition.column), one)
      return
    }
    case 'contains':
    case 'startsWith':
    case 'sameText': {
      const codec = table.column(condition.column)
      const { form, bind } = patternOf(dialect, [codec], condition.text, condition.op)
      draft.shape += `~${codec.id}${form},`
      for (const value of bind) draft.values.push(value)
      return
    }
    case 'search': {
      const codecs = condition.columns.map((key) => table.column(key))
      const patterns = condition.words.map((word) => patternOf(dialect, codecs, word, 'contains'))
      draft.shape += `?${patterns.map(({ form }) => `${form},`).join('')}(${codecs.map((codec) => codec.id)})`
      for (const { bind } of patterns) for (const value of bind) draft.values.push(value)
      return
    }
    case 'fullText': {
      const codecs = condition.columns.map((key) => table.column(key))
      for (const { column } of codecs) for (const word of condition.words) checkSearch(column, word)
      draft.shape += `@${JSON.stringify(condition.of)}(${codecs.map((codec) => codec.id)})`
      draft.values.push(dialect.fullText.words(codecs, condition.words))
      return
    }
    default: {
      const codec = table.column(condition.column)
      if (condition.value === null) {
        draft.shape += `${condition.op}${codec.id}0`
        return
      }
      draft.shape += `${condition.op}${codec.id},`
      const { op, value } = condition
      draft.push(keyOf(condition.column), op === 'eq' || op === 'ne' ? codec.equal(value) : codec.compare(value, op))
    }
  }
}

/** The SQL of a condition. It must take its slots in the order in which `readCondition` added the values. */
export function conditionSql(table: Mapped, dialect: Dialect, condition: Condition, slot: Slot): SQL {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const all = condition.all.map((one) => conditionSql(table, dialect, one, slot))
      return joined(all, condition.op)
    }
    case 'not':
      // NULL counts as false: the opposite of a comparison with NULL is true here, as people expect. `is not true` says the same, but in SQLite
      // `true` is the column of that name if there is one.
      return sql`not coalesce((${conditionSql(table, dialect, condition.of, slot)}), 1 = 0)`
    case 'in': {
      const codec = table.column(condition.column)
      const among = amongSql(dialect, codec.linked?.target ?? codec, amongValues(codec, condition.values), slot)
      return codec.linked ? codec.linked.with(among) : among
    }
    case 'among': {
      const others = table.beside(condition.of)
      const from = sql`select ${others.column(condition.values).equatable} from ${others.model.table}`
      return sql`${table.column(condition.column).equatable} in (${from}${whereSql(others, dialect, condition.where, slot)})`
    }
    case 'has': {
      const codec = table.column(condition.column)
      const { linked } = codec
      return linked ? linked.with(sql`${linked.target.equatable} = ${slot()}`) : dialect.list.has(codec, slot())
    }
    case 'contains':
    case 'startsWith':
    case 'sameText':
      return matchesSql(table, dialect, [condition.column], condition.text, condition.op, slot)
    case 'search':
      return joined(
        condition.words.map((word) => matchesSql(table, dialect, condition.columns, word, 'contains', slot)),
        'and',
      )
    case 'fullText':
      return dialect.fullText.matches(table, condition.columns.map(table.column), condition.of, slot())
    default:
      return comparison(table.column(condition.column), condition.op, condition.value, slot)
  }
}

/** The names of the columns that a condition depends on; null: also on other tables, or on what the database computes. */
export function columnsAsked(table: Mapped, condition: Condition): readonly string[] | null {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const all = condition.all.map((one) => columnsAsked(table, one))
      return all.includes(null) ? null : all.flatMap((one) => one ?? [])
    }
    case 'not':
      return columnsAsked(table, condition.of)
    case 'among':
    case 'fullText':
      return null
    default:
      return namesRead((condition.op === 'search' ? condition.columns : [condition.column]).map(table.column))
  }
}

/** The names of columns; null: the values of one are in other tables, or computed by the database. */
export function namesRead(codecs: readonly Codec[]): readonly string[] | null {
  if (codecs.some(({ column, linked, tally }) => column.generated || linked !== null || tally !== null)) return null
  return codecs.map(({ name }) => name)
}

/** ` where …`, or nothing. */
export function whereSql(table: Mapped, dialect: Dialect, condition: Condition, slot: Slot): SQL {
  return isAlways(condition) ? sql`` : sql` where ${conditionSql(table, dialect, condition, slot)}`
}

function readAmong(draft: Draft, dialect: Dialect, codec: Codec, values: readonly unknown[], key: string | undefined): void {
  const { form, bind } = amongOf(dialect, codec.linked?.target ?? codec, amongValues(codec, values))
  draft.shape += `in${codec.id}${form},`
  for (const value of bind) draft.push(key, value)
}

/** The values of an IN as the column that is asked stores them. */
function amongValues({ linked }: Codec, values: readonly unknown[]): readonly unknown[] {
  return linked ? values.map(linked.stored) : values
}

function amongSql(dialect: Dialect, codec: Codec, values: readonly unknown[], slot: Slot): SQL {
  return dialect.amongSql(codec.equatable, amongOf(dialect, codec, values).form, slot)
}

function amongOf(dialect: Dialect, codec: Codec, values: readonly unknown[]): Among {
  const among = dialect.among(values.flatMap((value) => (value === null ? [] : [codec.equal(value)])))
  if (among === null) throw invalid(codec.column.key, 'Too many values at once')
  return among
}

const signs = { eq: sql`=`, ne: sql`<>`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const

function comparison(codec: Codec, op: keyof typeof signs, value: unknown, slot: Slot): SQL {
  if (op === 'eq' || op === 'ne') {
    if (value === null && codec.linked) return op === 'eq' ? sql`not ${codec.linked.any}` : codec.linked.any
    if (value === null) return op === 'eq' ? sql`${codec.sql} is null` : sql`${codec.sql} is not null`
    const compared = sql`${codec.equatable} ${signs[op]} ${slot()}`
    return op === 'ne' && codec.nullable ? sql`(${compared} or ${codec.sql} is null)` : compared
  }
  return value === null ? sql`1 = 0` : sql`${codec.sortable} ${signs[op]} ${slot()}`
}

function joined(parts: readonly SQL[], by: 'and' | 'or'): SQL {
  if (parts.length === 0) return by === 'and' ? sql`1 = 1` : sql`1 = 0`
  return sql`(${sql.join([...parts], sql.raw(` ${by} `))})`
}

const ends = { contains: 'anywhere', startsWith: 'start', sameText: 'whole' } as const

/** Whether one of the columns contains a text, whose pattern is bound once for all of them. */
function matchesSql(table: Mapped, dialect: Dialect, keys: readonly string[], text: string, op: keyof typeof ends, slot: Slot): SQL {
  const codecs = keys.map(table.column)
  const { form, bind } = patternOf(dialect, codecs, text, op)
  const bound = bind.map(() => slot())
  return joined(
    codecs.map((codec) => dialect.matches(codec, form, bound)),
    'or',
  )
}

function patternOf(dialect: Dialect, codecs: readonly Codec[], text: string, op: keyof typeof ends): Pattern {
  for (const { column } of codecs) checkSearch(column, text)
  const pattern = dialect.pattern(text, ends[op])
  if (pattern !== null) return pattern
  const fault = 'The text to search for is too long'
  throw new DaymarkError('invalid', fault, { errors: codecs.map(({ column }) => [column.key, [fault]]) })
}
