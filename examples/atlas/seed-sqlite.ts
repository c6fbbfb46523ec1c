import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { getTableColumns } from 'drizzle-orm'
import Database from 'libsql'
import { createTable } from './create-table.js'
import { progress } from './progress.js'
import { addedLater, chunk, type Row, steps, stored } from './rows.js'
import { cities, countries, countryLanguages, languages, stops } from './sqlite-schema.js'

const tables = { countries, languages, country_languages: countryLanguages, cities, stops }

export async function seedSqlite(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const db = new Database(path)
  try {
    for (const pragma of ['busy_timeout = 10000', 'journal_mode = WAL', 'synchronous = NORMAL', 'foreign_keys = ON']) db.pragma(pragma)
    db.exec('CREATE TABLE IF NOT EXISTS atlas_seeded (name TEXT PRIMARY KEY, at INTEGER NOT NULL)')
    for (const { name, rows } of steps) {
      if (db.prepare('SELECT 1 FROM atlas_seeded WHERE name = ?').get(name)) continue
      for (const statement of createTable(tables[name])) db.exec(statement)
      fill(db, name, await rows())
      db.prepare('INSERT OR REPLACE INTO atlas_seeded VALUES (?, ?)').run(name, Date.now())
      // libsql's close() leaves the WAL until the process ends. Emptied, the file alone is the whole database.
      db.pragma('wal_checkpoint(TRUNCATE)')
    }
    for (const { table, column, sqlite } of addedLater) {
      const there = db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column)
      if (!there) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${sqlite}`)
    }
  } finally {
    db.close()
  }
}

function fill(db: Database.Database, name: keyof typeof tables, rows: Row[]): void {
  const columns = Object.entries(getTableColumns(tables[name]))
  const names = columns.map(([, column]) => `"${column.name}"`).join(', ')
  const holes = columns.map(() => '?').join(', ')
  // Rows committed by an earlier, interrupted run stay.
  const insert = db.prepare(`INSERT INTO "${name}" (${names}) VALUES (${holes}) ON CONFLICT (id) DO NOTHING`)
  const report = progress(`Seeding ${name}`, rows.length)
  const insertAll = db.transaction((some: Row[]) => {
    for (const row of some) insert.run(stored(columns, row))
  })
  for (let done = 0; done < rows.length; done += chunk) {
    const some = rows.slice(done, done + chunk)
    insertAll(some)
    report(done + some.length)
  }
}
