import {
  belongsTo,
  chart,
  dateTime,
  definePage,
  definePanel,
  defineResource,
  figure,
  fragment,
  grid,
  groups,
  id,
  memoryStore,
  metric,
  number,
  pageFilter,
  select,
  tableBuilder,
  tabs,
  text,
} from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const companies = sqliteTable('companies', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  status: varchar({ enum: ['open', 'paid', 'late'] }).notNull(),
  companyId: integer('company_id').notNull(),
  total: real().notNull(),
  at: integer({ mode: 'timestamp_ms' }).notNull(),
})
const day = 86_400_000
const noon = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)
const dayText = (ago: number) => new Date(noon - ago * day).toISOString().slice(0, 10)

let base: string
let close: () => Promise<unknown>
let browser: Browser

beforeAll(async () => {
  const Companies = defineResource({
    model: memoryStore(companies, [
      { id: 1, name: 'Anvil' },
      { id: 2, name: 'Bolt & Sons' },
    ]),
    fields: { id: id(), name: text('Name') },
  })
  const Orders = defineResource({
    model: memoryStore(
      orders,
      // An order a day.
      Array.from({ length: 120 }, (_, index) => ({
        id: index + 1,
        status: (['open', 'paid', 'paid', 'late'] as const)[index % 4] as 'open',
        companyId: (index % 2) + 1,
        total: 100 + ((index * 37) % 90),
        at: new Date(noon - index * day),
      })),
    ),
    fields: {
      id: id(),
      status: select('Status').tones({ paid: 'good', open: 'info', late: 'bad' }),
      companyId: belongsTo('Company', companies),
      total: number('Total').decimals(2).sortable(),
      at: dateTime('At'),
    },
    filters: ['status', 'companyId', 'at'],
  })
  const period = pageFilter.period({ initial: 'last-30-days' })
  const status = pageFilter.of(Orders, 'status')
  const company = pageFilter.of(Orders, 'companyId')
  const where = { at: { within: period }, status, companyId: company } as const
  const home = definePage({
    uri: 'home',
    title: 'Sales',
    filters: { period, status, company },
    components: [
      grid(3, [
        metric({
          name: 'total',
          label: 'Sales',
          value: figure.sum(Orders, 'total', where),
          before: { value: figure.sum(Orders, 'total', { ...where, at: { within: period.before } }) },
          rise: 'good',
          link: Orders,
        }),
        metric({ name: 'orders', label: 'Orders', value: figure.count(Orders, where), link: Orders }),
        metric({ name: 'average', label: 'Average', value: figure.average(Orders, 'total', where) }),
      ]),
      grid(2, [
        chart({
          name: 'days',
          label: 'Sales over time',
          data: groups.sum(Orders, 'total', { by: 'at', within: period, where: { status, companyId: company }, split: 'status' }),
        }),
        chart({ name: 'by-status', label: 'Orders by status', type: 'doughnut', data: groups.count(Orders, { by: 'status', where }) }),
        chart({ name: 'bars', label: 'By status', data: groups.count(Orders, { by: 'status', where }) }),
      ]),
      tableBuilder(Orders, {
        name: 'orders-table',
        title: 'Orders',
        columns: ['id', 'status', 'companyId', 'total'],
        where,
        sort: 'id',
        perPage: 5,
        async: true,
      }),
      tabs({
        name: 'more',
        label: 'More',
        tabs: [
          { uri: 'one', label: 'One', components: [metric({ name: 'in-one', label: 'In one', value: 1 })] },
          { uri: 'two', label: 'Two', components: [metric({ name: 'in-two', label: 'In two', value: figure.count(Orders, where) })] },
        ],
      }),
      fragment('later', [metric({ name: 'late', label: 'Later', value: figure.count(Orders, where) })], { deferred: true }),
    ],
  })
  const panel = definePanel({ auth: 'open', resources: [Orders, Companies], home })
  const listening = await panel.listen({ port: 0 })
  base = listening.url
  close = async () => {
    await listening.close()
    await panel.close()
  }
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await close?.()
})

async function on<T>(query: string, options: BrowserContextOptions, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    await page.goto(`${base}/admin${query}`)
    return await look(page)
  } finally {
    await context.close()
  }
}

const value = (page: Page, name: string) => page.locator(`#${name} .value`).textContent()
const open = (page: Page, name: string) => page.locator(`#page-filter-${name} > summary`).click()

