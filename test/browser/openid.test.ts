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
      post_logout_redirect_uris: ['http://127.0.0.1/admin/login'],
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
        pipelines: [
          apiKeys(),
          openId({ id: 'test', label: 'Test', issuer: provider.issuer, ...registered, create: ['admin'], signOut: true }),
        ],
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

test.each([true, false])('signs out here and there, and is back at the sign-in page; with script: %s', async (javaScriptEnabled) => {
  await open({ javaScriptEnabled })
  await page.goto(`${url}/admin`)
  await page.getByRole('link', { name: 'Sign in with Test' }).click()
  await beAda()
  await page.locator('[popovertarget=_user-menu]').click()
  await page.locator('#_user-menu').getByRole('button', { name: 'Sign out' }).click()
  // Another host's page, where our own must not have been in the way: browsers apply `form-action` to what a form is redirected to.
  await page.waitForURL(`${provider.issuer}/session/end?**`)
  expect(await page.context().cookies(url)).not.toContainEqual(expect.objectContaining({ name: 'daymark-admin' }))
  await page.locator('button[value=yes]').click()
  await page.waitForURL(`${url}/admin/login`)
  await page.getByRole('link', { name: 'Sign in with Test' }).click()
  await page.waitForURL(`${provider.issuer}/interaction/**`)
  expect(await page.locator('[name=login]').count()).toBe(1)
})

test('where the provider does not answer, the page that leads there says that the user is signed out', async () => {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    await open({ viewport: { width, height: 740 }, colorScheme })
    await page.goto(`${url}/admin/profile`)
    await page.getByRole('link', { name: 'Sign in with Test' }).click()
    await beAda()
    await page.route(`${provider.issuer}/session/end?**`, (route) => route.fulfill({ status: 204 }))
    await page.locator('.sessions li', { hasText: 'This session' }).getByRole('button').click()
    await page.getByRole('link', { name: 'Sign out of Test, too' }).waitFor()
    expect(await page.getByRole('status').innerText()).toBe('You are signed out of this panel')
    expect([width, await flawsOf(page)]).toEqual([width, []])
    await page.goto(`${url}/admin/profile`)
    expect(page.url()).toContain('/admin/login')
  }
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
