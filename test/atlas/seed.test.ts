import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asc, desc, eq, getTableColumns, getTableName } from 'drizzle-orm'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { BaseSQLiteDatabase, getTableConfig, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cities, countries } from '../../examples/atlas/schema.js'
import { seed } from '../../examples/atlas/seed.js'
import { atlasFixture } from '../support/atlas.js'

const compiledSeed = fileURLToPath(new URL('../../build/examples/atlas/seed.js', import.meta.url))

describe('the seeded atlas', () => {
  let atlas: Awaited<ReturnType<typeof atlasFixture>>
  let raw: Database.Database
  let db: ReturnType<typeof drizzled>

  beforeAll(async () => {
    atlas = await atlasFixture()
    raw = new Database(atlas.path)
    db = drizzled(raw)
  })
  afterAll(() => {
    raw?.close()
    atlas?.remove()
  })

  test('holds every country and every city, whole', () => {
    expect(counts(raw)).toEqual({ countries: 250, cities: 135_233 })
    expect(raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(raw.pragma('foreign_key_check')).toEqual([])
  })

  test('numbers rows from 1, countries by code and cities by GeoNames id', () => {
    const codes = db.select({ id: countries.id, code: countries.code }).from(countries).orderBy(asc(countries.code)).all()
    expect(codes.map(({ id }) => id)).toEqual(codes.map((_, i) => i + 1))
    const ends = 'SELECT min(id) AS first, max(id) AS last FROM cities'
    expect(raw.prepare(ends).get()).toMatchObject({ first: 1, last: 135_233 })
    const disorder = 'SELECT count(*) AS n FROM cities a JOIN cities b ON b.id = a.id + 1 WHERE b.source_id <= a.source_id'
    expect(raw.prepare(disorder).get()).toMatchObject({ n: 0 })
  })

  test('holds what the sources say', () => {
    const [france] = db.select().from(countries).where(eq(countries.code, 'FR')).all()
    expect(france).toEqual({
      id: 75,
      code: 'FR',
      name: 'France',
      officialName: 'French Republic',
      region: 'Europe',
      subregion: 'Western Europe',
      capital: 'Paris',
      area: 551_695,
      landlocked: false,
      independent: true,
      unMember: true,
      flag: '🇫🇷',
      latitude: 46,
      longitude: 2,
      notes: null,
      updatedAt: expect.any(Date),
    })
    const [largest] = db.select().from(cities).orderBy(desc(cities.population)).limit(1).all()
    expect(largest).toMatchObject({ name: 'Shanghai', population: 22_315_474, isCapital: false, sourceId: 1_796_236, notes: null })
    const [paris] = db.select().from(cities).where(eq(cities.sourceId, 2_988_507)).all()
    expect(paris).toMatchObject({ name: 'Paris', countryId: 75, isCapital: true, latitude: 48.85341, longitude: 2.3488 })
    expect(db.select().from(cities).where(eq(cities.isCapital, true)).all()).toHaveLength(241)
  })

  test('has null where the source knows nothing', () => {
    const byCode = (code: string) => db.select().from(countries).where(eq(countries.code, code)).get()
    expect(byCode('XK')).toMatchObject({ independent: null })
    expect(byCode('SJ')).toMatchObject({ area: null })
    expect(byCode('AQ')).toMatchObject({ capital: null, subregion: null })
    expect(byCode('ZA')).toMatchObject({ capital: 'Pretoria, Bloemfontein, Cape Town' })
  })

  test.each([countries, cities])('has the tables of the schema (%#)', (table) => {
    const name = getTableName(table)
    const info = raw.prepare(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${name}')`).all()
    const wanted = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      notnull: Number(column.notNull),
      dflt_value: column.default === undefined ? null : String(Number(column.default)),
      pk: Number(column.primary),
    }))
    expect(info).toEqual(wanted)
    const keys = raw.prepare(`SELECT "from", "table", "to" FROM pragma_foreign_key_list('${name}')`).all()
    expect(keys).toEqual(name === 'cities' ? [{ from: 'country_id', table: 'countries', to: 'id' }] : [])
    const indexes = raw.prepare(`SELECT name, "unique" FROM pragma_index_list('${name}') ORDER BY name`).all()
    const { indexes: declared } = getTableConfig(table)
    const names = declared.map(({ config }) => ({ name: config.name, unique: 0 }))
    expect(indexes).toEqual(
      name === 'countries' ? [{ name: 'countries_code_unique', unique: 1 }] : names.sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
  })

  test.each([
    'SELECT * FROM cities ORDER BY population DESC, id DESC LIMIT 25',
    'SELECT * FROM cities ORDER BY name, id LIMIT 25',
    'SELECT * FROM cities WHERE country_id = 75 ORDER BY population DESC, id DESC LIMIT 25',
    'SELECT * FROM cities WHERE is_capital = 1 ORDER BY population DESC, id DESC LIMIT 25',
  ])('reads %s by an index, without sorting', (query) => {
    const plan = raw.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[]
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('USING INDEX')])
  })

  test('has its times set by the schema', async () => {
    const before = Date.now()
    const created = db.insert(countries).values({ code: 'QQ', name: 'Nowhere' }).returning().get()
    expect(created.updatedAt.getTime()).toBeGreaterThanOrEqual(before)
    const added = db.insert(cities).values({ name: 'Nowhere', countryId: created.id }).returning().get()
    expect(added.createdAt.getTime()).toBeGreaterThanOrEqual(before)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const updated = db.update(cities).set({ notes: 'Not here' }).where(eq(cities.id, added.id)).returning().get()
    expect(updated.createdAt).toEqual(added.createdAt)
    expect(updated.updatedAt.getTime()).toBeGreaterThan(added.updatedAt.getTime())
  })

  test('is left alone by a second run', async () => {
    raw.exec('DELETE FROM cities WHERE id = 1')
    const before = counts(raw)
    await seed(`sqlite:${atlas.path}`)
    expect(counts(raw)).toEqual(before)
  })
})

