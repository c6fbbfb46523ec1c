import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, belongsToMany, definePanel, defineResource, id, number, type Panel, text } from 'daymark'
import { type TestPanel, testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, unique, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'
import { Sqlite } from '../support/sqlite.js'

const countries = sqliteTable('countries', {
  id: integer().primaryKey(),
  code: varchar().unique(),
  name: varchar().notNull(),
  region: varchar().notNull().default('here'),
})
const offices = sqliteTable(
  'offices',
  { id: integer().primaryKey(), countryId: integer('country_id').references(() => countries.id), number: integer() },
  (table) => [unique().on(table.countryId, table.number)],
)
const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  countryId: integer('country_id').references(() => countries.id),
  officeId: integer('office_id').references(() => offices.id),
})
const cityCountries = sqliteTable('city_countries', {
  cityId: integer('city_id')
    .notNull()
    .references(() => cities.id),
  countryId: integer('country_id')
    .notNull()
    .references(() => countries.id),
})
const sqliteTables = { countries, offices, cities, cityCountries }

const pgCountries = pg.pgTable('countries', {
  id: pg.serial().primaryKey(),
  code: pg.text().unique(),
  name: pg.text().notNull(),
  region: pg.text().notNull().default('here'),
})
const pgOffices = pg.pgTable(
  'offices',
  { id: pg.serial().primaryKey(), countryId: pg.integer('country_id').references(() => pgCountries.id), number: pg.integer() },
  (table) => [pg.unique().on(table.countryId, table.number)],
)
const pgCities = pg.pgTable('cities', {
  id: pg.serial().primaryKey(),
  name: pg.text().notNull(),
  countryId: pg.integer('country_id').references(() => pgCountries.id),
  officeId: pg.integer('office_id').references(() => pgOffices.id),
})
const pgTables = {
  countries: pgCountries,
  offices: pgOffices,
  cities: pgCities,
  cityCountries: pg.pgTable('city_countries', {
    cityId: pg
      .integer('city_id')
      .notNull()
      .references(() => pgCities.id),
    countryId: pg
      .integer('country_id')
      .notNull()
      .references(() => pgCountries.id),
  }),
} as unknown as typeof sqliteTables

const schemaIn = (sqlite: boolean) => {
  const key = sqlite ? 'integer primary key' : 'serial primary key'
  return `create table countries (id ${key}, code text${sqlite ? ' collate nocase' : ''} unique, name text not null, region text not null default 'here');
    create table offices (id ${key}, country_id integer references countries, number integer, unique (country_id, number));
    create table cities (id ${key}, name text not null, country_id integer references countries, office_id integer references offices);
    create table city_countries (city_id integer not null references cities, country_id integer not null references countries, primary key (city_id, country_id));
    insert into countries (code, name) values ('FR', 'France'), ('DE', 'Germany'), ('GE', 'Georgia'), ('US-GA', 'Georgia'), (null, 'FR'), ('TD', 'Chad');
    insert into countries (code, name, region) values ('XX', 'Elsewhere', 'there');
    insert into offices (country_id, number) values (1, 7), (2, 7);`
}

const statements: string[] = []
/** Whether anybody may list countries. */
let areListed = true

function panelOver(tables: typeof sqliteTables, database: string, isComputed = false): Panel {
  const { countries, offices, cities, cityCountries } = tables
  const Countries = defineResource({
    model: countries,
    column: isComputed ? ('long' as never) : 'name',
    computed: { long: { label: 'Long', needs: ['name'], value: ({ name }) => `${name}!` } },
    fields: { id: id(), code: text('Code').visible(['editor']), name: text('Name').required(), region: text('Region') },
    scope: () => ({ region: 'here' }),
    can: { viewAny: ({ user }) => areListed && user.roles.length > 0 },
    import: { match: 'code', roles: false },
  })
  const Offices = defineResource({
    model: offices,
    fields: { id: id(), countryId: belongsTo('Country', countries), number: number('Number') },
    import: { match: ['countryId', 'number'] },
  })
  const Cities = defineResource({
    model: cities,
    sortDirection: 'ASC',
    fields: {
      id: id(),
      name: text('Name').required(),
      countryId: belongsTo('Country', countries),
      officeId: belongsTo('Office', offices),
      nearIds: belongsToMany('Near', cityCountries.countryId),
    },
    pages: { index: ['name', 'countryId', 'countryId.code', 'nearIds'] },
    import: true,
  })
  return definePanel({
    auth: 'open',
    database,
    resources: [Countries, Offices, Cities],
    observe: (sql) => statements.push(sql),
    log: () => {},
  })
}

