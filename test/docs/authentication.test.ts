// docs/authentication.md as a reader follows it: its calls of curl against a panel with sessions and one with tokens, and its pipeline of one's own.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { definePanel, defineResource, memoryStore, type PanelSpec } from '../../src/index.js'
import { authenticateApi, jwtAuth } from '../../src/jwt.js'
import { tsBlocks } from '../support/docs.js'
import { runDocument } from './curl.js'
import { documentText } from './markdown.js'

const file = 'docs/authentication.md'
const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() })

test('its calls answer as it shows, before and after the heading "Tokens" each from a panel of that kind', async () => {
  const sessions = await panelOf({})
  const secret = Buffer.alloc(32, 1).toString('base64')
  const tokens = await panelOf({ middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth({ secret })] } })
  const document = documentText(file)
  const turn = document.slice(0, document.indexOf('\n## Tokens')).split('\n').length
  const { sent, faults } = await runDocument(file, document, (request, line) => (line < turn ? sessions : tokens).fetch(request))
  expect(faults).toEqual([])
  expect(sent).toBe(8)
  await Promise.all([sessions.close(), tokens.close()])
})

test('its pipeline of keys lets in who has one, and nobody else', async () => {
  const [block] = tsBlocks(file, documentText(file)).filter(({ code }) => code.includes('export function apiKeys'))
  const folder = fileURLToPath(new URL('../../.cache/', import.meta.url))
  const example = `${folder}api-keys-${process.pid}.ts`
  mkdirSync(folder, { recursive: true })
  writeFileSync(example, block?.code ?? '')
  try {
    const { apiKeys } = await import(/* @vite-ignore */ example)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('a long key')))
    const identity = { id: 'importer', username: 'importer', name: 'The importer', roles: ['editor'] }
    const panel = await panelOf({
      middleware: [],
      auth: { middleware: authenticateApi(), pipelines: [apiKeys(new Map([[Buffer.from(hash).toString('hex'), identity]]))] },
    })
    const status = async (headers: Record<string, string>) =>
      (
        await panel.fetch(
          new Request('http://localhost/admin/resource/notes/crud', { headers: { accept: 'application/json', ...headers } }),
        )
      ).status
    expect(await status({ 'x-api-key': 'a long key' })).toBe(200)
    expect(await status({ 'x-api-key': 'another key' })).toBe(401)
    expect(await status({ 'x-api-key': '' })).toBe(401)
    expect(await status({})).toBe(401)
    await panel.close()
  } finally {
    rmSync(example)
  }
})

async function panelOf(spec: Partial<PanelSpec>) {
  const panel = definePanel({
    database: 'sqlite::memory:',
    resources: [defineResource({ model: memoryStore(notes, [{ text: 'Remember the milk' }]) })],
    ...spec,
  })
  await panel.ensureUser({ username: 'ada', name: 'Ada', roles: ['admin'], password: 'correct horse battery' })
  return panel
}