test('a database that was seeded before there were photos gets their column', async () => {
  const { path, remove } = await atlasFixture()
  const before = new Database(path)
  before.exec('ALTER TABLE cities DROP COLUMN photo')
  before.close()
  await seed(`sqlite:${path}`)
  const after = new Database(path)
  expect(after.prepare('SELECT count(*) AS n, count(photo) AS photos FROM cities').get()).toMatchObject({ n: 135_233, photos: 0 })
  after.close()
  remove()
})

test('a seed that is killed goes on where it stopped', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-seed-'))
  const path = join(folder, 'below/atlas.db')
  try {
    const child = spawn(process.execPath, [compiledSeed, `sqlite:${path}`])
    const ended = once(child, 'exit')
    for await (const text of child.stdout) if (/Seeding cities: [4-9]\d,/.test(String(text))) break
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])

    const partial = read(path, counts)
    expect(partial.cities).toBeGreaterThan(0)
    expect(partial.cities).toBeLessThan(135_233)

    await seed(`sqlite:${path}`)
    expect(read(path, counts)).toEqual({ countries: 250, cities: 135_233 })
    expect(read(path, (db) => db.pragma('integrity_check'))).toEqual([{ integrity_check: 'ok' }])
    expect(read(path, (db) => db.prepare('SELECT count(DISTINCT source_id) AS n FROM cities').get())).toMatchObject({ n: 135_233 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each(['', 'data/atlas.db', 'sqlite:', 'sqlite::memory:', 'mysql://localhost/atlas'])(
  'the database %j is refused',
  async (database) => {
    await expect(seed(database)).rejects.toThrow('needs a database of the form sqlite:PATH')
  },
)

test('a file that is no database is left as it is, and the command says so without a stack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-seed-'))
  const path = join(folder, 'notes.txt')
  const text = 'A long enough text that is certainly no database. '.repeat(100)
  try {
    writeFileSync(path, text)
    const { status, stderr } = spawnSync(process.execPath, [compiledSeed, `sqlite:${path}`], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'file is not a database\n' })
    expect(readFileSync(path, 'utf8')).toBe(text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

// drizzle's own entry for this driver imports better-sqlite3; libsql has the same methods.
function drizzled(raw: Database.Database) {
  const dialect = new SQLiteSyncDialect()
  return new BaseSQLiteDatabase('sync', dialect, new BetterSQLiteSession(raw as never, dialect, undefined), undefined)
}

function counts(db: Database.Database): { countries: number; cities: number } {
  return db.prepare('SELECT (SELECT count(*) FROM countries) AS countries, (SELECT count(*) FROM cities) AS cities').all()[0] as {
    countries: number
    cities: number
  }
}

function read<T>(path: string, ask: (db: Database.Database) => T): T {
  const db = new Database(path)
  try {
    return ask(db)
  } finally {
    db.close()
  }
}
