import {
  belongsTo,
  date,
  dateTime,
  definePanel,
  defineResource,
  id,
  memoryStore,
  number,
  type Panel,
  type PanelSpec,
  select,
  switcher,
  text,
  textarea,
} from 'daymark'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres'
import {
  bigint,
  boolean,
  doublePrecision,
  date as pgDate,
  numeric as pgNumeric,
  pgTable,
  text as pgText,
  timestamp,
} from 'drizzle-orm/pg-core'
import { BaseSQLiteDatabase, integer, numeric, real, SQLiteSyncDialect, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import pg from 'pg'
import { afterAll } from 'vitest'
import { openDatabase } from '../support/postgresql-shared.js'

export const kinds = ['red', 'green', 'blue'] as const

/** A table with a column of every kind that can be filtered, most of them nullable. */
const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: varchar(),
  notes: varchar(),
  kind: varchar({ enum: kinds }),
  rank: integer(),
  score: real().notNull(),
  mint: numeric({ mode: 'bigint' }),
  done: integer({ mode: 'boolean' }).notNull(),
  parent: integer(),
  day: varchar(),
  at: integer({ mode: 'timestamp_ms' }),
})

const schema =
  'create table things (id integer primary key, name text, notes text, kind text, rank integer, score real not null, mint numeric, done integer not null, parent integer, day text, at integer)'

/** The same in PostgreSQL, with the kinds that it has for these. */
const postgresqlThings = pgTable('things', {
  id: bigint({ mode: 'number' }).primaryKey(),
  name: pgText(),
  notes: pgText(),
  kind: pgText({ enum: kinds }),
  rank: bigint({ mode: 'number' }),
  score: doublePrecision().notNull(),
  mint: pgNumeric({ mode: 'bigint' }),
  done: boolean().notNull(),
  parent: bigint({ mode: 'number' }),
  day: pgDate(),
  at: timestamp({ withTimezone: true, precision: 3 }),
}) as unknown as typeof things

const postgresqlSchema =
  'create table things (id bigint primary key, name text, notes text, kind text, rank bigint, score double precision not null, mint numeric, done boolean not null, parent bigint, day date, at timestamptz(3))'

export type Thing = typeof things.$inferSelect

/** A panel over some things, and the means to change them behind its back. */
export interface World {
  readonly panel: Panel
  /** The SQL of every statement so far. */
  readonly statements: string[]
  /** What went wrong on our side. */
  readonly faults: string[]
  add(thing: Thing): Promise<void>
  remove(key: number): Promise<void>
  /** Answers of the listing in JSON. `uri` is `things`, which counts, `walks`, which does not, or `scoped`, which has only those that are not done. */
  get(uri: 'things' | 'walks' | 'scoped', query: string): Promise<{ readonly status: number; readonly body: string }>
  close(): Promise<void>
}

export const stores = { 'the memory store': inMemory, SQLite: inSqlite, PostgreSQL: inPostgresql } as const
export type StoreName = keyof typeof stores

export async function openWorld(name: StoreName, rows: readonly Thing[]): Promise<World> {
  const [statements, faults]: [string[], string[]] = [[], []]
  const { panel, add, remove, end } = await stores[name]({
    observe: (sql) => void statements.push(sql),
    log: ({ message, stack }) => void faults.push(`${message}\n${stack}`),
  })
  for (const row of rows) await add(row)
  return {
    panel,
    statements,
    faults,
    add,
    remove,
    async get(uri, query) {
      const response = await panel.fetch(request('GET', panel.route('crud.index', { resource: uri }) + (query && `?${query}`)))
      return { status: response.status, body: await response.text() }
    },
    async close() {
      await panel.close()
      end()
    },
  }
}

export function request(method: string, path: string, init: RequestInit = {}): Request {
  return new Request(`http://localhost${path}`, { method, ...init, headers: { accept: 'application/json', ...init.headers } })
}

interface Kept {
  readonly panel: Panel
  add(thing: Thing): Promise<void>
  remove(key: number): Promise<void>
  end(): void
}

