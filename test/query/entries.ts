import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number, text } from 'daymark'
import { index, integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import { request } from './things.js'

const entries = sqliteTable(
  'entries',
  { id: integer().primaryKey(), name: varchar().notNull(), views: integer().notNull(), grade: integer() },
  (entry) => [index('entries_views').on(entry.views), index('entries_grade').on(entry.grade)],
)

/** The ways of paging, as the settings of a resource. */
const ways = { counted: {}, capped: { count: 'capped' }, walked: { simplePaginate: true }, streamed: { usePagination: false } } as const
type Way = keyof typeof ways

export interface Statement {
  readonly sql: string
  /** How much of the file it read, in pages. One that was read before is not read again. */
  readonly pages: number
}

export interface Asked {
  readonly body: {
    readonly data: readonly { readonly id: number }[]
    readonly meta: Record<string, unknown>
    readonly links: Record<string, string | null>
  }
  readonly statements: readonly Statement[]
}

export interface Entries {
  /** Asks a panel that has read nothing yet, and watches what it reads. */
  ask(way: Way, query: string): Promise<Asked>
  /** Asks one panel several times. */
  walk(way: Way, queries: readonly string[]): Promise<readonly Asked[]>
  /** Reads some chunks of a list without pages, then goes away; what ran before the first chunk was taken, and in all. */
  leave(query: string, chunks: number): Promise<{ readonly first: readonly Statement[]; readonly all: readonly Statement[] }>
  /** What SQLite says that it will do. */
  plan(sql: string): string
  remove(): void
}

/** A file of so many entries. */
export function makeEntries(rows: number): Entries {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-entries-'))
  const path = join(folder, 'entries.db')
  fill(path, rows)
  const walk: Entries['walk'] = async (way, queries) => {
    const { ask, statements, close } = watch(path, way)
    const all: Asked[] = []
    for (const query of queries) {
      const response = await ask(query)
      const body = await response.text()
      if (response.status !== 200) throw new Error(`${way} ?${query}: ${response.status} ${body}`)
      all.push({ body: JSON.parse(body), statements: statements() })
    }
    await close()
    return all
  }
  return {
    walk,
    async ask(way, query) {
      const [asked] = await walk(way, [query])
      return asked as Asked
    },
    async leave(query, chunks) {
      const { ask, statements, close } = watch(path, 'streamed')
      const response = await ask(query)
      const first = statements()
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      for (let read = 0; read < chunks; read++) await reader.read()
      await reader.cancel()
      const all = statements()
      await close()
      return { first, all }
    },
    plan(sql) {
      const client = new Libsql(path)
      const lines = client.prepare(`explain query plan ${sql}`).all() as { detail: string }[]
      client.close()
      return lines.map(({ detail }) => detail).join('\n')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function fill(path: string, rows: number): void {
  const client = new Libsql(path)
  // Thrown away where it is cut short, so nothing needs to be safe.
  client.exec('pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma cache_size = -100000')
  client.exec('create table entries (id integer primary key, name text not null, views integer not null, grade integer)')
  client.exec(`insert into entries with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
    select i, 'entry ' || i, (i * 7919) % ${rows}, case when i % 10 then i % 100 end from n`)
  client.exec('create index entries_views on entries (views)')
  client.exec('create index entries_grade on entries (grade)')
  client.close()
}

const pageSize = 4096

/** What is read of a mapped file nobody counts, so nothing is mapped here. */
class Copying extends Libsql {
  override exec(sql: string) {
    return super.exec(sql.replace(/pragma mmap_size[^;]*/, ''))
  }
}

/** A new panel, with a note of what was read when each statement began. */
function watch(path: string, way: Way) {
  let begun: { readonly sql: string; readonly at: number }[] = []
  const observe = (sql: string) => void begun.push({ sql, at: bytesRead() })
  const client = new Copying(path)
  const panel = definePanel({ auth: 'open', database: { $client: client }, observe, resources: [resource(way)] })
  return {
    ask(query: string) {
      begun = []
      return panel.fetch(request('GET', `${panel.route('crud.index', { resource: 'entries' })}?${query}`))
    },
    async close() {
      await panel.close()
      client.close()
    },
    /** Those of the last request. */
    statements(): Statement[] {
      const now = bytesRead()
      return begun.map(({ sql, at }, i) => ({ sql, pages: Math.floor(((begun[i + 1]?.at ?? now) - at) / pageSize) }))
    },
  }
}

function resource(way: Way) {
  const fields = {
    id: id().sortable(),
    name: text('Name').sortable().searchable(),
    views: number('Views').sortable(),
    grade: number('Grade').sortable(),
  }
  return defineResource({ model: entries, fields, filters: ['name', 'views', 'grade'], ...ways[way] })
}

/** What this process has read so far, as the kernel counts it. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}
