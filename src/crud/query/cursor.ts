import { hash } from 'node:crypto'
import { parseValue } from '../../field/check.js'
import type { ColumnType, Json } from '../../field/field.js'
import { Illegible } from '../../field/illegible.js'
import { StoredInstant } from '../../field/instant.js'
import { type Column, isUnlimited } from '../../resource/model/model.js'
import { isInt64 } from '../../resource/model/value.js'
import type { Resource } from '../../resource/resource.js'
import type { Order, Position } from '../../store/store.js'
import type { Lens } from '../call/lens.js'

interface Written {
  readonly v: 1
  /** The list's hash: a cursor is only valid for the list that made it. */
  readonly h: string
  readonly s: Position['side']
  /** One value per step of the order, the key last. Empty: the end of the list (`before`) or its start (`after`). */
  readonly p: readonly Json[]
}

/** Identifies a list: a short hash of its sort, its filters and how they are joined, search and tag. */
export function listHash(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 12)
}

/** Encodes the position of a row. `values` are the stored values of the order's columns; null: an end of the list. */
export function writeCursor(
  lens: Lens,
  order: readonly Order[],
  hash: string,
  side: Position['side'],
  values: readonly unknown[] | null,
): string {
  const p = (values === null ? [] : order).map((step, i): Json => {
    const { resource, column } = whereOf(lens, step)
    const [value, field] = [values?.[i], resource.fields.get(column)]
    if (value === null || value === undefined) return null
    const isKept = isExact(resource, column) || (value instanceof Illegible && field?.kind.open)
    return !field || isKept ? exact(value) : field.kind.wire(value, field)
  })
  return Buffer.from(JSON.stringify({ v: 1, h: hash, s: side, p } satisfies Written)).toString('base64url')
}

/** Decodes a cursor; null: it is damaged, or belongs to another list. Every value is validated by its column or its kind. */
export function readCursor(lens: Lens, order: readonly Order[], hash: string, text: string): Position | null {
  if (!/^[\w-]{1,8192}$/.test(text)) return null
  let written: Partial<Written> | null
  try {
    written = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
  if (typeof written !== 'object' || written === null || written.v !== 1 || written.h !== hash) return null
  const { s, p } = written
  if ((s !== 'after' && s !== 'before') || !Array.isArray(p)) return null
  if (p.length === 0) return { side: s, values: [] }
  if (p.length !== order.length) return null
  const values: unknown[] = []
  for (const [i, step] of order.entries()) {
    const { resource, column } = whereOf(lens, step)
    const value = step.along && p[i] === null ? null : cursorValue(resource, column, p[i])
    if (value === undefined) return null
    values.push(value)
  }
  return { side: s, values }
}

/** The column that a step of an order is by, and its resource: that of the list, or the one that relations lead to. */
function whereOf({ resource, throughs }: Lens, { column }: Order): { readonly resource: Resource; readonly column: string } {
  const through = throughs.get(column)
  return through ? { resource: through.target, column: through.of.key } : { resource, column }
}

function cursorValue(resource: Resource, column: string, wire: Json): unknown {
  const of = resource.model.columns.get(column)
  if (!of) return undefined
  if (wire === null) return of.notNull || of.primary ? undefined : null
  const field = resource.fields.get(column)
  const unread = field?.kind.open && column !== resource.model.key.key ? illegible(wire) : undefined
  if (unread) return unread
  if (isExact(resource, column)) {
    const value = stored(wire, isUnlimited(of))
    return canStandIn(of, value) ? value : undefined
  }
  return field && parseValue(field, wire)?.value
}

/**
 * Whether a position holds the stored value itself. What is sent may be less exact, or no longer valid for its kind. For a key this reveals
 * nothing, since whoever sees the record has the whole key.
 */
function isExact({ model, fields }: Resource, column: string): boolean {
  const type = model.columns.get(column)?.type
  return type !== undefined && type in fits && (column === model.key.key || fields.get(column)?.kind.open === true)
}

/** In a loosely typed column, a position may be any value that can be bound. */
function canStandIn(column: Column, value: unknown): boolean {
  return (column.loose && isBindable(value)) || (fits[column.type]?.(value, column) ?? false)
}

const isBindable = (value: unknown) =>
  isTime(value) || (typeof value === 'number' && !Number.isNaN(value)) || typeof value === 'bigint' || typeof value === 'boolean'
const isWhole = (value: unknown, { range }: Column) =>
  typeof value === 'bigint'
    ? range === null
    : Number.isSafeInteger(value) && (!range || (range[0] <= Number(value) && Number(value) <= range[1]))
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
const isTime = (value: unknown) => isText(value) || value instanceof Date

/** The values that columns of each sortable type can hold. */
const fits: { readonly [T in ColumnType]?: (value: unknown, column: Column) => boolean } = {
  integer: isWhole,
  bigint: isWhole,
  real: (value) => typeof value === 'number',
  numeric: isText,
  text: isText,
  uuid: isText,
  boolean: (value) => typeof value === 'boolean',
  date: isTime,
  dateTime: isTime,
  time: isText,
}

/** Encodes a stored value as JSON without loss. */
function exact(value: unknown): Json {
  if (value instanceof Illegible)
    return { unread: value.stored instanceof Uint8Array ? { bytes: base64(value.stored) } : exact(value.stored) }
  if (value instanceof StoredInstant) return { none: typeof value.stored === 'string' ? value.stored : exact(value.stored) }
  if (value instanceof Date) return { time: value.getTime() }
  if (typeof value === 'bigint') return { whole: String(value) }
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : (value as Json)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Decodes an unreadable value from `exact`; undefined: it is something else. */
function illegible(written: Json): Illegible | undefined {
  const { unread } = Object(written) as { readonly unread?: Json }
  if (unread === undefined) return undefined
  const { bytes } = Object(unread) as { readonly bytes?: Json }
  const value = typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : stored(unread)
  const isNumber = typeof value === 'number' && !Number.isNaN(value)
  const isOfDriver = typeof value === 'string' || isNumber || typeof value === 'bigint' || Buffer.isBuffer(value)
  return isOfDriver ? new Illegible(value) : undefined
}

/** Decodes a value from `exact`; undefined: `exact` never produces this. */
function stored(written: Json, unlimited = false): unknown {
  if (typeof written !== 'object' || written === null) return written
  const { none, time, whole, number } = written as Readonly<Record<string, Json | undefined>>
  if (none !== undefined) {
    const value = stored(none)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? new StoredInstant(value) : undefined
  }
  if (typeof time === 'number') return Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time)
  if (typeof whole === 'string') return /^-?\d+$/.test(whole) && (unlimited || isInt64(BigInt(whole))) ? BigInt(whole) : undefined
  return number === 'NaN' || number === 'Infinity' || number === '-Infinity' ? Number(number) : undefined
}
