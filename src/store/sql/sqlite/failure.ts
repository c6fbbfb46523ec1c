import { DaymarkError, type ErrorCode } from '../../../base/errors.js'
import { storeTexts } from '../../../resource/model/store-texts.js'
import { waitedTooLong } from '../../queue.js'
import type { Mapped } from '../dialect.js'

/** Whether another connection locks the database, so that a retry may succeed. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')
}

/** Turns what a driver threw into a DaymarkError. It names columns by their keys and never contains SQL, a table or a path. */
export function failure(error: unknown, table: Mapped | null): DaymarkError {
  if (error instanceof DaymarkError) return error
  if (isBusy(error)) return waitedTooLong(error)
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : ''
  // "UNIQUE constraint failed: cities.country_id, cities.code"
  const named = new Set(table ? namesIn(message.slice(message.indexOf(': ') + 2), table) : [])
  const keys = [...(table?.codecs.values() ?? [])].flatMap(({ column, name }) =>
    named.has(`${table?.model.name}.${name}`) ? [column.key] : [],
  )
  // "CHECK constraint failed: population > 0", or the name of the constraint if it has one
  const checked = code === 'SQLITE_CONSTRAINT_CHECK' ? keysIn(message, table) : []
  const constraint = constraintIn(code, message)
  const refuse = (as: ErrorCode, text: string, of = keys) =>
    new DaymarkError(as, text, { errors: of.map((key) => [key, [text]]), constraint, cause: error })
  if (checked.length > 0) return refuse('invalid', storeTexts.refusedValue, checked)
  switch (isRestricted(code, message) ? 'SQLITE_CONSTRAINT_FOREIGNKEY' : code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_ROWID':
      return refuse('conflict', keys.length > 1 ? 'This combination is already taken' : 'Already taken')
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return lacks(named, table) ? new DaymarkError('internal', couldNot, { cause: error }) : refuse('invalid', storeTexts.required)
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return refuse('conflict', storeTexts.referring, [])
    default:
      return new DaymarkError(...(byCode(code) ?? byMessage(message)), { constraint, cause: error })
  }
}

/** The keys of the columns that an expression names. */
function keysIn(message: string, table: Mapped | null): string[] {
  const words = new Set(
    message
      .slice(message.indexOf(': ') + 2)
      .replace(/'[^']*'/g, '')
      .match(/[\p{L}_][\p{L}\p{N}_$]*/gu),
  )
  return [...(table?.codecs.values() ?? [])].flatMap(({ column, name }) => (words.has(name) ? [column.key] : []))
}

// "CHECK constraint failed: stays_in_order", "UNIQUE constraint failed: index 'stays_guest'", or what a trigger raises.
function constraintIn(code: string, message: string): string | null {
  if (code === 'SQLITE_CONSTRAINT_TRIGGER') return message
  return /^CHECK constraint failed: (.+)$/s.exec(message)?.[1] ?? /^UNIQUE constraint failed: index '(.+)'$/s.exec(message)?.[1] ?? null
}

// SQLite enforces ON DELETE RESTRICT with an internal trigger. A user's own trigger has a message of its own.
function isRestricted(code: string, message: string): boolean {
  return code === 'SQLITE_CONSTRAINT_TRIGGER' && message === 'FOREIGN KEY constraint failed'
}

type Verdict = readonly [code: ErrorCode, text: string]

function byCode(code: string): Verdict | null {
  if (code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH') return ['invalid', storeTexts.refused]
  if (code === 'SQLITE_TOOBIG') return ['invalid', 'A value is too big for the database']
  return /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|NOMEM)/.test(code) ? ['unavailable', 'The database cannot be used at the moment'] : null
}

function byMessage(message: string): Verdict {
  if (/too (?:many|big|large|complex)/.test(message)) return ['invalid', storeTexts.tooMuch]
  // A view without a trigger that writes instead.
  if (/^cannot modify .* because it is a view$/s.test(message)) return ['conflict', storeTexts.unwritable]
  return ['internal', couldNot]
}

const couldNot = 'The database could not do this'

/** The columns that a message lists, each behind the name of its table: names may have commas in them. */
function namesIn(list: string, { model }: Mapped): string[] {
  const of = `${model.name}.`
  return list.split(`, ${of}`).map((name, i) => (i === 0 ? name : of + name))
}

/** Whether the table of the database has one of these columns, and its declaration doesn't: nobody can give a value. */
function lacks(named: ReadonlySet<string>, table: Mapped | null): boolean {
  if (table === null) return false
  const of = `${table.model.name}.`
  const known = new Set([...table.codecs.values()].map(({ name }) => of + name))
  return [...named].some((one) => one.startsWith(of) && !known.has(one))
}

const names: Readonly<Record<number, string>> = {
  275: 'SQLITE_CONSTRAINT_CHECK',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  1811: 'SQLITE_CONSTRAINT_TRIGGER',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
  2579: 'SQLITE_CONSTRAINT_ROWID',
}

// SQLite's primary result codes, by number from 0.
const groups =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  )

/** The name of SQLite's result code. better-sqlite3 and libsql give the name, node:sqlite the number. */
function codeOf(error: unknown): string {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  if (typeof errcode === 'number') return names[errcode] ?? `SQLITE_${groups[errcode & 255]}`
  return typeof code === 'string' ? code : ''
}
