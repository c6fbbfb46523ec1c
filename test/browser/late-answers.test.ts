import { definePanel, defineResource, id, memoryStore, number } from 'daymark'
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { eachOnItsPage } from './world.js'

let page: Page

const { go } = eachOnItsPage((now) => ({ page } = now))

test('what a relation found does not open once one has gone on', async () => {
  await go('/admin/resource/streets/form-page/1')
  const held: Route[] = []
  await page.route(/async-search/, (route) => void held.push(route))
  const box = page.getByRole('combobox', { name: 'District' })
  await box.click()
  // At once: of two letters, the second might be searched for, or not, before one goes on.
  await page.keyboard.insertText('so')
  await expect.poll(() => held.at(-1)?.request().url()).toContain('query=so')
  const asked = held.length
  await page.keyboard.press('Tab')
  // Whether it is the whole name of one.
  await expect.poll(() => held.length).toBe(asked + 1)
  for (const route of held) await route.continue().catch(() => {})
  await page.unroute(/async-search/)
  // Long enough for an answer that would have come.
  await page.evaluate("fetch('/admin/async-search/streets/districtId?query=so').then((response) => response.text())")
  expect(await box.getAttribute('aria-expanded')).toBe('false')
  expect(await page.getByRole('option').count()).toBe(0)
  expect(held.length).toBe(asked + 1)
})

test('each field that one has left says what is wrong with it, however late the answer', async () => {
  await go('/admin/resource/towns/form-page/1')
  const held: Route[] = []
  await page.route(/\/validate\//, (route) => void held.push(route))
  await page.getByLabel('Name').fill('')
  await page.getByLabel('People').fill('-1')
  await page.keyboard.press('Tab')
  await expect.poll(() => held.length).toBe(2)
  // The answer about the first comes last.
  await held[1]?.continue()
  await page.locator('#field-people[aria-invalid=true]').waitFor()
  await held[0]?.continue()
  await page.locator('#field-name[aria-invalid=true]').waitFor()
})

test('a German number in a filter is counted as it will be read, and the address says it as programs do', async () => {
  const items = sqliteTable('items', { id: integer().primaryKey(), people: integer() })
  const rows = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, people: (i + 1) * 1000 }))
  const Items = defineResource({ model: memoryStore(items, rows), fields: { id: id(), people: number('People') }, filters: ['people'] })
  const panel = definePanel({ auth: 'open', resources: [Items], locale: 'de' })
  const listening = await panel.listen({ port: 0 })
  try {
    await page.setViewportSize({ width: 390, height: 740 })
    await page.goto(`${listening.url}/admin/resource/items/crud`)
    await page.locator('.more > summary').click()
    await page.locator('.filter > summary', { hasText: 'People' }).click()
    await page.locator('[name="filter[people][from]"]').fill('10.000')
    await page.getByRole('button', { name: '51 zeigen' }).click()
    await expect.poll(() => page.locator('.total').innerText()).toBe('51')
    expect(new URL(page.url()).search).toBe('?filter%5Bpeople%5D%5Bfrom%5D=10000')
    // The same where the page comes as a whole.
    await page.goto(`${listening.url}/admin/resource/items/crud?filter[people][from]=10.000&page=2`)
    await expect.poll(() => new URL(page.url()).search).toBe('?filter%5Bpeople%5D%5Bfrom%5D=10000&page=2')
  } finally {
    await listening.close()
    await panel.close()
  }
})
