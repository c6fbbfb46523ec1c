import { date, definePage, definePanel, defineResource, figure, id, metric, number, select, tableBuilder, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  status: varchar({ enum: ['open', 'paid', 'cancelled'] }).notNull(),
  total: real(),
  due: varchar(),
  place: integer().notNull(),
})
const fields = {
  id: id(),
  name: text('Name').searchable(),
  status: select('Status'),
  total: number('Total').decimals(2),
  due: date('Due'),
  place: number('Place').readOnly(),
}
const shared = { model: orders, fields, pages: { index: ['name', 'status', 'total', 'due'] } } as const
const handlers = {
  fail: {
    run: async () => {
      throw new Error('It fails')
    },
  },
}
const Orders = defineResource({
  ...shared,
  title: 'Orders',
  sortColumn: 'id',
  sortDirection: 'ASC',
  filters: ['name', 'status', 'total', 'due'],
  queryTags: { open: { label: 'Open', where: { status: 'open' } } },
  handlers,
  maxMassDelete: 2,
  indexButtons: [
    { label: 'Fail', handler: 'fail', bulk: true },
    { label: 'Statistics', href: '/statistics', at: 'toolbar' },
  ],
  itemsPerPage: 10,
} as never)
const Live = defineResource({
  ...shared,
  uriKey: 'live',
  table: { name: 'live-table' },
  sortColumn: 'id',
  sortDirection: 'ASC',
  fields: {
    ...fields,
    status: select('Status').updateOnPreview(),
    total: number('Total').decimals(2).updateOnPreview(),
    due: date('Due').updateOnPreview(),
  },
} as never)
const Ending = defineResource({
  ...shared,
  uriKey: 'ending',
  sortColumn: 'id',
  sortDirection: 'ASC',
  table: { name: 'ending-table' },
  fields: { ...fields, total: number('Total').decimals(2).updateOnPreview() },
  pages: { index: ['name', 'status', 'due', 'total'] },
} as never)
const Steps = defineResource({
  ...shared,
  uriKey: 'steps',
  title: 'Steps',
  table: { name: 'steps-table' },
  reorderable: 'place',
  usePagination: false,
  stickyTable: true,
} as never)
const Home = definePage({
  uri: 'home',
  title: 'Home',
  components: [
    metric({ name: 'count', label: 'Count', value: figure.count(Orders as never) }),
    tableBuilder(Orders as never, { name: 'some', columns: ['name', 'total'], perPage: 10 } as never),
  ],
})

let url: string
let page: Page
const open = ownBrowser({
  schema:
    'create table orders (id integer primary key, name text not null, status text not null, total real, due text, place integer not null)',
  panel: (database) =>
    definePanel({ auth: 'open', database, home: Home, resources: [Orders, Live, Ending, Steps], log: () => {} } as never),
  before: (client) => {
    client.exec('delete from orders')
    const order = client.prepare('insert into orders values (?, ?, ?, ?, ?, ?)')
    for (let i = 1; i <= 60; i++)
      order.run(i, `Order ${i}`, ['open', 'paid', 'cancelled'][i % 3], i === 3 ? 6044.999999999998 : i * 10, i % 2 ? '2026-11-27' : null, i)
  },
  opened: (given) => {
    ;({ url, page } = given)
  },
})

const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const go = (uri: string, query = '') => page.goto(`${url}/admin/resource/${uri}/crud${query}`)
/** Where an element is: its left and upper edge, its width and its height. */
async function box(selector: string): Promise<readonly number[]> {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return [x, y, width, height].map(Math.round)
}

/** Where the text of an element begins. */
const textAt = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const range = element.ownerDocument.createRange()
      range.selectNodeContents(element)
      return Math.round(range.getBoundingClientRect().x)
    })

test('texts of a list begin and end where its boxes do, and beside cards where those of the cards do', async () => {
  await go('orders')
  const [left] = await box('.pick-all')
  expect([await textAt('.listing .tabs a'), await textAt('.pager span')]).toEqual([left, left])
  const [card, , width] = (await box('.listing')) as [number, number, number, number]
  const [dots, , wide] = (await box('tbody .dots')) as [number, number, number, number]
  // The dots have 7 pixels around them.
  expect(card + width - (dots + wide - 7)).toBe((left as number) - card)
  await page.goto(`${url}/admin`)
  const label = await textAt('.metric .label')
  for (const each of ['.over h2', '.rows thead th', '.rows tbody .label a', '.pager span']) expect(await textAt(each), each).toBe(label)
})

test('a badge that is edited in its cell stands below the head of its column, in the middle of its row', async () => {
  await go('live')
  expect((await box('tbody .badge'))[0]).toBe(await textAt('thead th:has-text("Status")'))
  const middle = async (selector: string) => {
    const place = await page.locator(selector).first().boundingBox()
    return (place?.y ?? 0) + (place?.height ?? 0) / 2
  }
  expect(Math.abs((await middle('tbody .badge')) - (await middle('tbody .dots')))).toBeLessThan(0.5)
})

