import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type Server, startServer } from './postgresql.js'

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresql: string
  }
}

/** Vitest's global setup: one PostgreSQL server for a whole run, started when a test first asks for it; or the one that `TEST_DATABASE_URL` names. */
export default async function shared(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<Server> | undefined
  const broker = createServer(async (_, response) => {
    server ??= process.env.TEST_DATABASE_URL === undefined ? startServer() : Promise.resolve(named(process.env.TEST_DATABASE_URL))
    await server.then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
  project.provide('postgresql', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`)
  return async () => {
    broker.close()
    await (await server)?.remove()
  }
}

function named(url: string): Server {
  const nothing = async () => {}
  return { url, stop: nothing, start: nothing, remove: nothing }
}

/** A database on the shared server, for one test or one file of them. */
export interface TestDatabase {
  readonly url: string
  /** Runs statements, apart from whatever is tested. */
  query(sql: string, values?: unknown[]): Promise<pg.QueryResult>
  drop(): Promise<void>
}

/** An empty database whose texts are sorted by code point, as SQLite sorts them. */
export async function openDatabase(): Promise<TestDatabase> {
  const { inject } = await import('vitest')
  const answer = await fetch(inject('postgresql'))
  if (!answer.ok) throw new Error(await answer.text())
  const server = await answer.text()
  const name = `daymark_${randomBytes(8).toString('hex')}`
  await inServer(server, `create database ${name} template template0 encoding 'UTF8' locale 'C'`)
  const url = new URL(server)
  url.pathname = name
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  let dropped: Promise<void> | undefined
  const drop = async () => {
    await client.end()
    await inServer(server, left(name), `drop database ${name} with (force)`)
  }
  return {
    url: url.href,
    query: (sql, values) => client.query(sql, values),
    drop: () => (dropped ??= drop()),
  }
}

// A connection that has been ended is there for a moment more. One that is ended by force meanwhile says so to nobody, which fails the run.
const left = (name: string) => `do $$ begin
  for i in 1..500 loop
    perform pg_stat_clear_snapshot();
    exit when not exists (select from pg_stat_activity where datname = '${name}');
    perform pg_sleep(0.01);
  end loop;
end $$`

async function inServer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}