interface World {
  readonly test: TestPanel
  readonly computed: TestPanel
  end(): Promise<unknown>
}

async function world(kind: string): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-related-'))
  const database = kind === 'SQLite' ? null : await openDatabase()
  const url = database?.url ?? `sqlite:${join(folder, 'related.db')}`
  if (database) await database.query(schemaIn(false))
  else {
    const client = new Sqlite(join(folder, 'related.db'))
    client.exec(schemaIn(true))
    client.close()
  }
  const [panel, computed] = [false, true].map((isComputed) => panelOver(database ? pgTables : sqliteTables, url, isComputed)) as [
    Panel,
    Panel,
  ]
  const end = async () => {
    await Promise.all([panel.close(), computed.close()])
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { test: testPanel(panel), computed: testPanel(computed), end }
}

const path = '/admin/resource/cities/import'

describe.each(['SQLite', 'PostgreSQL'])('an import that names related records by another column, over %s', (kind) => {
  let at: World
  beforeAll(async () => {
    at = await world(kind)
  })
  afterAll(() => at?.end())
  beforeEach(async () => {
    areListed = true
    for (const { id } of await rows()) await at.test.delete(`/admin/resource/cities/crud/${id}`)
  })

  const rows = async () =>
    ((await at.test.get('/admin/resource/cities/crud?perPage=100')).json() as { data: Record<string, unknown>[] }).data
  const cities = async () => (await rows()).map(({ name, countryId, nearIds }) => [name, countryId, nearIds])
  const editor = () => at.test.as({ id: '1', name: 'E', roles: ['admin', 'editor'] })
  // biome-ignore lint/suspicious/noExplicitAny: whatever shape a test expects
  const answered = (answer: { status: number; json(): unknown }) => ({ status: answer.status, ...(answer.json() as any) })
  const send = async (given: string | Blob | readonly object[], fields: Readonly<Record<string, string>> = {}, who = editor()) => {
    if (Array.isArray(given)) return answered(await who.post(path, { records: given, ...fields }))
    const form = new FormData()
    form.set('file', given instanceof Blob ? given : new Blob([given as string]), 'cities.csv')
    for (const [name, value] of Object.entries({ mode: 'create', ...fields })) form.set(name, value)
    return answered(await who.post(path, form))
  }

  test('in the column of labels: by label, by code, and by key', async () => {
    expect(await send('Name,Country\nParis,FR \nLyon,France\nBerlin,DE\nN,6\nNone,\n')).toMatchObject({
      status: 422,
      errors: { 'lines[2].countryId': ['Country: no record is called “FR ”'] },
    })
    expect(await send('Name,Country\nLyon,France\nBerlin,DE\nNdjamena,6\nNone,\n')).toMatchObject({ status: 200 })
    expect(await cities()).toEqual([
      ['Lyon', 1, []],
      ['Berlin', 2, []],
      ['Ndjamena', 6, []],
      ['None', null, []],
    ])
  })

  test('what is the label of one and the code of another names neither, until its column says which', async () => {
    expect(await send('Name,Country\nParis,FR\nTbilisi,Georgia\n')).toMatchObject({
      status: 422,
      errors: {
        'lines[2].countryId': ['Country: several records are called “FR”'],
        'lines[3].countryId': ['Country: several records are called “Georgia”'],
      },
    })
    expect(await send('Name,Country (Code)\nParis,FR\nTbilisi,GE\nSavannah,US-GA\nNone,\n')).toMatchObject({ status: 200 })
    expect(await cities()).toEqual([
      ['Paris', 1, []],
      ['Tbilisi', 3, []],
      ['Savannah', 4, []],
      ['None', null, []],
    ])
  })

  test('a column of codes takes codes alone, of records within the scope', async () => {
    expect(await send('Name,Country (Code)\nA,France\nB,1\nC,XX\nD,ZZ\n')).toMatchObject({
      status: 422,
      errors: {
        'lines[2].countryId': ['Country: no record has “France” as Code'],
        'lines[3].countryId': ['Country: no record has “1” as Code'],
        'lines[4].countryId': ['Country: no record has “XX” as Code'],
        'lines[5].countryId': ['Country: no record has “ZZ” as Code'],
      },
    })
  })

  test('is not for whoever may not see the column, or not list the records', async () => {
    const admin = at.test.as({ id: '2', name: 'A', roles: ['admin'] })
    expect(await send('Name,Country (Code)\nA,FR\n', {}, admin)).toMatchObject({ status: 422, errors: { file: [expect.any(String)] } })
    expect(await send('Name,Country\nA,DE\n', {}, admin)).toMatchObject({
      errors: { 'lines[2].countryId': ['Country: no record is called “DE”'] },
    })
    expect(await send([{ name: 'A', countryId: { code: 'FR' } }], {}, admin)).toMatchObject({
      status: 422,
      errors: { 'records[0].countryId': [expect.any(String)] },
    })
    const fieldsFor = async (who: TestPanel) => ((await who.get(path)).json() as { data: { fields: object[] } }).data.fields
    expect(await fieldsFor(admin)).toContainEqual({ name: 'countryId', label: 'Country', required: false })
    expect(await fieldsFor(editor())).toContainEqual({ name: 'countryId', label: 'Country', required: false, by: ['code'] })
    expect(await fieldsFor(editor())).toContainEqual({ name: 'officeId', label: 'Office', required: false, by: ['countryId', 'number'] })
    areListed = false
    expect(await send([{ name: 'A', countryId: { code: 'FR' } }])).toMatchObject({ status: 422 })
    expect(await cities()).toEqual([])
  })

  test('several of them, as a list or by commas', async () => {
    expect(await send('Name;Near (Code)\nA;FR, DE\nB;"[""TD"",""FR""]"\nC;\n')).toMatchObject({ status: 200 })
    expect(await cities()).toEqual([
      ['A', null, [1, 2]],
      ['B', null, [1, 6]],
      ['C', null, []],
    ])
    expect(await send('Name;nearIds.code\nA;"FR,ZZ"\n')).toMatchObject({
      status: 422,
      errors: { 'lines[2].nearIds': ['Near: no record has “ZZ” as Code'] },
    })
    // Which texts are the same is the database's own idea: this column ignores case in SQLite.
    expect(await send('Name;Near (Code)\nD;fr\n')).toMatchObject(
      kind === 'SQLite' ? { status: 200 } : { status: 422, errors: { 'lines[2].nearIds': ['Near: no record has “fr” as Code'] } },
    )
  })

  test('a list of what is no code is no list of records', async () => {
    for (const text of ['[{"toString":1}]', '[null]', '[["FR"]]', `${'['.repeat(20_000)}${']'.repeat(20_000)}`])
      expect(await send(`Name;Near (Code)\nA;"${text.replaceAll('"', '""')}"\n`)).toMatchObject({
        status: 422,
        errors: { 'lines[2].nearIds': [expect.stringContaining('Near: no record has “[')] },
      })
  })

  test('in JSON as an object of the columns, of several as well', async () => {
    const records = [
      { name: 'Paris', countryId: { code: 'FR' }, nearIds: [{ code: 'DE' }, 6] },
      { name: 'Lyon', officeId: { countryId: 2, number: 7 } },
      { name: 'Nice', countryId: null },
    ]
    expect(await send(records)).toMatchObject({ status: 200, data: { created: 3 } })
    expect(await cities()).toEqual([
      ['Paris', 1, [2, 6]],
      ['Lyon', null, []],
      ['Nice', null, []],
    ])
    const wrong = [
      { name: 'A', countryId: { code: 'ZZ' } },
      { name: 'A', countryId: { name: 'France' } },
      { name: 'A', nearIds: [{ code: 'FR' }, { code: 'ZZ' }] },
      { name: 'A', officeId: { countryId: 1, number: 8 } },
      { name: 'A', countryId: [{ code: 'FR' }] },
      { name: 'A', countryId: { code: 'FR', name: 'Germany' } },
    ]
    expect(await send(wrong)).toMatchObject({
      status: 422,
      errors: {
        'records[0].countryId': ['Country: no record has “ZZ” as Code'],
        'records[1].countryId': ['Country must be a key, or say what the record is found by: {"code":"…"}'],
        'records[2].nearIds': ['Near: no record has “ZZ” as Code'],
        'records[3].officeId': ['Office: no record has “1, 8” as Country, Number'],
        'records[4].countryId': [expect.any(String)],
        'records[5].countryId': ['Country must be a key, or say what the record is found by: {"code":"…"}'],
      },
    })
  })

  test('also where their label is computed', async () => {
    const who = at.computed.as({ id: '1', name: 'E', roles: ['admin', 'editor'] })
    expect(await send('Name,Country\nParis,FR\nBerlin,2\n', {}, who)).toMatchObject({ status: 200 })
    expect(await send('Name,Country\nParis,France\n', {}, who)).toMatchObject({ status: 422 })
    expect(await cities()).toEqual([
      ['Paris', 1, []],
      ['Berlin', 2, []],
    ])
  })

  test('an export is imported as it is, and rows may be added to it by codes and labels', async () => {
    await send([{ name: 'Paris', countryId: 1, nearIds: [2] }])
    const csv = (await editor().get('/admin/resource/cities/export')).text
    expect(csv).toContain('Country (key)')
    expect(await send(csv, { mode: 'update' })).toMatchObject({ status: 200, data: { unchanged: 1 } })
    const added = 'Country (key),Name,Country,Country (Code)\n1,Paris,Germany,TD\n,Berlin,Germany,\n,Ndjamena,,TD\n,Lyon,Germany,FR\n'
    expect(await send(added)).toMatchObject({ status: 200 })
    expect((await cities()).slice(1)).toEqual([
      ['Paris', 1, []],
      ['Berlin', 2, []],
      ['Ndjamena', 6, []],
      ['Lyon', 1, []],
    ])
  })

  test('the empty file and the page name the columns', async () => {
    const template = (await editor().get(`${path}/template`)).text
    expect(template.trim().replace('\uFEFF', '')).toBe('ID,Name,Country,Office,Near (Code)')
    const page = (await editor().get(path, { headers: { accept: 'text/html' } })).text
    expect(page).toContain('Country (Code)')
    expect(page).toContain('<code>nearIds.code</code>')
  })

  test('a name like that of the column is suggested', async () => {
    const form = new FormData()
    form.set('file', new Blob(['Name,country_code\nParis,FR\n']), 'cities.csv')
    const page = (await editor().post(path, form, { headers: { accept: 'text/html' } })).text
    expect(page).toContain('<option value="Country (Code)" selected>')
  })

  test('are looked up in a few statements for 400 rows', async () => {
    const csv = `Name,Country\n${Array.from({ length: 400 }, (_, i) => `City ${i},${i % 2 ? 'DE' : 'TD'}`).join('\n')}\n`
    statements.length = 0
    expect(await send(csv, { check: '1' })).toMatchObject({ status: 200, data: { created: 400 } })
    const asked = statements.filter((sql) => sql.includes('countries'))
    expect(asked.length).toBeLessThanOrEqual(3)
  })
})
