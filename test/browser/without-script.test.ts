import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AtlasPanel, startAtlas } from '../support/atlas-panel.js'
import { launchBrowser } from '../support/browser.js'

const cities = '/admin/resource/cities/crud'
let atlas: AtlasPanel
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  ;[atlas, browser] = await Promise.all([startAtlas(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await atlas?.close()
})
beforeEach(async () => {
  await context?.close()
  context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
})

const go = (path: string) => page.goto(atlas.base + path)
const heading = () => page.locator('h1').innerText()
// A key does not wait for the page that it asks for.
const headed = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
const save = () => page.getByRole('button', { name: 'Save', exact: true }).click()
const names = () => page.locator('tbody .label').allInnerTexts()

test('a record is made, changed and deleted', async () => {
  await go(cities)
  await page.getByRole('link', { name: 'New city' }).click()
  await page.getByLabel('Name').fill('Neu Atlantis')
  await page.getByRole('textbox', { name: 'Country' }).fill('48')
  await page.getByLabel('Population').fill('1234')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  expect(await heading()).toBe('Neu Atlantis')
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Neu Atlantis created')

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('switch', { name: 'Capital' }).check()
  await page.getByRole('button', { name: 'Save and continue' }).click()
  expect(await page.getByRole('switch', { name: 'Capital' }).isChecked()).toBe(true)
  await page.getByRole('switch', { name: 'Capital' }).uncheck()
  await save()
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Neu Atlantis saved')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  expect(await heading()).toBe('Delete Neu Atlantis?')
  await page.getByRole('button', { name: 'Delete' }).click()
  expect(new URL(page.url()).pathname).toBe(cities)
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Neu Atlantis deleted')
})

test('a cancelled delete deletes nothing', async () => {
  await go(`${cities}?sort=-population&perPage=5`)
  await page.getByRole('button', { name: 'Actions for Shanghai' }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  expect((await names())[0]).toBe('Shanghai')
})

test('one makes another after the first, and each once', async () => {
  await go('/admin/resource/languages/form-page')
  await page.getByLabel('Code').fill('tst')
  await page.getByLabel('Name').fill('Test')
  const once = await page.locator('[name=_once]').inputValue()
  await page.getByRole('button', { name: 'Save and create another' }).click()
  expect(await heading()).toBe('New language')
  expect(await page.getByLabel('Code').inputValue()).toBe('')
  expect(await page.locator('[name=_once]').inputValue()).not.toBe(once)
})

test('a refused form keeps what was typed, and its errors lead to their fields', async () => {
  await go('/admin/resource/cities/form-page/34372')
  await page.getByLabel('Name').fill('')
  await page.getByLabel('Population').fill('very many')
  await page.getByLabel('Notes').fill('Kept\nwith its line')
  const [answer] = await Promise.all([page.waitForResponse((one) => one.request().method() === 'POST'), save()])
  expect(answer.status()).toBe(422)
  expect(await page.getByLabel('Population').inputValue()).toBe('very many')
  expect(await page.getByLabel('Notes').inputValue()).toBe('Kept\nwith its line')
  expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
  expect(await page.locator(`#${await page.getByLabel('Name').getAttribute('aria-describedby')}`).innerText()).toBe('Name is required')
  await page.getByRole('alert').getByRole('link', { name: 'Population must be a whole number' }).click()
  expect(new URL(page.url()).hash).toBe(`#${await page.getByLabel('Population').getAttribute('id')}`)
})

test('a list is searched, filtered, sorted and paged, and the address says so', async () => {
  await go(cities)
  await page.getByRole('searchbox').fill('san')
  await page.getByRole('searchbox').press('Enter')
  await page.locator('summary', { hasText: 'Population' }).click()
  await page.locator('#filter-population-from').fill('1000000')
  await page.locator('.filter[open]').getByRole('button', { name: 'Apply' }).click()
  expect(await page.locator('.chip').allInnerTexts()).toEqual(['Search: san', 'Population ≥ 1,000,000'])
  const reproduced = page.url()

  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  const sorted = await names()
  expect(sorted).toEqual([...sorted].sort((a, b) => a.localeCompare(b, 'en')))
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  expect(await names()).toEqual(sorted.toReversed())

  await page.getByRole('link', { name: 'Remove the filter Search: san' }).click()
  expect(await page.locator('.chip').allInnerTexts()).toEqual(['Population ≥ 1,000,000'])
  await page.getByRole('link', { name: 'Next' }).click()
  expect(await page.locator('.pager > span').first().innerText()).toMatch(/^26–50 of /)
  expect(await page.getByRole('link', { name: 'Page 2' }).getAttribute('aria-current')).toBe('page')
  await page.getByRole('link', { name: 'Clear all' }).click()
  expect(await page.locator('.total').innerText()).toBe('135,233')

  await page.goto(reproduced)
  expect(await page.locator('.chip').allInnerTexts()).toEqual(['Search: san', 'Population ≥ 1,000,000'])
})

test('a tag is a tab, and a filter keeps it', async () => {
  await go(cities)
  await page.getByRole('link', { name: 'Megacities' }).click()
  await page.getByRole('searchbox').fill('shanghai')
  await page.getByRole('searchbox').press('Enter')
  expect(await page.getByRole('link', { name: 'Megacities' }).getAttribute('aria-current')).toBe('page')
  expect(await names()).toEqual(['Shanghai'])
})

test('nothing that matches names the filters and leads out of them', async () => {
  await go(`${cities}?search=zzzz&query-tag=capitals`)
  expect(await page.locator('.empty').innerText()).toContain('No records match: “Capitals”, “zzzz”')
  await page.getByRole('link', { name: 'Clear filters' }).click()
  expect(await page.locator('.total').innerText()).toBe('135,233')
})

test('selected rows are counted, asked for and deleted together', async () => {
  await go(`${cities}?sort=id&perPage=5`)
  const [first, second, third] = await names()
  await page
    .getByRole('checkbox', { name: `Select ${first}` })
    .first()
    .check()
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .nth(1)
    .check()
  await page.locator('.bulk').getByRole('button', { name: 'Delete' }).click()
  expect(await heading()).toBe('Delete 2 records?')
  expect((await page.locator('.confirm li').allInnerTexts()).sort()).toEqual([first, second].sort())
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => page.getByRole('status').innerText()).toBe('2 deleted')
  await go(`${cities}?sort=id&perPage=5`)
  expect((await names())[0]).toBe(third)
})

test('behind a delete the list is as it was: its filters, its order, its page', async () => {
  const list = `${cities}?filter[name][contains]=san&sort=name&perPage=5&page=2`
  const expectList = async (said: string) => {
    await expect.poll(() => page.getByRole('status').innerText()).toBe(said)
    expect(decodeURIComponent(page.url())).toBe(atlas.base + list)
  }
  await go(list)
  const select = page.getByRole('checkbox', { name: /^Select/ })
  await select.nth(0).check()
  await select.nth(1).check()
  await page.locator('.bulk').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expectList('2 deleted')
  const [first] = await names()
  await page
    .getByRole('button', { name: `Actions for ${first}` })
    .first()
    .click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expectList(`${first} deleted`)
})

test('a relation is found by a search, and the rest of the form is kept', async () => {
  await go('/admin/resource/cities/form-page/34372')
  await page.getByLabel('Population').fill('22000000')
  await page.getByText('Find', { exact: true }).click()
  await page.getByPlaceholder('Search Country').fill('icel')
  await page.locator('.ask').getByRole('button', { name: 'Search' }).click()
  expect(await page.getByLabel('Population').inputValue()).toBe('22000000')
  await page.getByRole('radio', { name: 'Iceland' }).check()
  await save()
  expect(await page.getByRole('link', { name: 'Iceland' }).count()).toBe(1)
  expect(await page.getByText('22,000,000').count()).toBe(1)
})

test('of two who change a record the second chooses, field by field', async () => {
  await go('/admin/resource/cities/form-page/17220')
  const data = { notes: 'theirs', population: 7 }
  await page.request.put(`${atlas.base}${cities}/17220`, { headers: { accept: 'application/json' }, data })
  await page.getByLabel('Notes').fill('mine')
  await page.getByLabel('Population').fill('8')
  await save()
  expect(await page.locator('.compare tbody th').allInnerTexts()).toEqual(['Population', 'Notes'])
  await page.getByRole('radio', { name: 'Population, Stored now' }).check()
  await page.getByRole('button', { name: 'Save selected values' }).click()
  const record = (await (await page.request.get(`${atlas.base}${cities}/17220`, { headers: { accept: 'application/json' } })).json()) as {
    data: Record<string, unknown>
  }
  expect(record.data).toMatchObject({ notes: 'mine', population: 7 })
})

test('a theme is chosen and stays', async () => {
  await go(cities)
  await page.locator('.user > button').click()
  await page.getByRole('button', { name: 'Dark' }).click()
  expect(new URL(page.url()).pathname).toBe(cities)
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await go('/admin')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
})

test('what is not there says so, with a number to quote and a way on', async () => {
  const answer = await go(`${cities}/99999999`)
  expect(answer?.status()).toBe(404)
  expect(await page.locator('.request code').innerText()).toBe(answer?.headers()['x-request-id'])
  await page.getByRole('link', { name: 'Go to Cities' }).click()
  expect(await heading()).toContain('Cities')
})

test('a whole create, edit and delete by the keyboard alone', async () => {
  await go('/admin/resource/languages/crud')
  await page.getByRole('link', { name: 'New language' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/form-page')
  await page.getByLabel('Code').focus()
  await page.keyboard.type('kbd')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Keyboard')
  await page.keyboard.press('Enter')
  await headed('Keyboard')

  await page.getByRole('link', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/form-page/*')
  await page.getByLabel('Name').focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' only')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').waitFor()
  expect(await page.locator('.facts').first().innerText()).toContain('Keyboard only')

  await page.getByRole('button', { name: 'More actions' }).focus()
  // Past Duplicate and History.
  for (const key of ['Enter', 'Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await headed('Delete Keyboard only?')
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Deleted' }).waitFor()
})
