import { definePanel, defineResource, id, memoryStore, number, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const parcels = sqliteTable('parcels', { id: integer().primaryKey(), name: varchar(), weight: real(), full: integer() })
const Parcels = defineResource({
  model: memoryStore(parcels, [
    { id: 1, name: 'Books', weight: 12.5, full: 40 },
    { id: 2, name: 'Lamps', weight: 1200, full: 5 },
  ]),
  fields: {
    id: id(),
    name: text('Name'),
    weight: number('Weight').unit('kg').hint('With its box'),
    full: number('Full').max(100).unit('%').updateOnPreview(),
  },
  filters: ['weight'],
  summary: { weight: 'sum' },
})
const panel = definePanel({ auth: 'open', resources: [Parcels] })
let listening: Awaited<ReturnType<typeof panel.listen>>
let browser: Browser
let page: Page

beforeAll(async () => {
  ;[listening, browser] = await Promise.all([panel.listen({ port: 0 }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await listening?.close()
  await panel.close()
})

async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  page = await (await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 }, ...options })).newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(listening.url + path)
}

const list = '/admin/resource/parcels/crud'
const plainly = (words: string | null) => words?.replaceAll('\u202f', ' ')

test('the unit stands beside its control, on its line, and describes it', async () => {
  await open('/admin/resource/parcels/form-page/1')
  const control = page.getByRole('textbox', { name: 'Weight' })
  const [input, unit] = [await control.boundingBox(), await page.locator('.affix', { hasText: 'kg' }).boundingBox()]
  if (!input || !unit) throw new Error('nothing is drawn')
  expect(Math.abs(input.y + input.height / 2 - (unit.y + unit.height / 2))).toBeLessThan(2)
  expect(unit.x - (input.x + input.width)).toBeGreaterThanOrEqual(4)
  // As wide as a number without one.
  expect(input.width).toBe(160)
  const ids = (await control.getAttribute('aria-describedby'))?.split(' ') ?? []
  const described = await Promise.all(ids.map((one) => page.locator(`[id="${one}"]`).textContent()))
  expect(described).toEqual(['kg', 'With its box'])
})

test('a number that is changed in its row keeps its unit; what is typed is the number alone', async () => {
  await open(list)
  const row = page.getByRole('row', { name: 'Books' })
  const control = row.getByRole('textbox', { name: 'Full: Books' })
  expect(await control.inputValue()).toBe('40')
  await control.fill('55')
  await control.press('Enter')
  await expect.poll(async () => plainly(await row.locator('form.typed .as').textContent())).toBe('55%')
  expect(plainly(await page.locator('tfoot').textContent())).toContain('1,212.5 kg')
})

test('a filter by it fits into its panel, and its chip has the unit', async () => {
  await open(list)
  await page.locator('details.filter summary').first().click()
  const panelBox = await page.locator('details.filter .panel').boundingBox()
  for (const affix of await page.locator('details.filter .affix').all()) {
    const box = await affix.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((panelBox?.x ?? 0) + (panelBox?.width ?? 0))
  }
  await page.getByRole('textbox', { name: 'From' }).fill('100')
  await page.keyboard.press('Enter')
  await expect.poll(async () => plainly(await page.locator('.chips').textContent())).toContain('Weight ≥ 100 kg')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
})

test.each([1280, 390])('forms and lists are accessible and fit, %d pixels wide', async (width) => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const path of [list, '/admin/resource/parcels/form-page/1']) {
      await open(path, { colorScheme, viewport: { width, height: 800 } })
      expect(await flawsOf(page)).toEqual([])
    }
})
