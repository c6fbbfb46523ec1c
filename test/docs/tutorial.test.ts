import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Panel } from '../../src/panel.js'
import { testPanel } from '../../src/testing/panel.js'
import { filesUpTo, tsBlocks } from '../support/docs.js'
import { Sqlite } from '../support/sqlite.js'
import { documentText } from './markdown.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tutorial = 'docs/tutorial.md'
const blocks = tsBlocks(tutorial, documentText(tutorial))

// In the repository, so that what the files import is found.
const folder = join(root, '.cache/tutorial')
rmSync(folder, { recursive: true, force: true })

/** The files that a reader has after a block, in a folder of their own. */
function written(last: number): string {
  const at = join(folder, `${last}`)
  mkdirSync(at, { recursive: true })
  for (const [name, { code }] of filesUpTo(blocks, last)) writeFileSync(join(at, name), code)
  return at
}

const whole = written(blocks.length - 1)
const database = join(whole, 'test.db')
process.env.DATABASE_URL = `sqlite:${database}`

beforeAll(() => {
  // What a push would run; for that it needs a driver of its own.
  const kit = ['export', '--dialect', 'sqlite', '--schema', join(relative(root, whole), 'schema.ts')]
  const sql = execFileSync(join(root, 'node_modules/.bin/drizzle-kit'), kit, { cwd: root, encoding: 'utf8' })
  const client = new Sqlite(database)
  client.exec(sql)
  client.close()
})

const panels = blocks.flatMap(({ code, line }, i) => (code.startsWith('// panel.ts\n') ? [{ line, last: i }] : []))

test.each(panels)('the panel of line $line starts, and shows every list', async ({ last }) => {
  const { default: panel } = (await import(join(written(last), 'panel.ts'))) as { default: Panel }
  const admin = testPanel(panel)
  expect(panel.warnings).toEqual([])
  for (const { uriKey } of panel.resources.values()) {
    expect((await admin.html.get(panel.route('crud.index', { resource: uriKey }))).status, uriKey).toBe(200)
    expect((await admin.get(panel.route('crud.index', { resource: uriKey }))).status, uriKey).toBe(200)
  }
  expect((await admin.html.get(panel.route('index'))).status).toBe(200)
  await panel.close()
})

describe('its own tests', async () => {
  await import(join(whole, 'panel.test.ts'))
})
