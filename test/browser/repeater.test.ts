import { date, definePanel, defineResource, id, number, repeater, select, switcher, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  lines: varchar({ mode: 'json' }).$type<readonly Record<string, unknown>[]>(),
})
const Orders = defineResource({
  model: orders,
  title: 'Orders',
  fields: {
    id: id(),
    name: text('Name').required(),
    lines: repeater('Lines')
      .of({
        product: text('Product').required(),
        amount: number('Amount').min(1).default(1),
        on: date('Delivered'),
        state: select('State').options({ open: 'Open', sent: 'Sent' }).tones({ sent: 'good' }),
        gift: switcher('Gift'),
      })
      .maxRows(4)
      .hint('What was ordered'),
  },
  pages: { index: ['name', 'lines'] },
})
const form = '/admin/resource/orders/form-page/1'

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: 'create table orders (id integer primary key, name text not null, lines text)',
  panel: (database) => definePanel({ auth: 'open', database, resources: [Orders], log: () => {} }),
  before: (client) =>
    client.exec(
      `delete from orders; insert into orders values (1, 'One', '[{"product":"Tea","amount":2,"on":"2026-11-27","state":"sent","gift":true},{"product":"Cup","amount":1}]')`,
    ),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const rows = () => page.locator('.repeater-row:visible')
const ofRows = (what: string) => page.evaluate(`[...document.querySelectorAll('.repeater-row:not(.unscripted)')].map((row) => ${what})`)
const products = () => ofRows(`row.querySelector('input[name$=".product"]').value`)
const press = (row: number, does: 'up' | 'down' | 'remove') => rows().nth(row).locator(`[data-does=${does}]`).click()
const save = async () => {
  await page.locator('.actions button.primary').click()
  await page.waitForURL(/\/crud\/1/)
}
const stored = () =>
  JSON.parse(String((client.prepare('select lines from orders').all()[0] as { lines: string }).lines)) as { product: string }[]
const focused = () =>
  page.evaluate('document.activeElement.name || document.activeElement.dataset.does || document.activeElement.className')

test('rows are added, filled in, moved and removed', async () => {
  await page.goto(url + form)
  expect(await products()).toEqual(['Tea', 'Cup'])
  await page.getByRole('button', { name: 'Add a row' }).click()
  // Nothing is wrong yet. What is typed next goes into the new row, which has the defaults.
  expect(await page.locator('#field-lines-error').count()).toBe(0)
  expect(await focused()).toBe('lines.4.product')
  await page.keyboard.type('Spoon')
  expect(await rows().nth(2).locator('input[name$=".amount"]').inputValue()).toBe('1')
  await press(2, 'up')
  expect(await products()).toEqual(['Tea', 'Spoon', 'Cup'])
  expect(await focused()).toBe('up')
  await press(1, 'up')
  // It is the first one now, which cannot go up.
  expect([await products(), await focused()]).toEqual([['Spoon', 'Tea', 'Cup'], 'remove'])
  await press(1, 'remove')
  expect([await products(), await focused()]).toEqual([['Spoon', 'Cup'], 'remove'])
  expect(await ofRows('row.ariaLabel')).toEqual(['Row 1', 'Row 2'])
  await save()
  expect(stored().map(({ product }) => product)).toEqual(['Spoon', 'Cup'])
  expect(await page.locator('.repeated tbody tr').count()).toBe(2)
})

test('no more rows than are allowed', async () => {
  await page.goto(url + form)
  const add = page.getByRole('button', { name: 'Add a row' })
  await add.click()
  await add.click()
  expect([await rows().count(), await add.isDisabled()]).toEqual([4, true])
  await press(3, 'remove')
  expect(await add.isDisabled()).toBe(false)
})

test('leaving with rows that were moved asks first, and a wrong row is said with what was typed', async () => {
  await page.goto(url + form)
  await press(0, 'down')
  await expect.poll(() => page.locator('.unsaved').isVisible()).toBe(true)
  await rows().nth(0).locator('input[name$=".product"]').fill('')
  await rows().nth(1).locator('input[name$=".amount"]').fill('0')
  await page.locator('.actions button.primary').click()
  // Until the form is refused, what is said may be of the first field that was left alone.
  await page.locator('.notice.bad').waitFor()
  const error = page.locator('#field-lines-error')
  expect(await error.innerText()).toContain('Lines, row 1: Product is required')
  expect(await error.innerText()).toContain('Lines, row 2: Amount must be at least 1')
  expect(await rows().nth(1).locator('input[name$=".amount"]').inputValue()).toBe('0')
  // The first part that is wrong has the focus, and says what.
  await expect.poll(focused).toBe('lines.0.product')
  expect(await page.locator('.part > .error').allInnerTexts()).toEqual(['Product is required', 'Amount must be at least 1'])
  await page.keyboard.type('Cup')
  await page.keyboard.press('Tab')
  // What is still wrong is still said, here and in the summary.
  await expect.poll(() => error.innerText()).toBe('Lines, row 2: Amount must be at least 1')
  await expect.poll(() => page.locator('.notice.bad li').allInnerTexts()).toEqual(['Lines, row 2: Amount must be at least 1'])
  expect(await page.locator('.part > .error').allInnerTexts()).toEqual(['Amount must be at least 1'])
  await press(1, 'up')
  await expect.poll(() => error.innerText()).toBe('Lines, row 1: Amount must be at least 1')
  expect(await flawsOf(page)).toEqual([])
})

test('without script, blank rows are there to be filled in, and who clears one removes it', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(url + form)
  expect(await rows().count()).toBe(4)
  expect(await page.getByRole('button', { name: 'Add a row' }).isVisible()).toBe(false)
  await page.fill('[name="lines.0.product"]', '')
  await page.fill('[name="lines.0.amount"]', '')
  await page.fill('[name="lines.0.on"]', '')
  await page.selectOption('[name="lines.0.state"]', '')
  await page.uncheck('[name="lines.0.gift"][type=checkbox]')
  await page.fill('[name="lines.2.product"]', 'Plate')
  await save()
  expect(stored()).toEqual([
    { product: 'Cup', amount: 1, on: null, state: null, gift: false },
    { product: 'Plate', amount: null, on: null, state: null, gift: false },
  ])
})

test('has no flaws that axe finds, on a desktop and on a phone, in the form and on the page', async () => {
  for (const [viewport, colorScheme] of [
    [{ width: 1280, height: 800 }, 'light'],
    [{ width: 360, height: 740 }, 'dark'],
  ] as const) {
    await open({ viewport, colorScheme })
    for (const path of [form, '/admin/resource/orders/detail-page/1', '/admin/resource/orders/crud']) {
      await page.goto(url + path)
      expect([path, viewport.width, await flawsOf(page)]).toEqual([path, viewport.width, []])
    }
  }
})
