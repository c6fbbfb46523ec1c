import { DaymarkError, type ErrorCode } from '../../../base/errors.js'
import { waitedTooLong } from '../../queue.js'
import type { Mapped } from '../dialect.js'

/** What PostgreSQL says of a refusal, as node-postgres hands it on. */
interface Refusal {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly detail?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  readonly routine?: string
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
    // As ON DELETE RESTRICT says it from PostgreSQL 18 on.
    case '23001':
    case '23503':
      return refuse('conflict', 'A record that this one refers to is missing, or others still refer to this one', [])
    case '23P01':
      return refuse('conflict', 'Conflicts with another record', [])
    case '23502':
      return refuse('invalid', 'Is required', keysNamed([error.column ?? ''], error, table))
    case '23514': {
      const keys = keysChecked(error, table)
      return keys.length > 0
        ? refuse('invalid', 'The database refuses this value', keys)
        : new DaymarkError(...verdict(error.code), { cause: error })
    }
    case '55P03':
      return waitedTooLong(error)
    case '57014':
      return new DaymarkError('unavailable', 'The database took too long', { cause: error })
    default:
      if (table && error.routine === 'pg_set_regex_collation') return new Unmatched(table, error)
      if (isContention(error)) return waitedTooLong(error)
      if (isRaised(error)) return new DaymarkError('invalid', refused, { cause: error })
      if (isPolicy(error)) return new DaymarkError('forbidden', 'The database does not let this be written', { cause: error })
      if (unwritable.has(error.routine ?? '')) return new DaymarkError('conflict', 'Nothing can be written here', { cause: error })
      return isLost(error) ? unreachable(error) : new DaymarkError(...verdict(error.code), { cause: error })
  }
}

/** The 503 of a database that cannot be reached, or won't serve. */
export function unreachable(cause: unknown): DaymarkError {
  return new DaymarkError('unavailable', 'The database cannot be reached', { cause })
}

/** Whether the same would succeed later: PostgreSQL rolled back for the sake of another transaction, or a prepared statement was not what it had been. */
export function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof DaymarkError)) return false
  return isContention(thrown.cause) || isOutdated(thrown.cause) || isMisprepared(thrown.cause)
}

/** Whether the connection should not be used again: it is lost, or holds statements that no longer fit the tables. */
export function isSpent(error: unknown): boolean {
  return isLost(error) || isOutdated(error) || isUnprepared(error)
}

/** Whether a statement is not prepared where it should be, or is where it should not: on the connections of a pooler in transaction mode. */
export function isMisprepared(error: unknown): boolean {
  return isRefusal(error) && (error.code === '26000' || error.code === '42P05')
}

/** The setting that a connection was refused for, in the words of PgBouncer; null: it was refused for something else. */
export function refusedSetting(error: unknown): string | null {
  if (!isRefusal(error) || error.code !== '08P01') return null
  return /^unsupported startup parameter(?: in options)?: (\w+)/.exec(error.message)?.[1] ?? null
}

const couldNot = 'The database could not do this'
const refused = 'The database refuses these values'

// Connection, authentication, no such database, out of resources, shut down, disk.
const away = /^(?:08|28|3D|53|57P|58)/

// A serialisation failure, a deadlock.
function isContention(error: unknown): boolean {
  return isRefusal(error) && (error.code === '40001' || error.code === '40P01')
}

// It never came to be prepared (no such table yet); a pooler may hold that its name is taken all the same. Rights are asked when it runs.
function isUnprepared(error: unknown): boolean {
  return isRefusal(error) && error.code.startsWith('42') && error.code !== '42P05' && error.code !== '42501'
}

/** Whether a statement was prepared when its table had other types. */
export function isOutdated(error: unknown): boolean {
  return isRefusal(error) && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

function isLost(error: unknown): boolean {
  // A fault of ours in speaking; but of a pooler, whose last word it is, all that may go wrong with the server.
  if (isRefusal(error)) return !isRaised(error) && away.test(error.code) && (error.code !== '08P01' || error.severity === 'FATAL')
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}

class Unmatched extends DaymarkError {
  constructor(
    readonly table: Mapped,
    cause: unknown,
  ) {
    super('internal', couldNot, { cause })
  }
}

/** The table in which a pattern was asked of a column whose collation knows none; null: it is another failure. */
export function unmatched(thrown: unknown): Mapped | null {
  return thrown instanceof Unmatched ? thrown.table : null
}

/** Whether somebody's own function said it, by whatever code: it need not mean what it means of the server. */
function isRaised({ routine }: Refusal): boolean {
  return routine === 'exec_stmt_raise'
}

/** Whether a policy of the table refuses the row. A right that the panel itself lacks has the same code, and is a fault of who set it up. */
function isPolicy({ code, routine }: Refusal): boolean {
  return code === '42501' && routine === 'ExecWithCheckOptions'
}

// Where it says that a view, or a materialized one, is not to be written, or its rows not to be locked for that.
const unwritable: ReadonlySet<string> = new Set([
  'CheckSelectLocking',
  'CheckValidRowMarkRel',
  'CheckValidResultRel',
  'RewriteQuery',
  'rewriteTargetView',
  'error_view_not_updatable',
])

/** Whether PostgreSQL itself said it. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'severity' in error && typeof (error as { code?: unknown }).code === 'string'
}

// "Key (country_id, code)=(1, x) already exists." The words differ by the server's language; the brackets don't.
function keysIn(detail: string, error: Refusal, table: Mapped | null): readonly string[] {
  const [, list = ''] = /\((.+?)\)=\(/.exec(detail) ?? []
  const names = list.split(', ').map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name))
  return keysNamed(names, error, table, isUniqueHere)
}

// Of a partition, its own name is said. Several columns that are unique together tell it from whatever a trigger may have written to.
function isUniqueHere({ model }: Mapped, keys: readonly string[]): boolean {
  return keys.length > 1 && model.uniques.some((unique) => unique.length === keys.length && unique.every((key) => keys.includes(key)))
}

function keysNamed(
  names: readonly string[],
  error: Refusal,
  table: Mapped | null,
  isHere: (table: Mapped, keys: readonly string[]) => boolean = () => false,
): readonly string[] {
  if (table === null) return []
  const keys = [...table.codecs.values()].flatMap(({ column, name }) => (names.includes(name) ? [column.key] : []))
  // A trigger may have written to another table.
  return error.table === table.model.name || isHere(table, keys) ? keys : []
}

// PostgreSQL itself calls the check of one column `cities_population_check`, and further ones with a number behind.
function keysChecked(error: Refusal, table: Mapped | null): readonly string[] {
  const of = (name: string) => `${error.table}_${name}_check`
  const names = [...(table?.codecs.values() ?? [])].map(({ name }) => name)
  return keysNamed(
    names.filter((name) => error.constraint?.replace(/\d+$/, '') === of(name)),
    error,
    table,
  )
}

function verdict(code: string): readonly [code: ErrorCode, text: string] {
  if (/^(?:22|23|44|45|P0|428C9)/.test(code)) return ['invalid', refused]
  if (code.startsWith('54')) return ['invalid', 'Too many or too long values for the database']
  if (code === '25006') return ['unavailable', 'The database cannot be written to at the moment']
  return ['internal', couldNot]
}
