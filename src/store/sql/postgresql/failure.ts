import { DaymarkError, type ErrorCode } from '../../../base/errors.js'
import { waitedTooLong } from '../../queue.js'
import type { Mapped } from '../dialect.js'

/** What PostgreSQL says of a refusal, as node-postgres hands it on. */
interface Refusal {
  readonly code: string
  readonly detail?: string
  readonly table?: string
  readonly column?: string
}

/** What node-postgres threw, as an error of the house: it names columns by their keys and never holds SQL, a table or a path. */
export function failure(error: unknown, table: Mapped | null): DaymarkError {
  if (error instanceof DaymarkError) return error
  if (!isRefusal(error)) return isLost(error) ? unreachable(error) : new DaymarkError('internal', couldNot, { cause: error })
  const refuse = (as: ErrorCode, text: string, keys: readonly string[]) =>
    new DaymarkError(as, text, { errors: keys.map((key) => [key, [text]]), cause: error })
  switch (error.code) {
    case '23505': {
      const keys = keysIn(error.detail ?? '', error, table)
      return refuse('conflict', keys.length > 1 ? 'This combination is already taken' : 'Already taken', keys)
    }
    case '23503':
      return refuse('conflict', 'A record that this one refers to is missing, or others still refer to this one', [])
    case '23P01':
      return refuse('conflict', 'Conflicts with another record', [])
    case '23502':
      return refuse('invalid', 'Is required', keysNamed([error.column ?? ''], error, table))
    case '55P03':
      return waitedTooLong(error)
    case '57014':
      return new DaymarkError('unavailable', 'The database took too long', { cause: error })
    default:
      if (isContention(error)) return waitedTooLong(error)
      return isLost(error) ? unreachable(error) : new DaymarkError(...verdict(error.code), { cause: error })
  }
}

/** The 503 of a database that cannot be reached, or won't serve. */
export function unreachable(cause: unknown): DaymarkError {
  return new DaymarkError('unavailable', 'The database cannot be reached', { cause })
}

/** Whether it was thrown because PostgreSQL rolled back for the sake of another transaction, so that the same would succeed later. */
export function isContended(thrown: unknown): boolean {
  return thrown instanceof DaymarkError && isContention(thrown.cause)
}

/** Whether the connection should not be used again: it is lost, or holds statements that no longer fit the tables. */
export function isSpent(error: unknown): boolean {
  return isLost(error) || (isRefusal(error) && (error.code === '0A000' || error.code === '26000'))
}

const couldNot = 'The database could not do this'

// Connection (not a fault of ours in speaking), authentication, no such database, out of resources, shut down, disk.
const away = /^(?:08(?!P01)|28|3D|53|57P|58)/

// A serialisation failure, a deadlock.
function isContention(error: unknown): boolean {
  return isRefusal(error) && (error.code === '40001' || error.code === '40P01')
}

function isLost(error: unknown): boolean {
  if (isRefusal(error)) return away.test(error.code)
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}

/** Whether PostgreSQL itself said it. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'severity' in error && typeof (error as { code?: unknown }).code === 'string'
}

// "Key (country_id, code)=(1, x) already exists." The words differ by the server's language; the brackets don't.
function keysIn(detail: string, error: Refusal, table: Mapped | null): readonly string[] {
  const [, list = ''] = /\((.+?)\)=\(/.exec(detail) ?? []
  const names = list.split(', ').map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
  return keysNamed(names, error, table)
}

function keysNamed(names: readonly string[], error: Refusal, table: Mapped | null): readonly string[] {
  // A trigger may have written to another table.
  if (table === null || error.table !== table.model.name) return []
  return [...table.codecs.values()].flatMap(({ column, name }) => (names.includes(name) ? [column.key] : []))
}

function verdict(code: string): readonly [code: ErrorCode, text: string] {
  if (/^(?:22|23|44|P0|428C9)/.test(code)) return ['invalid', 'The database refuses these values']
  if (code.startsWith('54')) return ['invalid', 'Too many or too long values for the database']
  if (code === '25006') return ['unavailable', 'The database cannot be written to at the moment']
  return ['internal', couldNot]
}