type Watch = Required<Pick<PanelSpec, 'observe' | 'log'>>

function inMemory({ log }: Watch): Kept {
  const model = memoryStore(things)
  const panel = definePanel({ auth: 'open', log, resources: resourcesOver(model as never, things) })
  const [resource] = [...panel.resources.values()]
  const bound = resource?.model as NonNullable<typeof resource>['model']
  return {
    panel,
    add: (thing) => model.transaction(async (tx) => void (await tx.create(bound, thing))),
    remove: (key) => model.transaction(async (tx) => void (await tx.delete(bound, key))),
    end: () => {},
  }
}

function inSqlite(watch: Watch): Kept {
  const client = new Libsql(':memory:')
  client.exec(schema)
  const panel = definePanel({ auth: 'open', ...watch, database: drizzle(client), resources: resourcesOver(things) })
  const insert = client.prepare('insert into things values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const remove = client.prepare('delete from things where id = ?')
  return {
    panel,
    add: async ({ id, name, notes, kind, rank, score, mint, done, parent, day, at }) =>
      void insert.run([id, name, notes, kind, rank, score, mint, Number(done), parent, day, at?.getTime() ?? null]),
    remove: async (key) => void remove.run([key]),
    end: () => client.close(),
  }
}

let known: Promise<{ pool: pg.Pool; drop(): Promise<void> }> | undefined

/** One database for all worlds of a test file, one at a time: made anew it would take most of the time. */
async function inPostgresql(watch: Watch): Promise<Kept> {
  known ??= openDatabase().then(async ({ url, query, drop }) => {
    await query(postgresqlSchema)
    return { pool: new pg.Pool({ connectionString: url }), drop }
  })
  const { pool } = await known
  await pool.query('delete from things')
  const panel = definePanel({ auth: 'open', ...watch, database: drizzlePostgresql(pool), resources: resourcesOver(postgresqlThings) })
  return {
    panel,
    add: async ({ id, name, notes, kind, rank, score, mint, done, parent, day, at }) =>
      void (await pool.query('insert into things values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', [
        ...[id, name, notes, kind, rank, score, mint, done, parent, day],
        at?.toISOString() ?? null,
      ])),
    remove: async (key) => void (await pool.query('delete from things where id = $1', [key])),
    end: () => {},
  }
}

afterAll(async () => {
  const opened = await known
  await opened?.pool.end()
  await opened?.drop()
})

/** @param table what a relation names, where the model is a store over it */
function resourcesOver(model: typeof things, table = model) {
  const fields = {
    id: id(),
    name: text('Name').sortable().searchable(),
    notes: textarea('Notes').sortable().searchable(),
    kind: select('Kind').sortable(),
    rank: number('Rank').sortable(),
    score: number('Score').sortable(),
    mint: number('Mint').sortable(),
    done: switcher('Done').sortable(),
    parent: belongsTo('Parent', table).as('above').resource('things').sortable(),
    day: date('Day').sortable(),
    at: dateTime('At').sortable(),
  }
  const keys = Object.keys(fields) as (keyof typeof fields)[]
  const shared = { model, fields, pages: { index: keys }, filters: keys } as const
  const queryTags = { open: { label: 'Open', where: { done: false } } }
  return [
    defineResource({ ...shared, uriKey: 'things', queryTags }),
    defineResource({ ...shared, uriKey: 'walks', simplePaginate: true, queryTags }),
    defineResource({
      ...shared,
      uriKey: 'scoped',
      scope: () => ({ done: false }),
      queryTags: { ranked: { label: 'Ranked', where: { rank: { gte: 0 } } } },
    }),
  ]
}

// What drizzle-orm/better-sqlite3 makes, without importing better-sqlite3.
function drizzle(client: Libsql.Database): object {
  const dialect = new SQLiteSyncDialect()
  const session = new BetterSQLiteSession(client as never, dialect, undefined)
  return Object.assign(new BaseSQLiteDatabase('sync', dialect as never, session as never, undefined), { $client: client })
}
