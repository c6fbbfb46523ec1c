import { apiKeys, authenticate, definePanel, defineResource } from 'daymark'
import { openId } from 'daymark/openid'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { client as registered, startProvider } from '../support/openid-provider.js'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull() })
const own = '/admin/profile/api-keys'
// A native client may come back to any port (RFC 8252 §7.3): that of the panel is not known yet.
const provider = await startProvider([], {
  clients: [
    {
      client_id: registered.clientId,
      client_secret: registered.clientSecret,
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/admin/authenticate/openid/test/return'],
    },
  ],
})
provider.people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' })
afterAll(() => provider.close())

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: 'create table notes (id integer primary key, name text not null)',
  panel: (database) =>
    definePanel({
      database,
      resources: [defineResource({ model: notes })],
      auth: {
        middleware: authenticate(),
        pipelines: [apiKeys(), openId({ id: 'test', label: 'Test', issuer: provider.issuer, ...registered, create: ['admin'] })],
      },
    }),
  before: () => {},
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

/** What a person does at the provider. */
async function beAda(): Promise<void> {
  await page.waitForURL(`${provider.issuer}/interaction/**`)
  await page.fill('[name=login]', 'ada')
  await page.fill('[name=password]', 'any')
  await page.click('[type=submit]')
  // It asks for consent each time, or goes straight back.
  const consent = page.locator('form:not(:has([name=login])) [type=submit]')
  await expect.poll(async () => page.url().startsWith(url) || (await consent.count()) > 0).toBe(true)
  if (!page.url().startsWith(url)) await consent.click()
  await page.waitForURL(`${url}/**`)
}

test.each([true, false])('signs in there, confirms there, and sees a new key once; with script: %s', async (javaScriptEnabled) => {
  await open({ javaScriptEnabled })
  await page.goto(url + own)
  // Nothing else to fill in.
  expect(await page.locator('input:not([type=hidden])').count()).toBe(0)
  await page.getByRole('link', { name: 'Sign in with Test' }).click()
  await beAda()
  expect(page.url()).toBe(url + own)
  const before = client.prepare('select * from daymark_api_keys').all().length
  await page.getByRole('link', { name: 'Confirm with Test' }).click()
  await beAda()
  expect(page.url()).toBe(url + own)
  await page.getByLabel('Name').fill('Nightly import')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.locator('#new-key').textContent()) ?? ''
  expect(key).toMatch(/^daymark_[\w-]{43}$/)
  expect(client.prepare('select * from daymark_api_keys').all().length).toBe(before + 1)
  const answer = await fetch(`${url}/admin/resource/notes/crud`, {
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
  })
  expect(answer.status).toBe(200)
})

test('who says no there is back on the page, which says so', async () => {
  await page.goto(`${url}/admin`)
  await page.getByRole('link', { name: 'Sign in with Test' }).click()
  await page.waitForURL(`${provider.issuer}/interaction/**`)
  await page.getByRole('link', { name: /cancel/i }).click()
  await page.waitForURL(`${url}/**`)
  expect(await page.getByRole('alert').innerText()).toBe('Test has not signed you in')
})

test('has no flaws that axe finds, on a desktop and on a dark phone', async () => {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    await open({ viewport: { width, height: 740 }, colorScheme })
    await page.goto(url + own)
    expect([width, await flawsOf(page)]).toEqual([width, []])
    await page.getByRole('link', { name: 'Sign in with Test' }).click()
    await beAda()
    expect([width, await flawsOf(page)]).toEqual([width, []])
  }
})
