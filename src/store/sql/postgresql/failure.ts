import { DaymarkError, type ErrorCode } from '../../../base/errors.js'
import { storeTexts } from '../../../resource/model/store-texts.js'
import { waitedTooLong } from '../../queue.js'
import type { Mapped } from '../dialect.js'
import type { Plan } from '../plan.js'
import { keptName } from './kept-name.js'

/** A PostgreSQL error as node-postgres passes it on. */
interface Refusal {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly detail?: string
  readonly where?: string
  readonly schema?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  readonly routine?: string
}

/** Turns what node-postgres threw into a DaymarkError. It names columns by their keys and never contains SQL, a table or a path. */
export function failure(
  error: unknown,
  table: Mapped | null,
  { others, parameters, sets }: Pick<Plan, 'others' | 'parameters' | 'sets'> = none,
): DaymarkError {
  if (error instanceof DaymarkError) return error
  if (!isRefusal(error)) return isLost(error) ? unreachable(error) : new DaymarkError('internal', couldNot, { cause: error })
  // What a function raises has a name if it gives one, else what it says stands for it.
  const constraint = error.constraint ?? (isRaised(error) ? error.message : null)
  const refuse = (as: ErrorCode, text: string, keys: readonly string[]) =>
    new DaymarkError(as, text, { errors: keys.map((key) => [key, [text]]), constraint, cause: error })
  switch (error.code) {
    case '23505': {
      const keys = keysIn(error, table)
      return refuse('conflict', keys.length > 1 ? 'This combination is already taken' : 'Already taken', keys)
    }
    // What ON DELETE RESTRICT raises since PostgreSQL 18.
    case '23001':
    case '23503':
      return refuse('conflict', storeTexts.referring, keysReferring(error, table, sets))
    case '23P01':
      return refuse('conflict', storeTexts.conflicting, keysIn(error, table))
    case '23502': {
      const keys = keysNamed([error.column ?? ''], error, table)
      // Its declaration lacks the column, so nobody can give a value.
      if (keys.length === 0 && table && isAbout(error, table)) return new DaymarkError('internal', couldNot, { cause: error })
      return refuse('invalid', storeTexts.required, keys)
    }
    case '23514': {
      // No constraint has a name where no partition takes the row.
      const checked = error.constraint === undefined ? keysIn(error, table) : keysChecked(error, table)
      const keys = checked.length > 0 ? checked : keyBound(error, parameters)
      return refuse('invalid', keys.length > 0 ? storeTexts.refusedValue : storeTexts.refused, keys)
    }
    case '55P03':
      return waitedTooLong(error)
    case '57014':
      return new DaymarkError('unavailable', 'The database took too long', { cause: error })
    default: {
      const keys = error.code.startsWith('22') ? keyBound(error, parameters) : []
      if (keys.length > 0) return refuse('invalid', storeTexts.refusedValue, keys)
      if (table && unable.has(error.routine ?? '')) return new Unmatched([table, ...others], error)
      if (isContention(error)) return waitedTooLong(error)
      if (isRaised(error)) return refuse('invalid', storeTexts.refused, [])
      if (isPolicy(error)) return new DaymarkError('forbidden', storeTexts.denied, { cause: error })
      if (unwritable.has(error.routine ?? '')) return new DaymarkError('conflict', storeTexts.unwritable, { cause: error })
      return isLost(error) ? unreachable(error) : new DaymarkError(...verdict(error.code), { cause: error })
    }
  }
}

/** The 503 if the database cannot be reached, or does not accept work. */
export function unreachable(cause: unknown): DaymarkError {
  return new DaymarkError('unavailable', 'The database cannot be reached', { cause })
}

/**
 * Whether a retry may succeed: PostgreSQL rolled back in favour of another transaction, or a prepared statement was missing or outdated.
 */
export function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof DaymarkError)) return false
  return isContention(thrown.cause) || isOutdated(thrown.cause) || isMisprepared(thrown.cause)
}

/** Whether the connection must not be used again: it is lost, or holds prepared statements that no longer fit the tables. */
export function isSpent(error: unknown): boolean {
  return isLost(error) || isOutdated(error) || isUnprepared(error)
}

/** Whether a prepared statement is missing, or exists already, as happens behind a pooler in transaction mode. */
export function isMisprepared(error: unknown): boolean {
  return isRefusal(error) && (error.code === '26000' || error.code === '42P05')
}

/** The setting that PgBouncer refused a connection for; null: another reason. */
export function refusedSetting(error: unknown): string | null {
  if (!isRefusal(error) || error.code !== '08P01') return null
  return /^unsupported startup parameter(?: in options)?: (\w+)/.exec(error.message)?.[1] ?? null
}

const none: Pick<Plan, 'others' | 'parameters' | 'sets'> = { others: [], parameters: [], sets: [] }

const couldNot = 'The database could not do this'

// SQLSTATE classes: connection, authentication, no such database, out of resources, shutdown, disk.
const away = /^(?:08|28|3D|53|57P|58)/

// Serialization failure or deadlock.
function isContention(error: unknown): boolean {
  return isRefusal(error) && (error.code === '40001' || error.code === '40P01')
}

// Preparing failed (no such table yet), but a pooler may still consider the name taken. Not 42501: permissions are checked at execution.
function isUnprepared(error: unknown): boolean {
  return isRefusal(error) && error.code.startsWith('42') && error.code !== '42P05' && error.code !== '42501'
}

