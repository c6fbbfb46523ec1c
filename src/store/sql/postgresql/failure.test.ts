import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../base/errors.js'
import { modelOf } from '../../../resource/model/model.js'
import { Planner } from '../plan.js'
import { postgresqlDialect } from './dialect.js'
import { failure, isPassing, isSpent, refusedSetting } from './failure.js'

const cities = modelOf(
  pgTable('cities', {
    id: integer().primaryKey(),
    countryId: integer('country_id'),
    code: text('code "x"'),
    name: text().notNull(),
    // A type and a function in the expression of an index are not meant to be these.
    text: text(),
    lower: text(),
    twoLines: text('two\nlines'),
  }),
)
const table = new Planner(postgresqlDialect()).table(cities)

const refusals: readonly (readonly [code: string, said: object, as: ErrorCode, columns: readonly string[]])[] = [
  ['23505', { table: 'cities', detail: 'Key (id)=(1) already exists.' }, 'conflict', ['id']],
  [
    '23505',
    { table: 'cities', detail: 'Schlüssel »(country_id, "code ""x""")=(1, a)« existiert bereits.' },
    'conflict',
    ['countryId', 'code'],
  ],
  ['23505', { table: 'cities', detail: 'Key (lower(name))=(secret) already exists.' }, 'conflict', ['name']],
  [
    '23505',
    { table: 'cities', detail: 'Key (country_id, lower("code ""x""" :: text))=(1, a) already exists.' },
    'conflict',
    ['countryId', 'code'],
  ],
  [
    '23505',
    { table: 'cities', detail: `Key (COALESCE(country_id, 0), (name || ', id'::text))=(1, a) already exists.` },
    'conflict',
    ['countryId', 'name'],
  ],
  ['23505', { table: 'cities', detail: 'Key ("two\nlines")=(a) already exists.' }, 'conflict', ['twoLines']],
  ['23505', { table: 'audit', detail: 'Key (id)=(1) already exists.' }, 'conflict', []],
  ['23505', { table: 'cities' }, 'conflict', []],
  ['23503', { table: 'cities', detail: 'Key (country_id)=(9) is not present in table "countries".' }, 'conflict', []],
  ['23001', { table: 'cities', detail: 'Key (id)=(1) is referenced from table "streets".' }, 'conflict', []],
  ['23P01', { table: 'cities', detail: 'Key (id)=(1) conflicts with existing key (id)=(2).' }, 'conflict', ['id']],
  ['23502', { table: 'cities', column: 'name', detail: 'Failing row contains (1, secret).' }, 'invalid', ['name']],
  ['23502', { table: 'audit', column: 'name' }, 'invalid', []],
  ['23502', { table: 'cities', column: 'secret' }, 'internal', []],
  ['23514', { table: 'cities' }, 'invalid', []],
  ['23514', { table: 'cities', detail: 'Partition key of the failing row contains (country_id) = (9).' }, 'invalid', ['countryId']],
  ['23514', { table: 'cities', constraint: 'cities_country_id_check' }, 'invalid', ['countryId']],
  ['23514', { table: 'cities', constraint: 'cities_name_check1' }, 'invalid', ['name']],
  ['23514', { table: 'cities', constraint: 'country_id_positive' }, 'invalid', []],
  ['23514', { table: 'audit', constraint: 'audit_name_check' }, 'invalid', []],
  ['22P02', {}, 'invalid', []],
  ['P0001', {}, 'invalid', []],
  ['428C9', {}, 'invalid', []],
  ['54000', {}, 'invalid', []],
  ['40001', {}, 'unavailable', []],
  ['40P01', {}, 'unavailable', []],
  ['55P03', {}, 'unavailable', []],
  ['57014', {}, 'unavailable', []],
  ['57P01', {}, 'unavailable', []],
  ['53300', {}, 'unavailable', []],
  ['08006', {}, 'unavailable', []],
  ['28P01', {}, 'unavailable', []],
  ['3D000', {}, 'unavailable', []],
  ['25006', {}, 'unavailable', []],
  ['42P01', {}, 'internal', []],
  ['42501', {}, 'internal', []],
  ['42501', { routine: 'ExecWithCheckOptions' }, 'forbidden', []],
  ['45000', {}, 'invalid', []],
  ['U0001', { routine: 'exec_stmt_raise' }, 'invalid', []],
  ['28000', { routine: 'exec_stmt_raise' }, 'invalid', []],
  ['55000', { routine: 'error_view_not_updatable' }, 'conflict', []],
  ['55000', {}, 'internal', []],
  ['XX000', {}, 'internal', []],
  ['08P01', {}, 'internal', []],
]

const refusal = (code: string, said: object = {}) =>
  Object.assign(new Error('relation "secret" of the database'), { severity: 'ERROR', code, ...said })