test('the bar of a selection lies over the toolbar, whatever is shown above that', async () => {
  await go('orders')
  await page.getByRole('checkbox', { name: 'Select Order 1', exact: true }).check()
  const same = async () => expect((await box('.bulk')).slice(0, 3)).toEqual((await box('.toolbar')).slice(0, 3))
  await same()
  await page.route('**/handler/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Fail' }).click()
  await page.locator('.listing > .notice').waitFor()
  await same()
  expect(await flawsOf(page)).toEqual([])
})

test('opening more filters moves nothing of the toolbar', async () => {
  await go('orders')
  const [, top, , height] = (await box('.toolbar')) as [number, number, number, number]
  await page.locator('.more > summary').click()
  // Its hairline is where that of the toolbar was.
  expect((await box('.more-panel'))[1]).toBe(top + height - 1)
  // As in any filter that is opened, the first control is there to be filled in.
  expect(
    await page.evaluate("document.activeElement === document.querySelector('.more-panel :is(input:not([type=hidden]), select)')"),
  ).toBe(true)
})

test('days are filtered by a period that is told from now on', async () => {
  await page.goto(`${url}/admin/resource/orders/crud`)
  await page.locator('.more > summary').click()
  await page.getByLabel('Period').selectOption({ label: 'Last 7 days' })
  await page
    .locator('.more-panel')
    .getByRole('button', { name: /^(?:Apply|Show)/ })
    .click()
  await expect.poll(() => page.locator('.chip').allInnerTexts()).toEqual(['Due: Last 7 days'])
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ 'filter[due][within]': 'last-7-days' })
  expect(await flawsOf(page)).toEqual([])
})

test('why no more can be deleted stands at the button that deletes', async () => {
  await go('orders')
  await page.locator('thead').getByRole('checkbox').check()
  const order = await page.locator('.bulk :is(.button, .reason):visible').allInnerTexts()
  expect(order.slice(0, 5).map((one) => one.trim())).toEqual([
    'Select all 60',
    'Fail',
    'Export as CSV',
    'Delete',
    'At most 2 records at once',
  ])
})

test('without script, the box that selects all is in the middle of the bar', async () => {
  await open({ javaScriptEnabled: false })
  await go('orders')
  await page.getByRole('checkbox', { name: 'Select Order 1', exact: true }).check()
  const middle = ([, y = 0, , height = 0]: readonly number[]) => y + height / 2
  const bar = middle(await box('.bulk'))
  expect(Math.abs(middle(await box('.bulk [name="_all"]')) - bar)).toBeLessThanOrEqual(1)
})

test('a list of all rows that are put in order has its cards on a phone', async () => {
  await open(phone)
  await go('steps')
  const left = async (selector: string) => (await box(selector))[0]
  expect([await left('.grip'), await left('tbody .pick'), await left('tbody .label')]).toEqual([2, 36, 80])
  const [due = 0, , width = 0] = await box('tbody td:has(> time)')
  expect(due + width).toBeLessThan(360)
  const [text, shown] = await page
    .locator('tbody td:has(> time)')
    .first()
    .evaluate((cell) => [cell.scrollWidth, cell.clientWidth])
  expect(text).toBe(shown)
  expect((await box('tbody tr'))[3]).toBe(56)
  expect(await flawsOf(page)).toEqual([])
})

test.each([
  ['orders', 360],
  ['ending', 420],
])('on a phone, the label of a number stands before it as far as there is room: %s', async (uri, width) => {
  await open({ ...phone, viewport: { width, height: 740 } })
  await go(uri)
  const row = 'tr[data-key="5"]'
  const cell = page.locator(`${row} td.meta.end`)
  const before = async () => {
    const [all, number] = await Promise.all([cell.boundingBox(), cell.locator('.number').first().boundingBox()])
    return Math.round((number?.x ?? 0) - (all?.x ?? 0))
  }
  expect(await page.evaluate(`getComputedStyle(document.querySelector('${row} td.meta.end'), '::after').content`)).toBe('"Total"')
  expect(await before()).toBeGreaterThan(25)
  /** Nothing is cut off but a label without room, and there are two lines. */
  const whole = async () => {
    const values = page.locator(`${row} td.meta :is(.badge, time, .number):visible`)
    expect(await values.count()).toBeGreaterThanOrEqual(3)
    expect(await values.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0)
    expect((await box('tbody tr'))[3]).toBe(56)
    expect(await flawsOf(page)).toEqual([])
  }
  await whole()
  await page.setViewportSize({ width: 320, height: 740 })
  await expect.poll(before).toBeLessThan(12)
  await whole()
})

