import * as z from 'zod'
import type { BoundColumn, ColumnType, Json } from './field.js'
import { mostCharacters, textOf } from './text-length.js'

/** A Drizzle table. Only its identity is compared. */
export type TableRef = object

/** A key as the database stores it. */
export type KeyValue = number | string | bigint

const wholeNumber = /^(?:0|-?[1-9]\d*)$/

/** The schema of a key in JSON: a number for integer columns, text for all others and for integers beyond ±(2^53−1). */
export function keySchema(column: BoundColumn): z.ZodType {
  switch (column.type) {
    case 'integer': {
      const [least, most] = column.range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
      const number = z.int().min(least).max(most)
      return column.range === null ? orBeyond(number) : number
    }
    case 'bigint':
      return z.string().regex(wholeNumber, { abort: true }).refine(isInt64)
    case 'numeric':
      return z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)
    case 'uuid':
      return z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    default:
      return textOf({ min: 1, max: mostCharacters(undefined, column) })
  }
}

// The OpenAPI document mentions only the number: hardly any table has larger keys, and clients would have to handle both types for each of
// them.
function orBeyond(number: z.ZodType): z.ZodType {
  const { $schema: _, ...json } = z.toJSONSchema(number)
  return z.custom((key) => (typeof key === 'string' ? isBeyond(key) : number.safeParse(key).success)).meta(json)
}

/** Whether a whole number, written without leading zeros, has at most 64 bits. Longer texts are not counted, which would take long. */
export const isInt64 = (text: string) => text.length <= 20 && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** Whether a number of an integer column must be text in JSON, since no double holds it safely. */
export const isBeyond = (text: string) => wholeNumber.test(text) && !Number.isSafeInteger(Number(text)) && isInt64(text)

/** Text → the key in JSON. Only the canonical text of a number becomes one: `007`, `7.0` and ` 7` stay text, which `keySchema` refuses. */
export function keyFromText(text: string, type: ColumnType): string | number {
  return type === 'integer' && wholeNumber.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text
}

/** A key in JSON → the stored key. */
export function keyFromWire(wire: Json, type: ColumnType): KeyValue {
  return type === 'bigint' || (type === 'integer' && typeof wire === 'string') ? BigInt(wire as string) : (wire as KeyValue)
}

/** A stored key → the key in JSON. */
export function keyToWire(key: KeyValue): string | number {
  return typeof key === 'bigint' ? String(key) : key
}

/** Whether a record found by a key is sure to have that very key. In other columns a database may equate 7.0 with 7, or ABC with abc. */
export function isFoundExactly({ type }: BoundColumn): boolean {
  return type === 'integer' || type === 'bigint' || type === 'uuid'
}

/** The text of a key in a URL, before percent-encoding; JSON has the same text. */
export function keyText(key: KeyValue): string {
  return String(key)
}

const schemas = new WeakMap<BoundColumn, z.ZodType>()

/** Text of a URL or of `ids` → the stored key; `undefined` if it is not a key of this column. */
export function parseKey(text: string, column: BoundColumn): KeyValue | undefined {
  const wire = keyFromText(text, column.type)
  // Cached: making a schema takes longer than reading the record.
  let schema = schemas.get(column)
  if (!schema) {
    schema = keySchema(column)
    schemas.set(column, schema)
  }
  if (!schema.safeParse(wire).success) return undefined
  return keyFromWire(wire, column.type)
}