/** Whether the types of the table have changed since the statement was prepared. */
export function isOutdated(error: unknown): boolean {
  return isRefusal(error) && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

function isLost(error: unknown): boolean {
  // 08P01 is a protocol violation of ours; but a pooler sends it, as FATAL, for any trouble with the server.
  if (isRefusal(error)) return !isRaised(error) && away.test(error.code) && (error.code !== '08P01' || error.severity === 'FATAL')
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}

// The PostgreSQL routines that refuse a pattern for the column's collation, a comparison, and an order.
const unable: ReadonlySet<string> = new Set(['pg_set_regex_collation', 'op_error', 'get_sort_group_operators'])

class Unmatched extends DaymarkError {
  constructor(
    readonly tables: readonly Mapped[],
    cause: unknown,
  ) {
    super('internal', couldNot, { cause })
  }
}

/** The tables one of which may have a column that refused a pattern or a comparison; none: another failure. */
export function unmatched(thrown: unknown): readonly Mapped[] {
  return thrown instanceof Unmatched ? thrown.tables : []
}

/** Whether a user's PL/pgSQL function raised it. It may use any code, so the code does not mean what it means from the server. */
function isRaised({ routine }: Refusal): boolean {
  return routine === 'exec_stmt_raise'
}

/**
 * Whether a row-level security policy refused the row. A missing privilege of the panel has the same code, but is an error in the setup.
 */
function isPolicy({ code, routine }: Refusal): boolean {
  return code === '42501' && routine === 'ExecWithCheckOptions'
}

// The PostgreSQL routines that report that a view or materialized view cannot be written, or its rows not be locked for a write.
const unwritable: ReadonlySet<string> = new Set([
  'CheckSelectLocking',
  'CheckValidRowMarkRel',
  'CheckValidResultRel',
  'RewriteQuery',
  'rewriteTargetView',
  'error_view_not_updatable',
])

/** Whether the error comes from PostgreSQL. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'severity' in error && typeof (error as { code?: unknown }).code === 'string'
}

// "Key (country_id, code)=(1, x) already exists.", "Partition key of the failing row contains (at) = (2031-01-01)." The server's language
// changes the words, but not the brackets.
function keysIn(error: Refusal, table: Mapped | null): readonly string[] {
  const [, list = ''] = /\((.+?)\) ?= ?\(/s.exec(error.detail ?? '') ?? []
  return keysNamed(namesIn(list), error, table, isUniqueHere)
}

// Where a record is deleted or its key changed, what is named is not what refers, but what others refer to.
function keysReferring(error: Refusal, table: Mapped | null, sets: Plan['sets']): readonly string[] {
  const { columns } = table?.model ?? { columns: new Map() }
  const refers = (key: string) => sets.includes(key) && (columns.get(key)?.references || !columns.get(key)?.unique)
  return keysIn(error, table).filter(refers)
}

// An index may be over expressions, such as `lower(email)`: what is no function, no type and no text in them is a column.
function namesIn(expressions: string): readonly string[] {
  const words = /'(?:[^']|'')*'|(::\s*)?(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*))(\s*\()?/gu
  return [...expressions.matchAll(words)].flatMap(([, cast, quoted, plain, call]) =>
    cast || call ? [] : (quoted?.replaceAll('""', '"') ?? plain ?? []),
  )
}

// The error names the partition, not the table. Columns that are unique together still identify the table, rather than another one that a
// trigger wrote to.
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
  // The error may come from another table that a trigger wrote to.
  return isAbout(error, table) || isHere(table, keys) ? keys : []
}

/** Whether a refusal is one of this table. Where its schema is left to the database, any will do. */
const isAbout = ({ schema, table }: Refusal, { model: { name, fullName } }: Mapped) =>
  table === keptName(name) && (fullName === name || keptName(fullName.slice(0, -name.length - 1)) === schema)

// PostgreSQL's default name for a column's check is `cities_population_check`; further checks get a number at the end.
function keysChecked(error: Refusal, table: Mapped | null): readonly string[] {
  const of = (name: string) => `${error.table}_${name}_check`
  const names = [...(table?.codecs.values() ?? [])].map(({ name }) => name)
  return keysNamed(
    names.filter((name) => error.constraint?.replace(/\d+$/, '') === of(name)),
    error,
    table,
  )
}

// "unnamed portal parameter $2 = '...'", in the language of the server: a value that its column cannot read, or that its domain refuses. Not
// "unnamed portal with parameters: $1 = '...', $2 = '...'", which servers with log_parameter_max_length_on_error say of any error.
function keyBound({ where = '' }: Refusal, parameters: Plan['parameters']): readonly string[] {
  const [, parameter] = /^[^"$\n:：]*\$(\d+)(?: |$)/.exec(where) ?? []
  const key = parameters[Number(parameter) - 1]
  return key === undefined ? [] : [key]
}

function verdict(code: string): readonly [code: ErrorCode, text: string] {
  if (/^(?:22|23|44|45|P0|428C9)/.test(code)) return ['invalid', storeTexts.refused]
  if (code.startsWith('54')) return ['invalid', storeTexts.tooMuch]
  if (code === '25006') return ['unavailable', 'The database cannot be written to at the moment']
  return ['internal', couldNot]
}
