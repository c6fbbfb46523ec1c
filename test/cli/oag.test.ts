import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'daymark-oag-'))

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/daymark'))
  symlinkSync(join(root, 'node_modules/drizzle-orm'), join(folder, 'node_modules/drizzle-orm'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writePanel('name')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function writePanel(column: string, plugins = 'plugins: [oag()]', auth = "auth: 'open'") {
  writeFileSync(
    join(folder, 'panel.ts'),
    `import { definePanel, defineResource } from 'daymark'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
const things = sqliteTable('things', { id: integer('id').primaryKey(), ${column}: text('x').notNull() })
void oag, authenticateApi, jwtAuth
export default definePanel({ ${auth}, database: 'sqlite::memory:', resources: [defineResource({ model: things })], ${plugins} })
`,
  )
}

function daymark(...args: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { cwd: folder }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
}

const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test('the document is written, checked, and told from one that is stale', async () => {
  expect(await daymark('oag:generate', '--check')).toMatchObject({
    code: 1,
    out: expect.stringContaining('resources/oag.yaml is not there'),
  })
  expect(await daymark('oag:generate')).toMatchObject({ code: 0, out: 'Wrote resources/oag.yaml\nWrote resources/oag.json\n' })
  expect(parse(read('resources/oag.yaml'))).toEqual(JSON.parse(read('resources/oag.json')))
  expect(JSON.parse(read('resources/oag.json')).components.schemas['things.Row'].required).toEqual(['id', 'name'])
  expect(await daymark('oag:generate', '--check')).toMatchObject({ code: 0 })

  const before = read('resources/oag.yaml')
  writePanel('label')
  const stale = await daymark('oag:generate', '--check')
  expect(stale.code).toBe(1)
  expect(stale.out).toMatch(/^resources\/oag\.yaml:$/m)
  expect(stale.out).toMatch(/^ +\d+ - .*name/m)
  expect(stale.out).toMatch(/^ +\d+ \+ .*label/m)
  expect(stale.err).toContain('daymark oag:generate')
  expect(read('resources/oag.yaml')).toBe(before)
})

test('it goes where one says', async () => {
  const shown = await daymark('oag:generate', '--stdout')
  expect(parse(shown.out)).toMatchObject({ openapi: '3.1.1' })
  expect(await daymark('oag:generate', '--out', 'api/panel.yaml')).toMatchObject({ code: 0 })
  expect(read('api/panel.yaml')).toBe(shown.out)
  expect(JSON.parse(read('api/panel.json'))).toEqual(parse(shown.out))
})

test('whoever reads the first lines of it alone hears no complaint', async () => {
  const { err, out } = await new Promise<{ err: string; out: string }>((resolve) => {
    const main = join(root, 'dist/cli/main.js')
    execFile('sh', ['-c', `"${process.execPath}" "${main}" oag:generate --stdout | head -n 1`], { cwd: folder }, (_, out, err) =>
      resolve({ out, err }),
    )
  })
  expect({ err, out }).toEqual({ err: '', out: 'openapi: 3.1.1\n' })
})

test('its settings are written once, and not over what stands there', async () => {
  expect(await daymark('oag:publish')).toMatchObject({ code: 0 })
  expect(read('config/oag.ts')).toContain("view: 'oag::docs'")
  writeFileSync(join(folder, 'config/oag.ts'), 'mine')
  expect(await daymark('oag:publish')).toMatchObject({ code: 1, err: expect.stringContaining('--force') })
  expect(read('config/oag.ts')).toBe('mine')
  expect(await daymark('oag:publish', '--force')).toMatchObject({ code: 0 })
})

test('a panel without the add-on says how to add it', async () => {
  writePanel('name', '')
  expect(await daymark('oag:generate')).toMatchObject({ code: 1, err: expect.stringContaining("oag from 'daymark/oag'") })
})

test('the document of a panel that takes tokens needs no secret, and serving it does', async () => {
  writePanel('name', 'plugins: [oag()]', 'middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth()] }')
  const { code, out } = await daymark('oag:generate', '--stdout')
  expect([code, parse(out).components.securitySchemes]).toMatchObject([0, { bearer: { scheme: 'bearer' } }])
  const served = await daymark('serve', '--port', '0')
  expect(served).toMatchObject({ code: 1, err: expect.stringMatching(/jwt-secret .*JWT_SECRET is not set/) })
})
