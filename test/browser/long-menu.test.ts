import { definePage, definePanel, defineResource, id } from 'daymark'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const things = sqliteTable('things', { id: integer().primaryKey() })
const lists = Array.from({ length: 40 }, (_, i) =>
  defineResource({ model: things, uriKey: `things-${i}`, title: `Things ${i}`, fields: { id: id() } }),
)
const Home = definePage({ uri: 'home', title: 'Home', components: [] })

let url: string
let page: Page
const open = ownBrowser({
  schema: 'create table things (id integer primary key)',
  panel: (database) => definePanel({ auth: 'open', database, home: Home, resources: lists, log: () => {} }),
  before: () => {},
  opened: (all) => {
    ;({ url, page } = all)
  },
})

const go = (number: number) => page.goto(`${url}/admin/resource/things-${number}/crud`)
const scrolled = () => page.locator('.menu-groups').evaluate((one) => one.scrollTop)
const inView = (selector: string) =>
  page.locator(selector).evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    return top >= 0 && bottom <= one.ownerDocument.documentElement.clientHeight
  })

test('in a long menu the search, the user and the page that is open are in view', async () => {
  await go(35)
  await expect.poll(scrolled).toBeGreaterThan(0)
  for (const one of ['.palette-open', '.user', '.menu-groups [aria-current]']) expect(await inView(one), one).toBe(true)
  expect(await page.evaluate('scrollY')).toBe(0)
  expect(await flawsOf(page)).toEqual([])
  // What is in view without that, is not moved.
  await go(3)
  await page.locator('.scripted.palette-open').waitFor()
  expect(await scrolled()).toBe(0)
})

test('a collapsed menu says beside a sign what it stands for, however far it is scrolled', async () => {
  await go(30)
  await page.locator('.rail-switch input').check({ force: true })
  const entry = page.locator('.menu-groups a', { hasText: 'Things 33' })
  await entry.scrollIntoViewIfNeeded()
  const [link, before] = await Promise.all([entry.boundingBox(), entry.locator('.text').boundingBox()])
  await entry.hover()
  const text = await entry.locator('.text').boundingBox()
  expect(before?.width).toBeLessThanOrEqual(2)
  expect(text?.x).toBeGreaterThanOrEqual((link?.x ?? 0) + (link?.width ?? 0))
  const middle = (place: typeof text) => (place?.y ?? 0) + (place?.height ?? 0) / 2
  expect(Math.abs(middle(text) - middle(link))).toBeLessThan(2)
  expect(await flawsOf(page)).toEqual([])
})

test('on a phone, the user is in view, too', async () => {
  await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await go(0)
  await page.locator('.burger').tap()
  await page.locator('.user').waitFor()
  expect(await inView('.user')).toBe(true)
  expect(await flawsOf(page)).toEqual([])
})

test('a page without components says that there is nothing', async () => {
  await page.goto(`${url}/admin`)
  await page.getByRole('heading', { name: 'Nothing here is available to you' }).waitFor()
  expect(await flawsOf(page)).toEqual([])
})
