import { definePanel, defineResource, id, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, type Opened, ownBrowser } from '../support/own-browser.js'

const teams = sqliteTable('teams', { id: integer().primaryKey(), name: varchar().notNull() })
const Teams = defineResource({
  model: teams,
  title: 'Teams',
  fields: { id: id(), name: text('Name').searchable().sortable() },
  sortColumn: 'id',
  sortDirection: 'ASC',
  itemsPerPage: 3,
  handlers: { touch: { label: 'Touch', run: () => 'Touched' } },
  buttons: [{ label: 'Touch', handler: 'touch', on: 'detail' }],
})
const Both = defineResource({ model: teams, uriKey: 'both', fields: { id: id(), name: text('Name') } })

let url: string
let client: Opened['client']
let page: Page
const open = ownBrowser({
  schema: 'create table teams (id integer primary key, name text not null)',
  panel: (database) => definePanel({ auth: 'open', database, resources: [Teams, Both], log: () => {} }),
  before: (client) =>
    client.exec(`delete from teams; insert into teams values ${Array.from({ length: 8 }, (_, i) => `(${i + 1}, 'Team ${i + 1}')`).join()}`),
  opened: (all) => {
    ;({ url, page, client } = all)
  },
})

const list = '/admin/resource/teams/crud'
const from = async (key: number, query = '') => {
  await page.goto(`${url}${list}${query}`)
  await page.locator(`tbody tr[data-key="${key}"] .label a`).click()
  await page.locator('.neighbours').waitFor()
}
const is = (key: number) => page.waitForURL(`${url}${list}/${key}`).then(() => page.locator('.neighbours').waitFor())
const step = (rel: 'prev' | 'next') => page.locator(`.neighbours [rel=${rel}]`)

test('a record leads to those around it, in the list as it was left, over its pages', async () => {
  await from(3, '?sort=-id&page=2')
  await step('next').click()
  await is(2)
  // The page of the list ended there: the next page of it knows.
  await page.keyboard.press('j')
  await is(1)
  expect(await step('next').getAttribute('href')).toBeNull()
  await page.keyboard.press('k')
  await is(2)
  await page.locator('.crumbs a').click()
  // The page of the list that it is on.
  await page.waitForURL(`${url}${list}?sort=-id&page=3`)
})

test('at the beginning of the list, nothing is before it', async () => {
  await from(1)
  expect(await step('prev').getAttribute('href')).toBeNull()
  expect(await flawsOf(page)).toEqual([])
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  await is(2)
})

test('a refresh of the page keeps them', async () => {
  await from(2)
  await page.getByRole('button', { name: 'Touch' }).click()
  await page.locator('.toast', { hasText: 'Touched' }).waitFor()
  expect(await step('next').isVisible()).toBe(true)
})

test('a record that is in no list of this tab leads nowhere, nor does one of another list of its table', async () => {
  await page.goto(`${url}${list}/5`)
  expect(await page.locator('.neighbours').isVisible()).toBe(false)
  await from(1)
  await page.goto(`${url}${list}/5`)
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.neighbours').isVisible()).toBe(false)
  await page.goto(`${url}/admin/resource/both/crud/1`)
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.neighbours').isVisible()).toBe(false)
})

test('keys that are typed do not lead away, and nothing overlaps on a phone', async () => {
  await from(2)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('jk')
  expect(await page.locator('dialog.palette input').inputValue()).toBe('jk')
  expect(new URL(page.url()).pathname).toBe(`${list}/2`)
  await open({ viewport: { width: 360, height: 740 }, hasTouch: true })
  await from(2)
  expect(await flawsOf(page)).toEqual([])
  const [crumbs, steps] = [await page.locator('.crumbs a').boundingBox(), await page.locator('.neighbours').boundingBox()]
  expect((crumbs?.x ?? 0) + (crumbs?.width ?? 0)).toBeLessThan(steps?.x ?? 0)
})

test('back to the first page of a list leads to its last record, too', async () => {
  await from(4, '?page=2')
  await step('prev').click()
  await is(3)
  await page.locator('.crumbs a').click()
  await page.waitForURL(`${url}${list}`)
})

test('a list that grew meanwhile leads on, not to the same record again', async () => {
  await from(6, '?sort=-id')
  client.exec("insert into teams values (9, 'Team 9')")
  await step('next').click()
  await is(5)
  expect(await step('next').getAttribute('href')).toBe(`${list}/4`)
})

test('arrows point the way of the script, and are not printed', async () => {
  await from(2)
  const turned = () => page.evaluate("getComputedStyle(document.querySelector('.neighbours [rel=next] .icon')).rotate")
  expect(await turned()).toBe('none')
  await page.evaluate("document.documentElement.dir = 'rtl'")
  expect(await turned()).toBe('180deg')
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.neighbours').isVisible()).toBe(false)
})

test('after going back over a page of the list, the record still leads on both ways', async () => {
  await from(3)
  await step('next').click()
  await is(4)
  await page.goBack()
  await is(3)
  expect(await step('next').getAttribute('href')).toContain('page=2')
  await step('prev').click()
  await is(2)
  expect(await step('next').getAttribute('href')).toBe(`${list}/3`)
})
