import type { KeyValue } from '../../field/key.js'
import { always, both } from '../../resource/condition/condition.js'
import type { Column } from '../../resource/model/model.js'
import type { Resource } from '../../resource/resource.js'
import type { Order, Reads, Row } from '../../store/store.js'
import { type NumberRange, numbersBetween } from './numbers-between.js'

/** A record that keeps its place, and on which side of it another one is put. */
export interface MoveTarget {
  readonly key: KeyValue
  readonly side: 'before' | 'after'
}

/** The numbers that put a record in its place. */
export interface MoveNumbers {
  /** Its own number; null: it is there already. */
  readonly own: number | null
  /** Those of records near it, where there was no room between two. */
  readonly others: readonly (readonly [key: KeyValue, number: number])[]
}

// How many records on either side are numbered anew, until there is room: the first with room is the nearest.
const widths = [0, 4, 16, 64, 256, 1024, 4096]
// So much room is made at least that the next moves to there find some.
const spare = 4

/**
 * Waits until no other move of these records is under way. Two that number the same records anew would undo each other, or wait for each
 * other's records. What is found in a transaction is kept for it, so whoever finds the first record has the turn.
 */
export async function lockOrder(reads: Reads, { model, reorderable }: Resource): Promise<void> {
  const key = model.key.key
  const first = { columns: [key], where: always, order: [{ column: key, direction: 'ASC' as const }], limit: 1 }
  const [row] = await reads.list(model, first)
  // Together with another column: a key alone is read without a claim to it.
  if (row) await reads.find(model, row[0], [key, (reorderable as Column).key])
}

/**
 * Finds the numbers that put a record beside another one. What is read is what the resource is about, whoever may see it.
 *
 * @returns null if too many records have no numbers of their own
 */
export async function numbersBeside(reads: Reads, resource: Resource, moved: KeyValue, beside: MoveTarget): Promise<MoveNumbers | null> {
  const { model, records } = resource
  const [place, { key: keyColumn }] = [resource.reorderable as Column, model.key]
  const columns = [place.key, keyColumn]
  const [target, was] = await Promise.all([beside.key, moved].map((key) => reads.find(model, key, columns)))
  // Both have just been read in this transaction.
  if (!target || !was) return null
  const order = orderOf(resource)
  const where = both(records, { op: 'ne', column: keyColumn, value: moved })
  const read = async (side: 'before' | 'after', limit: number): Promise<readonly Row[]> =>
    limit === 0 ? [] : reads.list(model, { columns, where, order, position: { values: target, side }, limit })
  const numbers = numbersOf(resource)
  for (const width of widths) {
    const [left, right] =
      beside.side === 'before'
        ? [await read('before', width + 1), [target, ...(await read('after', width))]]
        : [[...(await read('before', width)), target], await read('after', width + 1)]
    const [low, high] = [left.length > width ? left.at(-1 - width)?.[0] : null, right.length > width ? right[width]?.[0] : null]
    if (width === 0 && isBetween(was[0], low, high)) return { own: null, others: [] }
    const [first, last] = [left.slice(Math.max(0, left.length - width)), right.slice(0, width)]
    const count = first.length + last.length + 1
    const isAll = left.length <= width && right.length <= width
    // Room is not asked for where nothing is numbered anew, or nothing is left beyond.
    if (width > 0 && !isAll && !numbersBetween(low, high, count * spare, numbers)) continue
    const found = numbersBetween(low, high, count, numbers)
    if (!found) continue
    const others = [...first, ...last].flatMap(([old, key], i): MoveNumbers['others'] => {
      const number = found[i < first.length ? i : i + 1] as number
      return number === old ? [] : [[key as KeyValue, number]]
    })
    return { own: found[first.length] as number, others }
  }
  return null
}

const isBetween = (value: unknown, low: unknown, high: unknown) => typeof value === 'number' && isBelow(low, value) && isBelow(value, high)

const isBelow = (low: unknown, high: unknown) =>
  low === null || high === null || (typeof low === 'number' && typeof high === 'number' && low < high)

/** The record at an end of the order, besides one that is put there; null: there is no other. */
export async function keyAtEnd(reads: Reads, resource: Resource, moved: KeyValue, end: 'first' | 'last'): Promise<KeyValue | null> {
  const key = resource.model.key.key
  const [row] = await reads.list(resource.model, {
    columns: [key],
    where: both(resource.records, { op: 'ne', column: key, value: moved }),
    order: orderOf(resource),
    limit: 1,
    fromEnd: end === 'last',
  })
  return row ? (row[0] as KeyValue) : null
}

/**
 * The number of a new record, which comes last: also after those that the resource is not about, as in a trash.
 *
 * @param known the last number, if it is known
 */
export async function numberAtEnd(reads: Reads, resource: Resource, known?: number): Promise<number> {
  const last = known ?? (await lastNumber(reads, resource))
  const [number] = numbersBetween(last, null, 1, numbersOf(resource)) ?? []
  // Where no number is left, the larger key comes last.
  return number ?? (typeof last === 'number' ? last : 0)
}

async function lastNumber(reads: Reads, resource: Resource): Promise<unknown> {
  const [row] = await reads.list(resource.model, {
    columns: [(resource.reorderable as Column).key],
    where: always,
    order: orderOf(resource),
    limit: 1,
    fromEnd: true,
  })
  return row ? row[0] : null
}

function orderOf({ reorderable, model }: Resource): readonly Order[] {
  return [reorderable as Column, model.key].map(({ key }) => ({ column: key, direction: 'ASC' as const }))
}

function numbersOf({ reorderable, fields }: Resource): NumberRange {
  const { key, type, range } = reorderable as Column
  const whole = type === 'integer'
  const [least, most] = range ?? (whole ? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] : [-Number.MAX_VALUE, Number.MAX_VALUE])
  const { min = least, max = most } = (fields.get(key)?.own ?? {}) as { min?: number; max?: number }
  return { whole, least: Math.max(least, min), most: Math.min(most, max) }
}