describe('a refusal of PostgreSQL', () => {
  test.each(refusals)('%s %o → %s', (code, said, as, columns) => {
    const cause = refusal(code, said)
    const error = failure(cause, table)
    expect([error.code, [...error.errors.keys()], error.cause]).toEqual([as, columns, cause])
    expect([error.message, ...[...error.errors.values()].flat()].join()).not.toMatch(/cities|audit|secret|relation|Key|Schl|[0-9]/)
    if (as === 'unavailable' && code !== '25006') expect(Number(error.headers['retry-after'])).toBeGreaterThan(0)
  })
})

test('what is no refusal: a lost connection is a 503, a fault of ours is not', () => {
  for (const cause of [
    new Error('Connection terminated unexpectedly'),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    new AggregateError([]),
  ]) {
    expect(failure(cause, table)).toMatchObject({ code: 'unavailable', message: 'The database cannot be reached' })
    expect(isSpent(cause)).toBe(true)
  }
  expect(failure(new TypeError('x'), table)).toMatchObject({ code: 'internal' })
  expect(isSpent(new TypeError('x'))).toBe(false)
})

test('a value that its column cannot read is refused at the column, which the number of the parameter tells', () => {
  const refusedAt = (code: string, where: string) => [
    ...failure(refusal(code, { where }), table, { others: [], parameters: ['name', 'countryId'], sets: [] }).errors.keys(),
  ]
  expect(refusedAt('22P02', "unnamed portal parameter $2 = '...'")).toEqual(['countryId'])
  expect(refusedAt('22007', 'unbenanntes Portal Parameter $1')).toEqual(['name'])
  expect(refusedAt('23514', "unnamed portal parameter $1 = '...'")).toEqual(['name'])
  expect(refusedAt('22P02', "unnamed portal parameter $3 = '...'")).toEqual([])
  expect(refusedAt('22P02', 'SQL statement "update cities set name = $1"')).toEqual([])
  expect(refusedAt('23514', "unnamed portal with parameters: $1 = 'a', $2 = '1'")).toEqual([])
  expect(refusedAt('22003', "unbenanntes Portal mit Parametern: $1 = 'a'")).toEqual([])
  expect(refusedAt('40001', 'unnamed portal parameter $1')).toEqual([])
})

test('a broken foreign key is one of the columns that were set; of a delete, the database names what others refer to', () => {
  const refusedAt = (detail: string, sets: readonly string[]) => [
    ...failure(refusal('23503', { table: 'cities', detail }), table, { others: [], parameters: [], sets }).errors.keys(),
  ]
  expect(refusedAt('Key (country_id)=(9) is not present in table "countries".', ['name', 'countryId'])).toEqual(['countryId'])
  expect(refusedAt('Schlüssel (country_id)=(9) ist nicht in Tabelle »countries« vorhanden.', ['countryId'])).toEqual(['countryId'])
  expect(refusedAt('Key (id)=(1) is still referenced from table "cities".', [])).toEqual([])
  // A key that is changed, which other records of the same table refer to.
  expect(refusedAt('Key (id)=(1) is still referenced from table "cities".', ['id'])).toEqual([])
})

const outdated = refusal('0A000', { routine: 'RevalidateCachedQuery' })

test('only what would succeed later is done again', () => {
  const again = ['40001', '40P01', '26000', '42P05', '0A000', '55P03', '57014', '23505', '08006'].filter((code) =>
    isPassing(failure(refusal(code), table)),
  )
  expect(again).toEqual(['40001', '40P01', '26000', '42P05'])
  expect(isPassing(failure(outdated, table))).toBe(true)
  expect(isPassing(refusal('40001'))).toBe(false)
})

test('a connection whose statements no longer fit the tables is not used again, nor one on which a name may be taken by what was never prepared', () => {
  expect(['0A000', '26000', '42P05', '42P01', '57P01', '23505', '40001', '57014'].filter((code) => isSpent(refusal(code)))).toEqual([
    '42P01',
    '57P01',
  ])
  expect(isSpent(outdated)).toBe(true)
})

test('the last word of a pooler is that of a server that is away; but the setting that it refused is known', () => {
  const last = Object.assign(refusal('08P01', { severity: 'FATAL' }), { message: 'server login has been failing, try again later' })
  expect([failure(last, table).code, isSpent(last), refusedSetting(last)]).toEqual(['unavailable', true, null])
  const refused = (message: string) => refusedSetting(Object.assign(refusal('08P01', { severity: 'FATAL' }), { message }))
  expect(refused('unsupported startup parameter: statement_timeout')).toBe('statement_timeout')
  expect(refused('unsupported startup parameter in options: timezone')).toBe('timezone')
  expect(refusedSetting(new Error('unsupported startup parameter: options'))).toBeNull()
})
