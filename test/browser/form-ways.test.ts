import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eachOnItsPage, type ScriptWorld } from './world.js'

const towns = '/admin/resource/towns'
let page: Page
let world: ScriptWorld

const { go } = eachOnItsPage((now) => ({ world, page } = now))

const here = () => page.url().slice(world.base.length)
const scrolled = () => page.evaluate('Math.round(scrollY)')
const toast = (text: string) => page.locator('.toast', { hasText: text }).waitFor()

/** Opens the form of a town from its row, after scrolling. */
async function editFrom(list: string, name: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 400 })
  await go(list)
  await page.evaluate('scrollTo(0, 300)')
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.locator('.menu:popover-open').getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('People').waitFor()
}

const filtered = `${towns}/crud?sort=-name&filter%5Bopen%5D=1&page=1`

test('a record that a list led to leads back to it once it is saved, with its filters and its place', async () => {
  await editFrom(filtered, 'Town 41')
  const left = await page.evaluate(
    "JSON.parse(sessionStorage.getItem('daymark-place ' + document.referrer.slice(location.origin.length))).page",
  )
  expect(left).toBeGreaterThan(100)
  // What is refused is shown again, and knows the way.
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Name is required' }).waitFor()
  await page.getByLabel('Name').fill('Town 41')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast('Town 41 saved')
  expect(here()).toBe(filtered)
  await expect.poll(scrolled).toBe(left)
})

test('so does Cancel', async () => {
  await editFrom(filtered, 'Town 41')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.locator('.listing').waitFor()
  expect(here()).toBe(filtered)
  await expect.poll(scrolled).toBeGreaterThan(100)
})

test('one that its own page led to leads back to that', async () => {
  await go(`${towns}/crud/41`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast('Town 41 saved')
  expect(here()).toBe(`${towns}/crud/41`)
})

test('who saves and continues stays where they were, and is led back afterwards', async () => {
  await page.setViewportSize({ width: 1280, height: 200 })
  await go(filtered)
  await page.goto(`${world.base}${towns}/form-page/41`, { referer: world.base + filtered })
  await page.getByLabel('People').waitFor()
  await page.evaluate('scrollTo(0, 40)')
  const left = await scrolled()
  expect(left).toBeGreaterThan(20)
  await page.getByRole('button', { name: 'Save and continue' }).press('Enter')
  await toast('Town 41 saved')
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('continue')
  expect(await scrolled()).toBe(left)
  expect(new URL(page.url()).pathname).toBe(`${towns}/form-page/41`)
  // The next time it is opened, it begins at its top.
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.listing').waitFor()
  expect(here()).toBe(filtered)
  await go(`${towns}/form-page/41`)
  expect(await scrolled()).toBe(0)
})