test('on a low window the page scrolls, and not the table', async () => {
  await page.setViewportSize({ width: 640, height: 400 })
  await go('steps')
  const inside = await page.locator('.scroller').evaluate((one) => one.scrollHeight - one.clientHeight)
  expect(inside).toBeLessThanOrEqual(1)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await page.locator('.scroller').evaluate((one) => one.scrollHeight - one.clientHeight)).toBeGreaterThan(100)
})

test('on a phone, no key to press is shown, and a button of the toolbar is in the line of a short title', async () => {
  await go('orders')
  expect(await page.locator('.palette-open kbd').isVisible()).toBe(true)
  await open(phone)
  await go('orders')
  const middle = ([, y = 0, , height = 0]: readonly number[]) => y + height / 2
  const [title = 0, ...buttons] = (
    await Promise.all(['.heading .titles', '.heading a[href="/statistics"]', '.heading .primary'].map(box))
  ).map(middle)
  for (const one of buttons) expect(Math.abs(one - title)).toBeLessThan(2)
  await page.locator('.burger').click()
  await page.locator('.palette-open').waitFor()
  expect(await page.locator('.palette-open kbd').isVisible()).toBe(false)
})

test('what is edited in its cell looks like its value until somebody comes near, and takes no more room', async () => {
  await go('orders')
  const widths = () => page.locator('thead th').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)))
  const plain = await widths()
  const shown = await page.locator('tbody tr').nth(2).locator('td:not(.pick, .act)').allInnerTexts()
  await go('live')
  const cell = (number: number, column: string) => page.locator('tbody tr').nth(number).locator(`td:has([id$="-${column}"])`)
  const control = (label: string, number: number) => page.getByLabel(`${label}: Order ${number}`, { exact: true })
  const seen = (one: ReturnType<typeof control>) => one.evaluate((it) => it.ownerDocument.defaultView?.getComputedStyle(it).opacity)
  const values = await Promise.all(['status', 'total', 'due'].map((column) => cell(2, column).locator('.as').innerText()))
  expect(values).toEqual(shown)
  expect(values).toEqual(['Open', '6,045.00', 'Nov 27, 2026'])
  expect(await cell(1, 'due').locator('.as').innerText()).toBe('—')
  expect(await cell(2, 'status').locator('.as .badge').count()).toBe(1)
  // Nor does anything cut what they show, however little room there is.
  await page.evaluate(`document.querySelector('.rows').style.inlineSize = '1px'`)
  const cut = () => page.locator('tbody .as').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
  expect(await cut()).toBe(0)
  await page.evaluate(`document.querySelector('.rows').style.inlineSize = ''`)
  // Beyond its padding, nothing widens a column.
  for (const [i, width] of (await widths()).entries()) expect(Math.abs(width - (plain[i] ?? 0))).toBeLessThan(30)
  expect(await seen(control('Total', 3))).toBe('0')
  await control('Total', 3).hover()
  expect([await seen(control('Total', 3)), await control('Total', 3).inputValue()]).toEqual(['1', '6044.999999999998'])
  expect(await control('Total', 3).evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
  await page.mouse.move(0, 0)
  await control('Due', 2).focus()
  expect([await seen(control('Due', 2)), await seen(control('Due', 3))]).toEqual(['1', '0'])
  await control('Total', 3).fill('x')
  await control('Total', 3).press('Enter')
  await page.locator('.row-note').waitFor()
  await control('Due', 2).focus()
  // What is refused stays in sight.
  expect([await seen(control('Total', 3)), await control('Total', 3).inputValue()]).toEqual(['1', 'x'])
  await control('Total', 3).press('Escape')
  await control('Total', 3).fill('12.5')
  await control('Total', 3).press('Enter')
  await page.keyboard.press('Tab')
  await expect.poll(() => cell(2, 'total').locator('.as').textContent()).toBe('12.50')
})

test('on a phone, too: in a card as high as any, nothing of which is cut', async () => {
  await open(phone)
  await go('live')
  expect((await box('tbody tr'))[3]).toBe(56)
  const cut = await page
    .locator('tbody .as')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent))
  expect(cut).toEqual([])
  await page.getByLabel('Due: Order 3', { exact: true }).focus()
  const [x = 0, , width = 0] = await box('input:focus')
  expect(x + width).toBeLessThanOrEqual(360)
  expect(await flawsOf(page)).toEqual([])
})

test('without script, its control is there at once, with its button', async () => {
  await open({ javaScriptEnabled: false })
  await go('live')
  expect(await page.locator('tbody .as').first().isVisible()).toBe(false)
  const form = page
    .locator('tbody tr')
    .nth(2)
    .locator('form', { has: page.locator('input.number') })
  await form.locator('input.number').fill('77')
  await form.getByRole('button').click()
  expect(await page.locator('tbody tr').nth(2).locator('input.number').inputValue()).toBe('77.00')
})
