import { getTableColumns } from 'drizzle-orm'
import pg from 'pg'
import { createTable } from './create-table.js'
import { cities, countries, countryLanguages, languages, stops } from './postgresql-schema.js'
import { progress } from './progress.js'
import { addedLater, chunk, type Row, steps, stored } from './rows.js'

const tables = { countries, languages, country_languages: countryLanguages, cities, stops }

export async function seedPostgresql(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('CREATE TABLE IF NOT EXISTS atlas_seeded (name TEXT PRIMARY KEY, at TIMESTAMPTZ NOT NULL)').catch((error) => {
      // Another process has just created the table or its row type. Which of the three errors comes depends on the timing.
      if (!['23505', '42710', '42P07'].includes(error.code)) throw error
    })
    for (const { name, rows } of steps) {
      await client.query('BEGIN')
      // If several processes start together, one seeds and the others wait.
      await client.query('LOCK TABLE atlas_seeded IN EXCLUSIVE MODE')
      const { rowCount } = await client.query('SELECT 1 FROM atlas_seeded WHERE name = $1', [name])
      if (rowCount === 0) {
        for (const statement of createTable(tables[name])) await client.query(statement)
        await fill(client, name, await rows())
        await client.query('INSERT INTO atlas_seeded VALUES ($1, now())', [name])
      }
      await client.query('COMMIT')
    }
    // Asked first: adding one takes a lock that waits for everybody who reads.
    const there = 'SELECT FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 AND column_name = $2'
    for (const { table, column, postgresql } of addedLater)
      if ((await client.query(there, [table, column])).rowCount === 0)
        await client.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column} ${postgresql}`)
  } finally {
    await client.end()
  }
}

async function fill(client: pg.Client, name: keyof typeof tables, rows: Row[]): Promise<void> {
  const columns = Object.entries(getTableColumns(tables[name]))
  const objectOf = (row: Row) => {
    const values = stored(columns, row)
    // All rows are sent as JSON, in which lists stand as they are.
    return Object.fromEntries(columns.map(([key, { name, dataType }], i) => [name, dataType === 'json' ? (row[key] ?? null) : values[i]]))
  }
  const report = progress(`Seeding ${name}`, rows.length)
  for (let done = 0; done < rows.length; done += chunk) {
    const some = rows.slice(done, done + chunk)
    await client.query(`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`, [JSON.stringify(some.map(objectOf))])
    report(done + some.length)
  }
  await client.query(`SELECT setval(pg_get_serial_sequence('${name}', 'id'), max(id)) FROM ${name}`)
  await client.query(`ANALYZE ${name}`)
}
