import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { accountEventsResource, definePanel, usersResource } from 'daymark'
import { testPanel } from 'daymark/testing'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'daymark-cli-events-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what commands do to accounts is kept, without anybody who did it', { timeout: 120_000 }, async () => {
  const database = `sqlite:${join(folder, 'panel.db')}`
  writeFileSync(
    join(folder, 'panel.ts'),
    `import { accountEventsResource, apiKeys, authenticate, definePanel, password, usersResource } from '${join(root, 'dist/index.js')}'
export default definePanel({ database: '${database}', resources: [usersResource(), accountEventsResource()], auth: { middleware: authenticate(), pipelines: [password(), apiKeys()] } })
`,
  )
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
      cwd: folder,
      env: { ...process.env, DAYMARK_PASSWORD: 'a password on the way' },
    })
  const ada = ['--username', 'ada']
  await run('user:create', ...ada, '--name', 'Ada', '--roles', 'admin')
  await run('user:password', ...ada)
  const link = (await run('user:reset-link', ...ada, '--origin', 'http://127.0.0.1:3000')).stdout.trim()
  const key = (await run('key:create', ...ada, '--name', 'Import')).stdout.trim()
  await run('key:delete', '--start', key)
  const panel = definePanel({ database, resources: [usersResource(), accountEventsResource()] })
  const store = (panel as unknown as Record<symbol, { store: { users: import('../../src/auth/account.js').UserSource } }>)[
    Symbol.for('daymark.inside')
  ]?.store
  const { identity } = (await store?.users.byUsername('ada')) ?? {}
  await store?.users.changeTwoFactor(identity?.id ?? '', null, 'anything')
  await run('user:reset-two-factor', ...ada)
  await run('user:disable', ...ada)
  await run('user:disable', ...ada, '--enable')
  const { data } = (await testPanel(panel).get('/admin/resource/account-events/crud')).json<{ data: Record<string, unknown>[] }>()
  const detail = `Import (${key.slice(0, 12)}…)`
  expect(data.map(({ event, detail }) => (detail === null ? event : [event, detail])).reverse()).toEqual([
    ['userCreated', 'admin'],
    'passwordChanged',
    'passwordLink',
    ['apiKeyCreated', detail],
    ['apiKeyDeleted', detail],
    'twoFactorOff',
    'userDisabled',
    'userEnabled',
  ])
  for (const one of data) expect(one).toMatchObject({ username: 'ada', way: 'command', byUsername: null, address: null, agent: null })
  for (const hidden of [key, link.split('/').at(-1) ?? '', 'a password on the way']) expect(JSON.stringify(data)).not.toContain(hidden)
  await panel.close()
})
