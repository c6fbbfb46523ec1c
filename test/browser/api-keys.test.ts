import { apiKeys, authenticate, definePanel, defineResource, password } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, type Opened, ownBrowser } from '../support/own-browser.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull() })
const secret = 'correct horse battery'
const own = '/admin/profile/api-keys'

let url: string
let page: Page
let context: Opened['context']
const open = ownBrowser({
  schema: 'create table notes (id integer primary key, name text not null)',
  panel: async (database) => {
    const panel = definePanel({
      database,
      resources: [defineResource({ model: notes })],
      auth: { middleware: authenticate(), pipelines: [password(), apiKeys()] },
    })
    await panel.ensureUser({ username: 'ada', name: 'Ada', roles: ['editor', 'reader'], password: secret })
    return panel
  },
  before: (client) => client.exec('delete from daymark_api_keys'),
  opened: (all) => {
    ;({ url, page, context } = all)
  },
})

async function signIn(): Promise<void> {
  await page.goto(`${url}${own}`)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
}

async function make(name: string): Promise<string> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Current password').fill(secret)
  await page.getByRole('button', { name: 'Create key' }).click()
  return (await page.locator('#new-key').textContent()) ?? ''
}

const statusBy = async (key: string) =>
  (await fetch(`${url}/admin/resource/notes/crud`, { headers: { authorization: `Bearer ${key}`, accept: 'application/json' } })).status

test('a key is made, copied, used and deleted after a question', async () => {
  await signIn()
  await page.getByRole('link', { name: 'Profile' }).first().click()
  await page.getByRole('link', { name: 'Manage' }).click()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByLabel('reader').uncheck()
  const key = await make('Nightly import')
  expect(key).toMatch(/^daymark_[\w-]{43}$/)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  expect(await statusBy(key)).toBe(200)
  await page.goto(`${url}${own}`)
  expect(await page.content()).not.toContain(key)
  const entry = page.getByRole('listitem').filter({ hasText: 'Nightly import' })
  await expect.poll(() => entry.textContent()).toContain('editor')
  await page.getByRole('button', { name: 'Delete Nightly import' }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.textContent()).toContain('Delete the key "Nightly import"?')
  await dialog.getByRole('link', { name: 'Cancel' }).click()
  expect(await statusBy(key)).toBe(200)
  await page.getByRole('button', { name: 'Delete Nightly import' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no API keys.').waitFor()
  expect(await page.getByRole('status').textContent()).toContain('The key "Nightly import" was deleted')
  expect(await statusBy(key)).toBe(401)
})

test('after a refusal, what was entered stays, but for the password', async () => {
  await signIn()
  await page.getByLabel('Name').fill('Import')
  await page.getByLabel('Valid for').selectOption('30 days')
  await page.getByLabel('May only read').check()
  await page.getByLabel('editor').uncheck()
  await page.getByLabel('Current password').fill('wrong')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('This is not the current password').first().waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Import')
  expect(await page.getByLabel('Valid for').inputValue()).toBe('30')
  expect(await page.getByLabel('May only read').isChecked()).toBe(true)
  expect([await page.getByLabel('editor').isChecked(), await page.getByLabel('reader').isChecked()]).toEqual([false, true])
  expect(await page.getByLabel('Current password').inputValue()).toBe('')
})

test('without script, too', async () => {
  await open({ javaScriptEnabled: false })
  await signIn()
  const key = await make('Import')
  expect(await page.getByRole('button', { name: 'Copy', exact: true }).isVisible()).toBe(false)
  expect(await statusBy(key)).toBe(200)
  await page.getByRole('button', { name: 'Delete Import' }).click()
  await page.getByRole('heading', { name: 'Delete the key "Import"?' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no API keys.').waitFor()
  expect(await statusBy(key)).toBe(401)
})

test.each([
  ['light, on a desktop', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const)('has no flaw: %s', async (_, options) => {
  await open(options)
  await signIn()
  expect(await flawsOf(page)).toEqual([])
  await make('A key with a long name, of a program that imports what others have exported in the night before')
  expect(await flawsOf(page)).toEqual([])
  await page.goto(`${url}/admin/profile`)
  expect(await flawsOf(page)).toEqual([])
})
