import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
const folders: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-init-'))
  folders.push(folder)
})
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true })
})
const init = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'init', ...args], { cwd: folder, encoding: 'utf8' })

test('the name of the database is quoted, whatever stands in it', () => {
  const name = `sqlite:it's "a\\b".db`
  init('--database', name)
  const [, written = ''] = /DATABASE_URL \?\? ('.*'),$/m.exec(readFileSync(join(folder, 'panel.ts'), 'utf8')) ?? []
  expect(new Function(`return ${written}`)()).toBe(name)
})

test.each([
  ['src/db/schema.ts', 'src/panel.ts', './db/schema.js'],
  ['mysrc/schema.ts', 'panel.ts', './mysrc/schema.js'],
])('over %s the panel is %s', (schema, panel, from) => {
  mkdirSync(join(folder, schema, '..'), { recursive: true })
  const core = join(root, 'node_modules/drizzle-orm/sqlite-core/index.js')
  writeFileSync(
    join(folder, schema),
    `import { integer, sqliteTable } from '${core}'\nexport const things = sqliteTable('things', { id: integer().primaryKey() })\n`,
  )
  expect(init('--schema', schema)).toContain(`${panel}: things`)
  expect(existsSync(join(folder, panel))).toBe(true)
  expect(readFileSync(join(folder, panel), 'utf8')).toContain(`from '${from}'`)
})
