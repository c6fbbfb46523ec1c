import type { Thing } from './things.js'

/** One filter of a query: `filter[column][operator]=text`, `eq` with one or several texts. */
export interface Filter {
  readonly column: keyof Thing
  readonly operator: string
  readonly texts: readonly string[]
}

export interface Step {
  readonly column: keyof Thing
  readonly descending: boolean
}

export type Match = 'all' | 'any'

/** What a listing must hold, worked out the plain way: no condition, no SQL, nothing of the panel's. */
export function evaluate(
  rows: readonly Thing[],
  filters: readonly Filter[],
  search: string,
  order: readonly Step[],
  match: Match = 'all',
): readonly number[] {
  return rows
    .filter((row) => (match === 'all' ? filters.every((filter) => holds(row, filter)) : meetsAny(row, filters)) && found(row, search))
    .toSorted((a, b) => compareRows(a, b, order))
    .map((row) => row.id)
}

const bounds = ['gt', 'gte', 'lt', 'lte', 'from', 'to']

/** Any filter is enough, but the ends of a range are met together; without filters there is none to be met. */
function meetsAny(row: Thing, filters: readonly Filter[]): boolean {
  const isEnd = ({ operator }: Filter) => bounds.includes(operator)
  const together = (one: Filter) => (isEnd(one) ? filters.filter((other) => isEnd(other) && other.column === one.column) : [one])
  return filters.length === 0 || filters.some((one) => together(one).every((filter) => holds(row, filter)))
}

/** The order is made total by the key, which goes the way of the step before it. Nulls stand last. */
function compareRows(a: Thing, b: Thing, order: readonly Step[]): number {
  const last: Step = { column: 'id', descending: order.at(-1)?.descending ?? true }
  for (const { column, descending } of [...order, last]) {
    const [one, other] = [plain(a[column]), plain(b[column])]
    if (one === null || other === null) {
      if (one !== other) return one === null ? 1 : -1
      continue
    }
    const compared = compare(one, other)
    if (compared !== 0) return descending ? -compared : compared
  }
  return 0
}

function holds(row: Thing, { column, operator, texts }: Filter): boolean {
  const value = plain(row[column])
  const [text = ''] = texts
  if (operator === 'null') return (value === null) === (text === '1' || text === 'true')
  if (operator === 'contains' || operator === 'startsWith')
    return typeof row[column] === 'string' && has(row[column], text, operator === 'startsWith')
  const wanted = texts.map((one) => meant(column, one))
  if (operator === 'eq') return value !== null && wanted.includes(value)
  if (operator === 'ne') return value !== wanted[0]
  if (value === null) return false
  const compared = compare(value, wanted[0] as typeof value)
  switch (operator) {
    case 'gt':
      return compared > 0
    case 'gte':
    case 'from':
      return compared >= 0
    case 'lt':
      return compared < 0
    default:
      return compared <= 0
  }
}

function found({ name, notes }: Thing, search: string): boolean {
  const words = search.trim().split(/\s+/u).filter(Boolean)
  return words.every((word) => [name, notes].some((text) => text !== null && has(text, word, false)))
}

// Regular expressions know case beyond ASCII by themselves.
function has(text: string, part: string, atStart: boolean): boolean {
  return new RegExp((atStart ? '^' : '') + part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu').test(text)
}

type Plain = number | bigint | string | null

/** Text by its bytes in UTF-8, as a database compares it where nobody says otherwise. */
function compare(a: number | bigint | string, b: number | bigint | string): number {
  if (typeof a === 'string' || typeof b === 'string') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  return a < b ? -1 : a > b ? 1 : 0
}

function plain(value: Thing[keyof Thing]): Plain {
  return value instanceof Date ? value.getTime() : typeof value === 'boolean' ? Number(value) : value
}

function meant(column: keyof Thing, text: string): Plain {
  switch (column) {
    case 'id':
    case 'rank':
    case 'score':
    case 'parent':
      return Number(text)
    case 'mint':
      return BigInt(text)
    case 'done':
      return Number(text === 'true' || text === '1')
    case 'at':
      return Date.parse(text)
    default:
      return text
  }
}
