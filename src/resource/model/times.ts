import { is, SQL, StringChunk } from 'drizzle-orm'
import type { Field } from '../../field/field.js'
import { digitsIn, isStoredTime, type StoredTime, usualStoredTime } from '../../field/stored-time.js'
import type { Column, Model } from './model.js'

/**
 * The model in which the text columns of fields that hold instants are columns of times. What is declared wrongly stays as it is, and
 * start-up reports it.
 */
export function withTimes(model: Model, fields: ReadonlyMap<string, Field>): Model {
  if (model.dialect !== 'sqlite') return model
  const timed = new Map<string, Column>()
  for (const [key, { kind, facts }] of fields) {
    const column = model.columns.get(key)
    if (column?.type !== 'text' || column === model.key || kind.time !== 'instant' || !kind.columns.includes('dateTime')) continue
    const stored = facts.stored ?? storedByDefault(column)
    if (isStoredTime(stored)) timed.set(key, asTimes(column, stored))
  }
  if (timed.size === 0) return model
  return Object.freeze({ ...model, columns: new Map([...model.columns].map(([key, column]) => [key, timed.get(key) ?? column])) })
}

/** A text column as one of times. Declared DATETIME, it may hold numbers as well. */
export function asTimes(column: Column, stored: StoredTime): Column {
  return Object.freeze({ ...column, type: 'dateTime', stored, precision: digitsIn(stored) === 0 ? 0 : 3, loose: true })
}

const parts: Readonly<Record<string, string>> = {
  Y: 'YYYY',
  m: 'MM',
  d: 'DD',
  F: 'YYYY-MM-DD',
  H: 'HH',
  M: 'MM',
  S: 'SS',
  T: 'HH:MM:SS',
  f: 'SS.SSS',
}

/**
 * How the expression that is the default of a text column writes the current time; null: it has none, or one of something else, or none that
 * the column is declared to have room for.
 */
export function storedByDefault(column: Column): StoredTime | null {
  const stored = column.type === 'text' ? writtenBy(column) : null
  return stored === null || (column.maxLength ?? stored.length) < stored.length ? null : stored
}

function writtenBy({ drizzle }: Column): StoredTime | null {
  const preset: unknown = drizzle.default
  if (!is(preset, SQL)) return null
  const chunks = preset.queryChunks.map((chunk) => (is(chunk, StringChunk) ? chunk.value.join('') : '?'))
  const text = chunks.join('').replace(/^[\s(]+|[\s)]+$/g, '')
  if (/^(?:current_timestamp|datetime\s*\(\s*'now'|datetime\s*\()$/i.test(text)) return usualStoredTime
  const format = /^strftime\s*\(\s*'([^']+)'(?:\s*,\s*'now')?$/i.exec(text)?.[1]
  const stored = format?.replace(/%([A-Za-z])/g, (_, part) => parts[part] ?? '?')
  return isStoredTime(stored) ? stored : null
}
