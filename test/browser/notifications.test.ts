import { definePanel, defineResource, type Panel } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull() })
const secret = 'correct horse battery'
const link = '/admin/resource/notes/crud'

let url: string
let page: Page
let panel: Panel
const open = ownBrowser({
  schema: 'create table notes (id integer primary key, name text not null)',
  panel: async (database) => {
    panel = definePanel({ database, resources: [defineResource({ model: notes })], notifications: true })
    await panel.ensureUser({ username: 'ada', name: 'Ada', roles: ['editor'], password: secret })
    return panel
  },
  before: (client) => client.exec('delete from daymark_notifications'),
  opened: (all) => {
    ;({ url, page } = all)
  },
})

const tell = (text: string, more: object = {}) => panel.notify({ to: { role: 'editor' }, text, ...more })
const entries = () => page.locator('#_main .notifications > li')

async function signIn(path = link): Promise<void> {
  await page.goto(`${url}${path}`)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.bell').waitFor({ state: 'attached' })
}

test('the bell counts what is unread and opens the last ones in place', async () => {
  await tell('Plain', { tone: 'bad' })
  for (let n = 1; n <= 5; n++) await tell(`Number ${n}`, { link })
  await signIn()
  const bell = page.getByRole('link', { name: 'Notifications, 6 unread' })
  await bell.waitFor()
  expect(await bell.getAttribute('aria-expanded')).toBe('false')
  // By keyboard, as any link.
  await bell.focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('dialog', { name: 'Notifications' })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(5)
  expect(await list.textContent()).not.toContain('Plain')
  expect(await flawsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.activeElement.className')).toBe('bell')
  await bell.click()
  await list.waitFor()
  await bell.click()
  await list.waitFor({ state: 'hidden' })
  await bell.click()
  await list.getByRole('link', { name: 'Number 5' }).click()
  await page.waitForURL(`${url}${link}`)
  await page.getByRole('link', { name: 'Notifications, 5 unread' }).click()
  await list.getByRole('link', { name: 'All notifications' }).click()
  await expect.poll(() => entries().count()).toBe(6)
})

test('it asks once a page is shown, not again for each page, and not while nobody is there', async () => {
  await tell('One')
  await page.clock.install()
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/admin/notifications') asked.push(request.method())
  })
  await signIn()
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor()
  expect(asked).toHaveLength(1)
  await page.goto(`${url}/admin/profile`)
  await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor()
  expect(asked).toHaveLength(1)
  await tell('Two')
  await page.clock.fastForward(61_000)
  await page.getByRole('link', { name: 'Notifications, 2 unread' }).waitFor()
  expect(asked).toHaveLength(2)
  // Nobody has touched the page for five minutes.
  for (let minute = 0; minute < 9; minute++) {
    await page.clock.fastForward(61_000)
    await page.waitForTimeout(50)
  }
  expect(asked.length).toBeLessThan(8)
  const before = asked.length
  await page.clock.fastForward(600_000)
  expect(asked).toHaveLength(before)
  await tell('Three')
  await page.keyboard.press('Shift')
  await page.getByRole('link', { name: 'Notifications, 3 unread' }).waitFor()
})

test.each([['with'], ['without']])('they are read, marked and deleted on their page, %s JavaScript', async (how) => {
  if (how === 'without') await open({ javaScriptEnabled: false })
  await tell('<i>One</i>', { tone: 'info' })
  await tell('Two', { link })
  await tell('Three')
  await signIn()
  if (how === 'without') await page.locator('.bell').click()
  else await page.goto(`${url}/admin/notifications`)
  await expect.poll(() => entries().count()).toBe(3)
  expect(await entries().nth(2).textContent()).toContain('<i>One</i>')
  if (how === 'with') expect(await flawsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Two' }).click()
  await page.waitForURL(`${url}${link}`)
  await page.goto(`${url}/admin/notifications`)
  await expect.poll(() => page.locator('#_main .unread').count()).toBe(2)
  await page.getByRole('button', { name: 'Mark as read: Three' }).click()
  await expect.poll(() => page.locator('#_main .unread').count()).toBe(1)
  await page.getByRole('button', { name: 'Delete notification: Three' }).click()
  await expect.poll(() => entries().count()).toBe(2)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.poll(() => page.locator('#_main .unread').count()).toBe(0)
  await page.getByRole('button', { name: 'Delete read ones' }).click()
  await page.getByRole('heading', { name: 'Nothing yet' }).waitFor()
})

test('in the dark and on a phone, the button of the menu says that there are some', async () => {
  await open({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  await tell('One', { tone: 'warn' })
  await signIn()
  await page.locator('.burger[data-unread]').waitFor()
  expect(await page.locator('.burger').getAttribute('aria-description')).toBe('1 unread')
  await page.locator('.burger').click()
  await page.locator('.bell').click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.goto(`${url}/admin/notifications`)
  expect(await flawsOf(page)).toEqual([])
})
