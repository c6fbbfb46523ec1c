import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../base/errors.js'
import { models } from '../../contract/tables.js'
import { Planner } from '../plan.js'
import { sqliteDialect } from './dialect.js'
import { failure, isBusy } from './failure.js'

const table = new Planner(sqliteDialect()).table(models.places)

const failures: readonly (readonly [code: string, message: string, as: ErrorCode, columns: readonly string[]])[] = [
  ['SQLITE_CONSTRAINT_UNIQUE', 'UNIQUE constraint failed: contract_places.code', 'conflict', ['code']],
  [
    'SQLITE_CONSTRAINT_UNIQUE',
    'UNIQUE constraint failed: contract_places.region_id, contract_places.slot',
    'conflict',
    ['regionId', 'slot'],
  ],
  ['SQLITE_CONSTRAINT_UNIQUE', "UNIQUE constraint failed: index 'secret_index'", 'conflict', []],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'UNIQUE constraint failed: contract_places.id', 'conflict', ['id']],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'FOREIGN KEY constraint failed', 'conflict', []],
  ['SQLITE_CONSTRAINT_TRIGGER', 'FOREIGN KEY constraint failed', 'conflict', []],
  ['SQLITE_CONSTRAINT_NOTNULL', 'NOT NULL constraint failed: contract_places.made_by', 'invalid', ['madeBy']],
  // By a trigger, in another table.
  ['SQLITE_CONSTRAINT_NOTNULL', 'NOT NULL constraint failed: audit.made_by', 'invalid', []],
  // The declaration lacks it.
  ['SQLITE_CONSTRAINT_NOTNULL', 'NOT NULL constraint failed: contract_places.secret', 'internal', []],
  ['SQLITE_CONSTRAINT_CHECK', 'CHECK constraint failed: people > 0', 'invalid', ['people']],
  ['SQLITE_CONSTRAINT_CHECK', 'CHECK constraint failed: "region_id" > 0 or code <> \'people\'', 'invalid', ['code', 'regionId']],
  ['SQLITE_CONSTRAINT_CHECK', 'CHECK constraint failed: people_positive', 'invalid', []],
  ['SQLITE_CONSTRAINT_TRIGGER', 'no, says the trigger', 'invalid', []],
  ['SQLITE_CONSTRAINT_DATATYPE', 'cannot store TEXT value in INTEGER column contract_places.people', 'invalid', []],
  ['SQLITE_MISMATCH', 'datatype mismatch', 'invalid', []],
  ['SQLITE_TOOBIG', 'string or blob too big', 'invalid', []],
  ['SQLITE_ERROR', 'too many SQL variables', 'invalid', []],
  ['SQLITE_ERROR', 'LIKE or GLOB pattern too complex', 'invalid', []],
  ['SQLITE_ERROR', 'Expression tree is too large (maximum depth 1000)', 'invalid', []],
  ['SQLITE_BUSY', 'database is locked', 'unavailable', []],
  ['SQLITE_FULL', 'database or disk is full', 'unavailable', []],
  ['SQLITE_READONLY_DBMOVED', 'attempt to write a readonly database', 'unavailable', []],
  ['SQLITE_IOERR_WRITE', 'disk I/O error', 'unavailable', []],
  ['SQLITE_CANTOPEN', 'unable to open database file', 'unavailable', []],
  ['SQLITE_CORRUPT', 'database disk image is malformed', 'internal', []],
  ['SQLITE_NOTADB', 'file is not a database', 'internal', []],
  ['SQLITE_ERROR', 'no such table: contract_places', 'internal', []],
  ['SQLITE_ERROR', 'cannot modify contract_places because it is a view', 'conflict', []],
]

describe('a failure of SQLite', () => {
  test.each(failures)('%s %s → %s', (code, message, as, columns) => {
    const cause = Object.assign(new Error(message), { code })
    const error = failure(cause, table)
    expect([error.code, [...error.errors.keys()], error.cause]).toEqual([as, columns, cause])
    const said = [error.message, ...[...error.errors.values()].flat()].join()
    expect(said).not.toMatch(/contract|secret|SQL|constraint|trigger|datatype|0/)
    expect(error.headers).toEqual(as !== 'unavailable' ? {} : { 'retry-after': code === 'SQLITE_BUSY' ? '1' : '5' })
  })
})

test('node:sqlite says numbers, and means the same', () => {
  const error = (errcode: number, message: string) => Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
  expect(failure(error(2067, 'UNIQUE constraint failed: contract_places.code'), table)).toMatchObject({ code: 'conflict' })
  expect(failure(error(787, 'FOREIGN KEY constraint failed'), table)).toMatchObject({ code: 'conflict' })
  expect(failure(error(1811, 'FOREIGN KEY constraint failed'), table)).toMatchObject({ code: 'conflict' })
  expect(failure(error(1811, 'no, says the trigger'), table)).toMatchObject({ code: 'invalid' })
  expect(failure(error(1299, 'NOT NULL constraint failed: contract_places.name'), table).errors.has('name')).toBe(true)
  expect(failure(error(275, 'CHECK constraint failed: people > 0'), table).errors.has('people')).toBe(true)
  expect(failure(error(275, 'CHECK constraint failed: x'), table)).toMatchObject({ code: 'invalid' })
  expect(failure(error(13, 'database or disk is full'), table)).toMatchObject({ code: 'unavailable' })
  expect([isBusy(error(5, 'database is locked')), isBusy(error(517, 'database is locked')), isBusy(error(1, ''))]).toEqual([
    true,
    true,
    false,
  ])
})
