import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = readJson(join(root, 'package.json'))
const entries = Object.keys(manifest.exports).filter((entry) => !['./package.json', './preload'].includes(entry))
const folder = mkdtempSync(join(tmpdir(), 'daymark-package-'))
const consumer = join(folder, 'consumer')
let packed: string[]

beforeAll(async () => {
  const [tarball] = JSON.parse(await npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder))
  packed = tarball.files.map((file: { path: string }) => file.path)
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const peer = `drizzle-orm@${manifest.devDependencies['drizzle-orm']}`
  await npm(consumer, 'install', '--omit=dev', '--ignore-scripts', '--prefer-offline', join(folder, tarball.filename), peer)
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package holds what was built, its manifest, documents, examples and licence, and no tests or pictures', () => {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  expect(packed.filter((path) => path.startsWith('docs/')).sort()).toEqual(documents.map((name) => `docs/${name}`).sort())
  const others = packed.filter((path) => !/^(?:dist|docs|examples\/(?:atlas|mounts))\//.test(path))
  expect(others.sort()).toEqual(['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'])
  expect(packed.filter((path) => path.includes('.test.'))).toEqual([])
})

test('what the documents of the package link to is in the package, but for pictures', () => {
  const documents = packed.filter((path) => path.endsWith('.md'))
  expect(documents.length).toBeGreaterThan(100)
  const dead = documents.flatMap((document) => {
    const text = readFileSync(join(consumer, 'node_modules/daymark', document), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    const links = text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)
    const targets = [...links].map(([, link = '']) => link.replace(/#.*/, '')).filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    return targets.filter((to) => !packed.includes(normalize(join(dirname(document), to)))).map((to) => `${document}: ${to}`)
  })
  expect(dead).toEqual([])
})

test.each(entries)('an installed package can import %s', async (entry) => {
  const specifier = entry.replace('.', 'daymark')
  const script = `import * as entry from '${specifier}'; console.log(JSON.stringify(Object.keys(entry)))`
  expect(JSON.parse(await node('--input-type=module', '-e', script))).not.toEqual([])
})

test('an installed package can be loaded before a program', async () => {
  expect(
    await node('--import', 'daymark/preload', '--input-type=module', '-e', "console.log(typeof (await import('drizzle-orm')).sql)"),
  ).toBe('function\n')
  // A bundler keeps what `sideEffects` names, and of a chunk nothing.
  expect(readFileSync(join(consumer, 'node_modules/daymark/dist/preload.js'), 'utf8')).not.toContain('chunks/')
})

test('what a user exports without a type compiles with declarations, and they name no file of the package', {
  timeout: 120_000,
}, async () => {
  const source = readFileSync(join(root, 'test/types/exported.ts'), 'utf8')
  const path = join(consumer, 'exported.ts')
  writeFileSync(path, source)
  for (const entry of entries) {
    const script = `console.log(JSON.stringify(Object.keys(await import('${entry.replace('.', 'daymark')}'))))`
    const names: string[] = JSON.parse(await node('--input-type=module', '-e', script))
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([])
  }
  const declarations: string[] = []
  const program = ts.createProgram([path], {
    // As `tsc --init` writes them, for a project that others refer to.
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    types: [],
    composite: true,
    declaration: true,
    declarationMap: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    strict: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    moduleDetection: ts.ModuleDetectionKind.Force,
    skipLibCheck: true,
  })
  const { diagnostics } = program.emit(undefined, (name, text) => name.endsWith('.d.ts') && declarations.push(text))
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics].map((one) => ts.flattenDiagnosticMessageText(one.messageText, '\n'))
  expect(faults).toEqual([])
  expect(declarations.join('').match(/.*(?:node_modules|dist\/).*/g)).toBe(null)
  expect(declarations).toHaveLength(1)
})

test('an installation stays small: at most 16 direct and 45 installed packages, 80 MB, no install scripts', () => {
  const installed = Object.entries<{ hasInstallScript?: boolean }>(readJson(join(consumer, 'node_modules/.package-lock.json')).packages)
  const bytes = sizeOf(join(consumer, 'node_modules'))
  console.log(`${installed.length} packages installed, ${(bytes / 1e6).toFixed(1)} MB`)
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(16)
  expect(installed.length).toBeLessThanOrEqual(45)
  expect(bytes).toBeLessThanOrEqual(80e6)
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([])
})

test('in an empty folder a first panel is written, gets a user and is served', { timeout: 120_000 }, async () => {
  const first = join(consumer, 'first')
  mkdirSync(first)
  const password = 'a password for a test'
  await expect(daymark(first, { DATABASE_URL: 'postgres://127.0.0.1/shop' }, 'init')).rejects.toMatchObject({
    stderr: expect.stringContaining('npx drizzle-kit pull --dialect postgresql'),
  })
  writeFileSync(join(first, 'shop.db'), '')
  await expect(daymark(first, {}, 'init', '--database', 'sqlite:shop.db')).rejects.toMatchObject({
    stderr: expect.stringContaining('--dialect sqlite'),
  })
  // The database that the panel will use is looked at, not the one that it would use otherwise.
  await expect(daymark(first, { DATABASE_URL: 'sqlite:shop.db' }, 'init', '--database', 'sqlite:new.db')).rejects.toMatchObject({
    stderr: expect.stringContaining('--dialect sqlite'),
  })
  expect(await daymark(first, {}, 'init')).toContain('panel.ts: notes')
  await expect(daymark(first, {}, 'init')).rejects.toMatchObject({ stderr: expect.stringContaining('panel.ts is there already') })
  const made = await daymark(first, { DAYMARK_PASSWORD: password }, 'user:create', '--username', 'ada@example.com')
  expect(made).toContain('Created ada@example.com (admin)')
  const served = serve(first, '--port', '0')
  try {
    const base = await served.base()
    const send = (path: string, body: object, headers = {}) =>
      fetch(base + path, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const signedIn = await send('/authenticate', { username: 'ada@example.com', password })
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
    const created = await send('/resource/notes/crud', { title: 'First' }, { cookie: cookie.join('; ') })
    expect([created.status, await created.json()]).toMatchObject([201, { data: { id: 1, title: 'First', done: false } }])
  } finally {
    expect(await served.stop()).toBe(0)
  }
})

test('a schema that is there is taken, and a change of a source serves it anew', { timeout: 120_000 }, async () => {
  const own = join(consumer, 'own')
  mkdirSync(join(own, 'src'), { recursive: true })
  writeFileSync(
    join(own, 'src/schema.ts'),
    `import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
export const authors = sqliteTable('authors', { id: integer().primaryKey(), name: text() })
export const pairs = sqliteTable('pairs', { a: integer(), b: integer() }, (t) => [primaryKey({ columns: [t.a, t.b] })])
`,
  )
  await daymark(own, {}, 'init', '--open')
  const panel = join(own, 'src/panel.ts')
  const written = readFileSync(panel, 'utf8')
  expect(written).toContain("import { authors } from './schema.js'")
  expect(written).toMatch(/^ {4}\/\/ pairs: .+ key/m)

  const served = serve(own, '--port', '0', '--watch')
  try {
    const title = async () => /<title>[^<]*/.exec(await (await fetch(await served.base())).text())?.[0]
    expect(await title()).toContain('Back office')
    writeFileSync(panel, written.replace('Back office', 'Library'))
    expect(await title()).toContain('Library')
    writeFileSync(panel, 'what is this?')
    await served.says('waiting for a change')
    writeFileSync(panel, written)
    expect(await title()).toContain('Back office')
  } finally {
    expect(await served.stop()).toBe(0)
  }
})

const bin = join(consumer, 'node_modules/daymark/dist/cli/main.js')

async function daymark(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [bin, ...args], { cwd, env: { ...process.env, ...env } })).stdout
}

/** `daymark serve` in a process of its own. What it says is read once, piece by piece. */
function serve(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [bin, 'serve', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let said = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      for (const listen of listeners) listen()
    })
  const says = (what: string | RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const [found] = said.match(what) ?? []
        if (found === undefined) return
        listeners.delete(look)
        said = said.slice(said.indexOf(found) + found.length)
        resolve(found)
      }
      listeners.add(look)
      look()
    })
  return {
    says,
    base: () => says(/http:\S+\/admin/),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

async function node(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, args, { cwd: consumer })).stdout
}

async function npm(cwd: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('npm', args, { cwd, shell: process.platform === 'win32' })).stdout
}

function sizeOf(path: string): number {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names.reduce((sum, name) => sum + statSync(join(path, name)).size, 0)
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads JSON that npm wrote
function readJson(path: string): any {
  return JSON.parse(readFileSync(path, 'utf8'))
}