test('a click on a period swaps what the page shows, without a reload, and the address has it', async () => {
  await on('', {}, async (page) => {
    await page.locator('#late .value').waitFor()
    expect(await value(page, 'orders')).toBe('30')
    await page.evaluate(() => Object.assign(globalThis, { stays: true }))
    await open(page, 'period')
    await page.getByRole('link', { name: 'Last 7 days' }).click()
    await page.locator('#orders .value', { hasText: /^7$/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?period=last-7-days')
    expect(await page.locator('#page-filter-period > summary').textContent()).toBe('Period: Last 7 days')
    expect(await page.locator('#page-filter-period').getAttribute('open')).toBeNull()
    expect(await page.evaluate(() => 'stays' in globalThis)).toBe(true)
    // What loads after the page has it, too.
    await page.locator('#late .value', { hasText: /^7$/ }).waitFor()
    await page.goBack()
    await page.locator('#orders .value', { hasText: /^30$/ }).waitFor()
    expect(await page.locator('#page-filter-period > summary').textContent()).toBe('Period: Last 30 days')
  })
})

test('a choice is applied at once, and pages, sorting and tabs keep it', async () => {
  await on('?period=last-7-days', {}, async (page) => {
    await page.locator('#orders-table .pager').getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(/orders-table%5Bpage%5D=2/)
    await open(page, 'status')
    await page.locator('#filter-status').selectOption('paid')
    await page.locator('#orders .value', { hasText: /^4$/ }).waitFor()
    // Other records have other pages.
    expect(new URL(page.url()).search).toBe('?period=last-7-days&status=paid')
    expect(await page.locator('#orders-table tbody tr').count()).toBe(4)
    await page.locator('#orders-table').getByRole('link', { name: 'Total' }).click()
    await page.waitForURL(/orders-table%5Bsort%5D=-total/)
    await page.getByRole('link', { name: 'Two' }).click()
    await page.waitForURL(/more=two/)
    expect(await value(page, 'in-two')).toBe('4')
    expect(new URL(page.url()).searchParams.get('status')).toBe('paid')
    await page.getByRole('link', { name: 'Reset' }).click()
    await page.locator('#orders .value', { hasText: /^30$/ }).waitFor()
    expect(await value(page, 'in-two')).toBe('30')
  })
})

test('a related record is chosen by searching for it', async () => {
  await on('', {}, async (page) => {
    await open(page, 'company')
    await page.locator('#page-filter-company input[type=text]').fill('bolt')
    await page.getByRole('option', { name: 'Bolt & Sons' }).click()
    await page.locator('#orders .value', { hasText: /^15$/ }).waitFor()
    expect(await page.locator('#page-filter-company > summary').textContent()).toBe('Company: Bolt & Sons')
  })
})

test('days that cannot be are corrected where they were typed', async () => {
  await on('', {}, async (page) => {
    await open(page, 'period')
    await page.getByLabel('From', { exact: true }).fill(dayText(2))
    await page.getByLabel('To', { exact: true }).fill(dayText(5))
    await page.locator('#page-filter-period').getByRole('button', { name: 'Apply' }).click()
    const wrong = page.locator('#page-filter-period [aria-invalid=true]')
    await wrong.waitFor()
    expect(await page.locator('#page-filter-period .error').textContent()).toBe('The last day is before the first one')
    await wrong.fill(dayText(1))
    await page.locator('#page-filter-period').getByRole('button', { name: 'Apply' }).click()
    await page.locator('#orders .value', { hasText: /^2$/ }).waitFor()
    expect(await page.getByRole('link', { name: 'Sales' }).first().getAttribute('href')).not.toBeNull()
  })
})

test('without script, links and forms do the same', async () => {
  await on('?status=paid', { javaScriptEnabled: false }, async (page) => {
    await open(page, 'period')
    await page.getByRole('link', { name: 'Last 7 days' }).click()
    expect(await value(page, 'orders')).toBe('4')
    await open(page, 'period')
    await page.getByLabel('From', { exact: true }).fill(dayText(9))
    await page.getByLabel('To', { exact: true }).fill(dayText(0))
    await page.locator('#page-filter-period').getByRole('button', { name: 'Apply' }).click()
    expect(await value(page, 'orders')).toBe('5')
    expect([...new URL(page.url()).searchParams]).toEqual([
      ['status', 'paid'],
      ['period[from]', dayText(9)],
      ['period[to]', dayText(0)],
    ])
    await open(page, 'company')
    await page.locator('#page-filter-company input[type=search]').fill('bolt')
    await page.locator('#page-filter-company').getByRole('button', { name: 'Search' }).click()
    await page.getByRole('radio', { name: 'Bolt & Sons' }).check()
    await page.locator('#page-filter-company').getByRole('button', { name: 'Apply' }).click()
    expect(await page.locator('#page-filter-company > summary').textContent()).toBe('Company: Bolt & Sons')
  })
})

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('the bar in %s at %i px has no fault that axe finds, and fits', async (colorScheme, width) => {
  await on('?period=last-7-days&status=paid', { colorScheme, viewport: { width, height: 800 } }, async (page) => {
    await page.locator('#late .value').waitFor()
    await open(page, 'period')
    expect(await flawsOf(page)).toEqual([])
    const box = await page.locator('#page-filter-period > .panel').boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true)
    if (process.env.SHOTS) {
      await page.screenshot({ path: `${process.env.SHOTS}/bar-${colorScheme}-${width}.png` })
      await page.locator('#page-filter-period > summary').click()
      await page.screenshot({ path: `${process.env.SHOTS}/page-${colorScheme}-${width}.png`, fullPage: true })
    }
  })
})
