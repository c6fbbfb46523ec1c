import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Panel } from 'daymark'
import type { QueryResult } from 'pg'
import { Sqlite } from './sqlite.js'

/** A database of a test's own, of either kind: in a file, or on the shared server by `openDatabase`. */
export interface OwnDatabase {
  readonly url: string
  /** Runs statements, apart from whatever is tested. */
  query(sql: string): Promise<Pick<QueryResult, 'rows'>>
  drop(): Promise<void>
}

/** An empty database in a file. */
export async function openFile(): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-file-'))
  const path = join(folder, 'own.db')
  const client = new Sqlite(path)
  return {
    url: `sqlite:${path}`,
    async query(sql) {
      if (/^select/i.test(sql)) return { rows: client.prepare(sql).all() }
      client.exec(sql)
      return { rows: [] }
    },
    async drop() {
      client.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs statements in a database, and makes a panel over it. */
export async function panelIn({ url, query, drop }: OwnDatabase, statements: readonly string[], make: (url: string) => Panel) {
  for (const statement of statements) await query(statement)
  const panel = make(url)
  return { panel, query, end: () => panel.close().then(drop) }
}
