import { chart, dateTime, definePage, definePanel, defineResource, grid, groups, id, memoryStore, number, select, switcher } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelOf } from '../../src/resource/model/model.js'
import { beyond, launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  status: varchar({ enum: ['open', 'paid', 'sent'] }),
  total: real().notNull(),
  express: integer({ mode: 'boolean' }).notNull(),
  at: integer({ mode: 'timestamp_ms' }).notNull(),
})
const day = 86_400_000

let base: string
let close: () => Promise<unknown>
let browser: Browser
let store: ReturnType<typeof memoryStore<typeof orders>>

beforeAll(async () => {
  const rows = Array.from({ length: 90 }, (_, index) => ({
    id: index + 1,
    status: (['open', 'paid', 'sent', null] as const)[index % 4] as 'open',
    total: index % 7 === 0 ? -index : index * 10.25,
    express: index % 3 === 0,
    at: new Date(Date.now() - (index % 40) * day),
  }))
  store = memoryStore(orders, rows)
  const Orders = defineResource({
    model: store,
    title: 'Orders',
    fields: {
      id: id(),
      status: select('Status'),
      total: number('Total').decimals(2),
      express: switcher('Express'),
      at: dateTime('At'),
    },
    filters: ['status', 'express', 'at'],
  })
  const by = { by: 'at', every: 'day', last: 30 } as const
  const home = definePage({
    uri: 'home',
    title: 'Charts',
    components: [
      grid(2, [
        chart({ name: 'days', label: 'Orders a day', data: groups.count(Orders, by) }),
        chart({ name: 'parts', label: 'Totals by status', data: groups.sum(Orders, 'total', { ...by, split: 'status' }) }),
        chart({
          name: 'line',
          label: 'Mean totals',
          type: 'line',
          data: groups.average(Orders, 'total', { ...by, every: 'week', last: 6 }),
        }),
        chart({ name: 'bars', label: 'By status', data: groups.count(Orders, { by: 'status' }) }),
        chart({ name: 'both', label: 'By status and express', data: groups.count(Orders, { by: 'status', split: 'express' }) }),
        chart({ name: 'ring', label: 'Express or not', type: 'doughnut', data: groups.count(Orders, { by: 'express' }) }),
      ]),
      chart({ name: 'none', label: 'Nothing', data: groups.count(Orders, { by: 'status', where: { id: { lt: 0 } } }) }),
    ],
  })
  const panel = definePanel({ auth: 'open', resources: [Orders], home })
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

async function opened(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`${base}/admin`)
  await work(page)
  expect(faults).toEqual([])
  await context.close()
}

test.each(['light', 'dark'] as const)('charts have no axe violation, open and shut, in the %s theme', async (colorScheme) => {
  await opened({ colorScheme }, async (page) => {
    expect(await flawsOf(page)).toEqual([])
    for (const summary of await page.locator('.chart summary').all()) await summary.click()
    expect(await flawsOf(page)).toEqual([])
  })
})

test('what is drawn has the size of what it shows, without script, too', async () => {
  await opened({ javaScriptEnabled: false }, async (page) => {
    const field = await page.locator('#days .field > svg').boundingBox()
    const heights = await page.locator('#days .field > svg rect').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
    const counts = (await page.locator('#days .numbers td').allTextContents()).map(Number).filter((count) => count > 0)
    expect(heights).toHaveLength(counts.length)
    // The highest line is the next step above the largest number.
    const top = Number(await page.locator('#days .scale li').first().textContent())
    for (const [index, height] of heights.entries()) expect(height).toBeCloseTo(((counts[index] as number) / top) * (field?.height ?? 0), 0)
    const bars = await page.locator('#bars td.bar rect').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
    expect(Math.max(...bars)).toBeGreaterThan(100)
    expect(await page.locator('#ring circle').count()).toBe(2)
    expect(await page.locator('#none').textContent()).toBe('NothingNothing to show yet')
    await page.locator('#days summary').click()
    expect(await page.locator('#days .numbers table').isVisible()).toBe(true)
    // Links lead to the records.
    const first = page.locator('#days .numbers tr', { hasText: '3' }).locator('a').first()
    await first.click()
    await page.waitForURL(/crud\?filter/)
    expect(await page.locator('.chips, .applied').first().textContent()).toContain('At')
  })
})

test('what is pointed at tells its numbers, within the window', async () => {
  await opened({ viewport: { width: 390, height: 800 } }, async (page) => {
    for (const index of [0, 14, 29]) {
      const slot = page.locator('#parts .slots > li').nth(index)
      await slot.hover({ position: { x: 2, y: 100 } })
      const tip = slot.locator('.tip')
      expect(await tip.isVisible()).toBe(true)
      const box = await tip.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    }
    expect(await page.locator('#parts .tip:visible').count()).toBe(1)
    expect(await beyond(page)).toBe(0)
  })
})

test('the drawing takes no tab stop; the table of numbers does', async () => {
  await opened({}, async (page) => {
    const stops = await page
      .locator('.plot a, .plot [tabindex="0"]')
      .evaluateAll((all) => all.filter((one) => (one as never as { tabIndex: number }).tabIndex >= 0).length)
    expect(stops).toBe(0)
    await page.locator('#parts summary').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(`document.activeElement.closest('#parts .numbers th')?.tagName`)).toBe('TH')
  })
})

test('an event draws a chart again, and what was open stays so', async () => {
  await opened({}, async (page) => {
    await page.locator('#bars').waitFor()
    await page.locator('#both summary').click()
    const count = () => page.locator('#both tbody tr', { hasText: 'Paid' }).last().locator('td').last().textContent()
    expect(await count()).toBe('23')
    const own = store.transaction((tx) => tx.create(modelOf(orders), { id: 1000, status: 'paid', total: 1, express: true, at: new Date() }))
    await own
    await page.evaluate(`dispatchEvent(new CustomEvent('cards-updated-both'))`)
    await expect.poll(count).toBe('24')
    expect(await page.locator('#both details').evaluate((one) => (one as never as { open: boolean }).open)).toBe(true)
  })
})
