import { definePanel, defineResource, id, text, time } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const shops = sqliteTable('shops', { id: integer().primaryKey(), name: varchar().notNull(), opens: varchar(), tick: varchar() })
const Shops = defineResource({
  model: shops,
  fields: {
    id: id(),
    name: text('Name'),
    opens: time('Opens').min('06:00').sortable().updateOnPreview(),
    tick: time('Tick').seconds(),
  },
  filters: ['opens'],
})
const form = '/admin/resource/shops/form-page/1'

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: 'create table shops (id integer primary key, name text not null, opens text, tick text)',
  panel: (database) => definePanel({ auth: 'open', database, locale: 'en-US', resources: [Shops], log: () => {} }),
  before: (client) => client.exec(`delete from shops; insert into shops values (1, 'One', '08:30', '09:00:00'), (2, 'Two', '17:30', null)`),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})
const stored = (key = 1) => client.prepare('select opens, tick from shops where id = ?').get(key)
const save = async () => {
  await page.locator('.actions button.primary').click()
  await page.waitForURL(/\/crud\/1/)
}

test.each([true, false])(
  'a form has the controls of the browser, and what was not touched stays (with script: %s)',
  async (javaScriptEnabled) => {
    await open({ javaScriptEnabled })
    await page.goto(url + form)
    expect(await page.locator('[type=time]').count()).toBe(2)
    await page.getByLabel('Name').fill('Other')
    await save()
    expect(stored()).toMatchObject({ opens: '08:30', tick: '09:00:00' })
    await page.goto(url + form)
    await page.getByLabel('Opens').fill('19:15')
    await page.getByLabel('Tick').fill('10:00:01')
    await save()
    expect(stored()).toMatchObject({ opens: '19:15', tick: '10:00:01' })
    expect((await page.locator('main').innerText()).replace(/\s/g, ' ')).toContain('7:15 PM')
  },
)

test('a time out of bounds is said at the field, before it is sent', async () => {
  await page.goto(url + form)
  await page.getByLabel('Opens').fill('05:00')
  await page.getByLabel('Opens').blur()
  await expect.poll(() => page.locator('#field-opens-error').innerText()).toBe('Opens must not be before 06:00')
  expect(await flawsOf(page)).toEqual([])
})

test('a list is filtered by a span, and changes a time in its place', async () => {
  await page.goto(`${url}/admin/resource/shops/crud`)
  await page.locator('summary', { hasText: 'Opens' }).click()
  await page.locator('#filter-opens-from').fill('12:00')
  await page.locator('#filter-opens-from').press('Enter')
  await expect.poll(() => page.locator('.rows [data-key]').count()).toBe(1)
  const cell = page.locator('.rows [data-key="2"] [type=time]')
  await cell.fill('18:45')
  await cell.press('Enter')
  await expect.poll(() => stored(2)).toMatchObject({ opens: '18:45' })
})

test('a time that is typed in a list is saved once, when it is left or entered', async () => {
  await page.goto(`${url}/admin/resource/shops/crud`)
  let saves = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT') saves += 1
  })
  const cell = page.locator('.rows [data-key="2"] [type=time]')
  // With its first key it is 1 o'clock, which is out of bounds.
  const type = async (keys: string) => {
    await cell.focus()
    for (const key of keys) await page.keyboard.press(key)
  }
  await type('1015A')
  expect(await cell.inputValue()).toBe('10:15')
  await page.locator('.rows [data-key="1"] [type=time]').focus()
  await expect.poll(() => stored(2)).toMatchObject({ opens: '10:15' })
  await type('0920A')
  await page.keyboard.press('Enter')
  await expect.poll(() => stored(2)).toMatchObject({ opens: '09:20' })
  expect(saves).toBe(2)
  await type('0500A')
  await page.keyboard.press('Escape')
  await cell.blur()
  expect(await cell.inputValue()).toBe('09:20')
  expect(saves).toBe(2)
})
