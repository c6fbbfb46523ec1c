import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'daymark-serve-'))
const children = new Set<ChildProcess>()

beforeAll(() => {
  new Sqlite(join(folder, 'things.db')).exec('create table things (id integer primary key)')
  writeFileSync(
    join(folder, 'panel.mjs'),
    `import { definePanel, defineResource } from '${join(root, 'dist/index.js')}'
import { integer, sqliteTable } from '${join(root, 'node_modules/drizzle-orm/sqlite-core/index.js')}'
const things = sqliteTable('things', { id: integer().primaryKey() })
const wait = { run: () => (console.log('It waits'), new Promise(() => {})) }
export default definePanel({ auth: 'open', database: 'sqlite:things.db', resources: [defineResource({ model: things, handlers: { wait } })] })
`,
  )
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Served {
  readonly child: ChildProcess
  said(): string
  /** Resolves once it has said something that matches. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<number | null>
}

function serve(args: readonly string[], env: Record<string, string> = {}): Served {
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), 'serve', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  children.add(child)
  let text = ''
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (some: string) => {
      text += some
      for (const look of looks) look()
    })
  return {
    child,
    said: () => text,
    until: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const found = pattern.exec(text)
          if (!found) return
          looks.delete(look)
          resolve(found)
        }
        looks.add(look)
        look()
      }),
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

const address = /http:\/\/127\.0\.0\.1:(\d+)\/admin/

describe('daymark serve', { timeout: 60_000 }, () => {
  test('says where passkeys work, since it is not where it listens', async () => {
    writeFileSync(
      join(folder, 'passkeys.mjs'),
      `import { authenticate, definePanel, passkeys, password } from '${join(root, 'dist/index.js')}'
const auth = { middleware: authenticate(), pipelines: [password(), passkeys()] }
export default definePanel({ url: 'http://localhost:3000', auth, database: 'sqlite::memory:', resources: [] })
`,
    )
    const { until } = serve(['passkeys.mjs', '--port', '0'])
    await until(
      /: http:\/\/127\.0\.0\.1:\d+\/admin\nFor passkeys, open http:\/\/localhost:3000\/admin: they work at the panel's url alone\n/,
    )
  })

  test('says how to make the first user', async () => {
    const { until } = serve(['passkeys.mjs', '--port', '0'])
    await until(/^Nobody can sign in yet: npx daymark user:create --username you@example.com$/m)
    writeFileSync(
      join(folder, 'users.mjs'),
      `import { definePanel } from '${join(root, 'dist/index.js')}'
const panel = definePanel({ database: 'sqlite::memory:', resources: [] })
await panel.ensureUser({ username: 'ada', password: 'correct horse battery', roles: ['admin'] })
export default panel
`,
    )
    const other = serve(['users.mjs', '--port', '0'])
    await other.until(address)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(other.said()).not.toContain('Nobody')
  })

  test('takes variables that are empty for unset, and never listens on more than it says', async () => {
    const { until, child, ended } = serve(['--port', '0'], { HOST: '', PORT: '' })
    await until(address)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('says in one line that the port is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { ended, said } = serve(['--port', String(port)])
    expect(await ended).toBe(1)
    expect(said().trim()).toBe(`Port ${port} of 127.0.0.1 is taken: stop what listens there, or take another one with --port or PORT`)
    other.close()
  })

  test('says in one line that an open panel stays on its machine', async () => {
    const { ended, said } = serve(['--port', '0', '--host', '0.0.0.0'])
    expect(await ended).toBe(1)
    expect(said()).toMatch(/^Anybody may do anything in this panel/)
    expect(said()).not.toMatch(/^\s+at /m)
  })

  test('ends though something in it never does', async () => {
    const { until, said, child, ended } = serve(['--port', '0'])
    const [, port] = await until(address)
    const asked = fetch(`http://127.0.0.1:${port}/admin/resource/things/handler?handlerUri=wait`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: '{}',
    }).then(
      ({ status }) => status,
      () => 'cut off',
    )
    await until(/It waits/)
    child.kill('SIGTERM')
    expect(await asked).toBe('cut off')
    expect(await ended).toBe(1)
    expect(said()).toContain('Stopped without waiting for requests that are still running')
  })

  test('watching, starts anew once for all that changes while the old one ends', async () => {
    const { until, said, child, ended } = serve(['--watch', '--port', '0'])
    const [, port] = await until(address)
    const held = connect(Number(port), '127.0.0.1')
    held.on('error', () => {})
    held.write(
      'POST /admin/resource/things/crud HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    for (let i = 1; i <= 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 700))
      utimesSync(join(folder, 'panel.mjs'), new Date(), new Date())
    }
    held.destroy()
    await until(new RegExp(`${address.source}[^]*${address.source}`))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(said().match(new RegExp(address, 'g'))).toHaveLength(2)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

test('what is watched ends with what watches it, even if that is killed', async () => {
  const { until, child } = serve(['--watch', '--port', '0'])
  const [, port] = await until(address)
  child.kill('SIGKILL')
  const isServed = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      () => true,
      () => false,
    )
  await expect.poll(isServed, { timeout: 20_000 }).toBe(false)
})

test('watching, takes no notice of packages, tests and what tools write', async () => {
  const { until, said } = serve(['--watch', '--port', '0'])
  await until(address)
  for (const name of ['node_modules', 'dist', 'coverage', '.vscode', 'src']) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, name === 'src' ? 'things.test.ts' : 'settings.json'), '{}')
  }
  await new Promise((resolve) => setTimeout(resolve, 700))
  writeFileSync(join(folder, '.env.local'), 'A=1')
  await until(new RegExp(`${address.source}[^]*${address.source}`))
  expect(said().match(/\S+ has changed/g)).toEqual(['.env.local has changed'])
})

test('says what to do about tables that are missing', async () => {
  writeFileSync(
    join(folder, 'tableless.mjs'),
    `import { definePanel, defineResource } from '${join(root, 'dist/index.js')}'
import { integer, sqliteTable } from '${join(root, 'node_modules/drizzle-orm/sqlite-core/index.js')}'
const lost = sqliteTable('lost', { id: integer().primaryKey() })
export default definePanel({ auth: 'open', database: 'sqlite:things.db', resources: [defineResource({ model: lost })] })
`,
  )
  const served = serve(['--panel', 'tableless.mjs', '--port', '0'])
  await served.until(
    /no such table: lost\nThe database lacks what the schema declares: your migrations create it, or Drizzle Kit \(.*getting-started\.md\)/,
  )
})

test('says which index of words is missing: a search would fail without it', async () => {
  new Sqlite(join(folder, 'books.db')).exec('create table books (id integer primary key, title text not null)')
  writeFileSync(
    join(folder, 'books.mjs'),
    `import { definePanel, defineResource } from '${join(root, 'dist/index.js')}'
import { integer, sqliteTable, text } from '${join(root, 'node_modules/drizzle-orm/sqlite-core/index.js')}'
const books = sqliteTable('books', { id: integer().primaryKey(), title: text().notNull() })
export default definePanel({ auth: 'open', database: 'sqlite:books.db', resources: [defineResource({ model: books, fullText: true })] })
`,
  )
  const served = serve(['books.mjs', '--port', '0'])
  await served.until(/books\.fullText: there is no index of its words; create virtual table/)
})
