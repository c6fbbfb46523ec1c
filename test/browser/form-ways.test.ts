import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
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

const district = () => page.getByRole('combobox', { name: 'District' })
const restored = () => page.getByText('What you typed here before is back.')
const kept = () => page.evaluate("Object.keys(sessionStorage).filter((name) => name.includes('draft')).length")

beforeEach(() => {
  world.db.exec("update streets set name = 'High Street', district_id = 1")
  page.on('dialog', (dialog) => dialog.accept())
})

/** Types into the form of a street, chooses another district, and waits until that is kept. */
async function typeStreet(): Promise<void> {
  await go('/admin/resource/streets/form-page/1')
  await page.getByLabel('Name').fill('Low Street')
  await district().fill('South')
  await page.getByRole('option', { name: 'South' }).click()
  await page.locator('.unsaved').waitFor()
  await expect.poll(kept).toBe(1)
}

test('what was typed and chosen is there again after Back and after a reload, and goes once it is saved', async () => {
  await typeStreet()
  await page.goto(`${world.base}/admin/resource/districts/crud`)
  await page.goBack()
  await restored().waitFor()
  expect([await page.getByLabel('Name').inputValue(), await district().inputValue()]).toEqual(['Low Street', 'South'])
  await page.locator('.unsaved').waitFor()
  await page.reload()
  await restored().waitFor()
  expect(await district().inputValue()).toBe('South')
  // What is refused keeps it, too: Back from there leads to the same.
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Name is required' }).waitFor()
  await page.getByLabel('Name').fill('Low Street')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast('Low Street saved')
  expect(world.db.prepare('select name, district_id from streets where id = 1').get()).toMatchObject({ name: 'Low Street', district_id: 2 })
  expect(await kept()).toBe(0)
  await go('/admin/resource/streets/form-page/1')
  expect(await restored().count()).toBe(0)
})

test('what is discarded is gone, and so is what Cancel leaves', async () => {
  await typeStreet()
  await page.reload()
  await page.getByRole('button', { name: 'Discard it' }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('High Street')
  expect([await district().inputValue(), await restored().count(), await kept()]).toEqual(['North', 0, 0])
  await typeStreet()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(/crud/)
  expect(await kept()).toBe(0)
})

test('what is put back overwrites nothing that was changed meanwhile', async () => {
  await typeStreet()
  world.db.exec("update streets set name = 'Changed Street' where id = 1")
  await page.reload()
  await restored().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else changed this record').waitFor()
})

test('who has typed before an answer puts something back is not overwritten by it', async () => {
  await typeStreet()
  let answer = () => {}
  await page.route('**/streets/crud/1', async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    await route.continue()
  })
  const asked = page.waitForRequest('**/streets/crud/1')
  await page.reload()
  await asked
  await page.getByLabel('Name').fill('Third Street')
  // Longer than it takes to keep it.
  await expect.poll(() => page.evaluate('JSON.stringify(sessionStorage)')).toContain('Third')
  const answered = page.waitForResponse('**/streets/crud/1')
  answer()
  await (await answered).finished()
  await page.waitForTimeout(100)
  expect([await page.getByLabel('Name').inputValue(), await restored().count()]).toEqual(['Third Street', 0])
  await page.unroute('**/streets/crud/1')
})

test('what is kept of a form stays while it is opened at another address, and leads back to where it is opened from', async () => {
  const create = '/admin/resource/streets/form-page'
  await go(create)
  await page.getByLabel('Name').fill('New Street')
  await expect.poll(kept).toBe(1)
  await go(`${create}?value[name]=Other`)
  expect([await page.getByLabel('Name').inputValue(), await restored().count()]).toEqual(['Other', 0])
  await go(create)
  await restored().waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('New Street')
  await page.getByRole('button', { name: 'Discard it' }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('')
  const from = (list: string) => page.goto(`${world.base}/admin/resource/streets/form-page/1`, { referer: world.base + list })
  const list = '/admin/resource/streets/crud'
  await from(`${list}?sort=name`)
  await page.getByLabel('Name').fill('Low Street')
  await expect.poll(kept).toBe(1)
  await go('/admin/resource/districts/crud')
  await from(`${list}?sort=-name`)
  await restored().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await toast('Low Street saved')
  expect(new URL(page.url()).search).toContain('sort=-name')
})

test('who signs in next finds nothing, however they did', async () => {
  await typeStreet()
  await page.route('**/form-page/1', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(' data-user="local"', ' data-user="someone"') })
  })
  await page.reload()
  await expect.poll(kept).toBe(0)
  expect([await page.getByLabel('Name').inputValue(), await restored().count()]).toEqual(['High Street', 0])
})

test('Cancel in another tab leaves what was typed', async () => {
  await typeStreet()
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Cancel' }).click({ modifiers: ['Control'] }),
  ])
  await other.close()
  expect(await kept()).toBe(1)
  await page.reload()
  await restored().waitFor()
})

test('what is wrong while typing is said at its field, and is no error in the console', async () => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await go('/admin/resource/streets/form-page/1')
  await page.getByLabel('Name').fill('')
  await page.getByLabel('Name').press('Tab')
  await page.getByText('Name is required').waitFor()
  await page.getByLabel('Name').fill('Low Street')
  await page.getByLabel('Name').press('Tab')
  await page.getByText('Name is required').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})
