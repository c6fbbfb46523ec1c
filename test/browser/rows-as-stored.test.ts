import { definePanel, defineResource, id, jsEvent, number, select, switcher, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const invoices = sqliteTable('invoices', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar({ enum: ['draft', 'sent', 'paid'] }).notNull(),
  amount: integer().notNull(),
  held: integer({ mode: 'boolean' }).notNull(),
})
const Invoices = defineResource({
  model: invoices,
  fields: {
    id: id(),
    name: text('Name'),
    state: select('State')
      .transitions({ draft: ['sent'], sent: ['paid'], paid: [] })
      .updateOnPreview()
      .event(jsEvent('TABLE_ROW_UPDATED', 'index-table-invoices-{row-id}')),
    amount: number('Amount').updateOnPreview().editableWhen({ state: 'draft', held: false }),
    held: switcher('Held').updateOnPreview(),
  },
  computed: { due: { label: 'Due', needs: ['held', 'amount'], value: ({ held, amount }) => (held ? 0 : amount) } },
  handlers: { remind: { canRecord: ({ record }) => record.state === 'sent', run: () => {} } },
  indexButtons: [{ label: 'Remind', handler: 'remind' }],
  canRecord: {
    update: ({ record }) => record.state !== 'paid',
    delete: ({ record }) => record.state === 'draft' && !record.held,
  },
  table: { trAttributes: ({ state, held }) => ({ class: `is-${state}${held ? ' is-held' : ''}` }) },
  pages: { index: ['name', 'state', 'amount', 'due', 'held'] },
  sortColumn: 'id',
  sortDirection: 'ASC',
})

let page: Page
let url: string
let client: Sqlite
ownBrowser({
  schema:
    'create table invoices (id integer primary key, name text not null, state text not null, amount integer not null, held integer not null)',
  panel: (database) => definePanel({ auth: 'open', database, resources: [Invoices] }),
  before: (client) => {
    client.exec('delete from invoices')
    for (let key = 1; key <= 25; key++) client.exec(`insert into invoices values (${key}, 'No ${key}', 'draft', ${key}0, 0)`)
  },
  opened: (all) => {
    ;({ page, url, client } = all)
  },
})
const row = (key: number) => page.locator(`tr[data-key="${key}"]`)
const offered = async (key: number) => (await row(key).locator('.menu :is(a, button)').allTextContents()).map((one) => one.trim())
const due = (key: number) => row(key).locator('td').filter({ hasText: /^\d+$/ }).allTextContents()

/** Opens the list, and counts what is asked for from then on. */
async function opened(): Promise<readonly string[]> {
  await page.goto(`${url}/admin/resource/invoices/crud`)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.includes('/assets/')) asked.push(`${request.method()} ${pathname}`)
  })
  return asked
}
const saved = (key: number) => [`PUT /admin/update-field/column/invoices/${key}`, 'GET /admin/component/index-page/invoices']

test('a state that is chosen in a row closes and opens what else is in it, by one request, where the row is', async () => {
  const asked = await opened()
  expect(await offered(20)).toEqual(['View', 'Edit', 'Delete'])
  await row(20).getByLabel('State').focus()
  await page.evaluate('scrollBy(0, 100)')
  const top = await page.evaluate('scrollY')
  await row(20).getByLabel('State').selectOption('sent')
  await expect.poll(() => row(20).getAttribute('class')).toBe('is-sent')
  expect(await offered(20)).toEqual(['View', 'Edit', 'Remind'])
  expect(await row(20).getByLabel('Amount').count()).toBe(0)
  expect(
    await row(20)
      .getByLabel('State')
      .evaluate((one) => one.matches(':focus')),
  ).toBe(true)
  expect(await page.evaluate('scrollY')).toBe(top)
  expect(asked).toEqual(saved(20))
  // Where nothing is left to choose, the focus is at the row, and the arrow keys go on from there.
  await row(20).getByLabel('State').selectOption('paid')
  await expect.poll(() => row(20).getAttribute('class')).toBe('is-paid')
  expect(await offered(20)).toEqual(['View'])
  expect(await row(20).locator('form').count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  expect(await row(21).evaluate((one) => one.matches(':focus'))).toBe(true)
  expect(await page.evaluate('scrollY')).toBe(top)
})

test('a switch does the same', async () => {
  const asked = await opened()
  await row(2).getByRole('switch').click()
  await expect.poll(() => row(2).getAttribute('class')).toBe('is-draft is-held')
  expect(await row(2).getByLabel('Amount').count()).toBe(0)
  expect(await offered(2)).toEqual(['View', 'Edit'])
  expect(await due(2)).toContain('0')
  expect(asked).toEqual(saved(2))
  await page.keyboard.press('Space')
  await expect.poll(() => row(2).getAttribute('class')).toBe('is-draft')
  expect(await row(2).getByLabel('Amount').inputValue()).toBe('20')
  expect(await offered(2)).toEqual(['View', 'Edit', 'Delete'])
  expect(asked).toEqual([...saved(2), ...saved(2)])
})

test('somebody who was quicker with a switch has changed the whole row', async () => {
  await opened()
  client.exec(`update invoices set held = 1, state = 'sent' where id = 3`)
  await row(3).getByRole('switch').click()
  await expect.poll(() => page.locator('tr[data-key="3"] + .row-note').innerText()).toContain('changed in the meantime')
  expect(await row(3).getAttribute('class')).toBe('is-sent is-held')
  expect(await row(3).getByRole('switch').getAttribute('aria-checked')).toBe('true')
})

test('a switch that is pressed while its row is refreshed stays as it was pressed', async () => {
  await opened()
  const held: Route[] = []
  const rows: Route[] = []
  await row(4).getByRole('switch').click()
  await expect.poll(() => row(4).getAttribute('class')).toBe('is-draft is-held')
  await page.route('**/update-field/**', (route) => void held.push(route))
  await page.route('**/component/**', (route) => void rows.push(route))
  await page.evaluate(`dispatchEvent(new CustomEvent('table-row-updated-index-table-invoices-4'))`)
  await expect.poll(() => rows.length).toBe(1)
  await row(4).getByRole('switch').click()
  await expect.poll(() => held.length).toBe(1)
  client.exec(`update invoices set state = 'sent' where id = 4`)
  await rows[0]?.continue()
  await expect.poll(() => row(4).getAttribute('class')).toBe('is-sent is-held')
  expect(await row(4).getByRole('switch').getAttribute('aria-checked')).toBe('false')
  await held[0]?.continue()
  await expect.poll(() => rows.length).toBe(2)
  await rows[1]?.continue()
  await expect.poll(() => row(4).getAttribute('class')).toBe('is-sent')
  expect(client.prepare('select held from invoices where id = 4').get()).toMatchObject({ held: 0 })
})

test('what is focused in a table that scrolls sideways is not below its pinned cells', async () => {
  client.exec(`update invoices set name = 'Everything that was delivered in the second half of the year, and more' where id = 1`)
  await page.setViewportSize({ width: 660, height: 800 })
  await opened()
  await row(1).locator('.dots').focus()
  for (const label of ['Held', 'Amount', 'State']) {
    await page.keyboard.press('Shift+Tab')
    const at = page.getByLabel(`${label}: Everything`)
    expect(await at.evaluate((one) => one.matches(':focus'))).toBe(true)
    expect(await page.evaluate(`(${isOnTop})(document.activeElement)`)).toBe(true)
  }
})
const isOnTop = `(one) => {
  const { left, right, top, height } = one.getBoundingClientRect()
  return [left + 2, right - 2].every((x) => document.elementFromPoint(x, top + height / 2) === one)
}`
