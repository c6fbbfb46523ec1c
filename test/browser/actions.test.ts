import { setTimeout } from 'node:timers/promises'
import { defineResource, id, text } from 'daymark'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cities as table } from '../../examples/atlas/schema.js'
import { type AtlasPanel, startAtlas } from '../support/atlas-panel.js'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'
import { cutNetwork, mendNetwork } from './world.js'

const cities = '/admin/resource/cities/crud'

// Its job takes minutes, on every machine. Over the same rows, the demo's Survey may end while a test still looks for it.
const Paced = defineResource({
  model: table,
  uriKey: 'paced',
  title: 'Paced',
  fields: { id: id(), name: text('Name') },
  handlers: {
    survey: {
      label: 'Survey',
      confirm: 'It takes its time.',
      selection: 'required',
      long: true,
      run: async () => void (await setTimeout(400)),
    },
  },
  indexButtons: [{ label: 'Survey', handler: 'survey', bulk: true }],
})
const paced = '/admin/resource/paced/crud'
let atlas: AtlasPanel
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  ;[atlas, browser] = await Promise.all([startAtlas({ more: [Paced] }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await atlas?.close()
})
beforeEach(() => open(true))

async function open(javaScriptEnabled: boolean) {
  await context?.close()
  context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
}

const go = (path: string) => page.goto(atlas.base + path)
const dialog = () => page.locator('dialog[open]')
const toast = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).waitFor()
const record = async (id: number) => {
  const answer = await page.request.get(`${atlas.base}${cities}/${id}`, { headers: { accept: 'application/json' } })
  return ((await answer.json()) as { data: { population: number; notes: string | null } }).data
}
const shanghai = 34372

async function ask(name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Estimate…' }).click()
}

test('what fails on the panel’s own side is said with the number to quote', async () => {
  await go(`${cities}?query-tag=megacities`)
  const fault = { type: 'urn:daymark:error:internal', status: 500, message: 'Something went wrong on our side', requestId: '23c0ee0f' }
  await ask('Shanghai')
  await dialog().locator('#action-growth').fill('1')
  await page.route('**/*', (route) => route.fulfill({ status: 500, json: fault }), { times: 1 })
  await dialog().getByRole('button', { name: 'Estimate' }).click()
  await expect.poll(() => dialog().getByRole('alert').innerText()).toBe('Something went wrong on our side. Request 23c0ee0f')
})

test('a form that does not arrive says so in place, and what is selected stays', async () => {
  await go(`${cities}?query-tag=megacities`)
  await page.getByRole('checkbox', { name: 'Select Shanghai' }).check()
  await cutNetwork(context)
  await ask('Shanghai')
  await expect.poll(() => page.getByRole('alert').allInnerTexts()).toEqual(['The panel cannot be reached'])
  expect(await page.getByRole('checkbox', { name: 'Select Shanghai' }).isChecked()).toBe(true)
  await mendNetwork(context)
  await ask('Shanghai')
  await dialog().getByRole('heading', { name: 'Estimate population' }).waitFor()
})

test.each(['Estimate…', 'Delete'])('%s for what somebody has deleted says so, and leaves the list as it is found', async (button) => {
  const made = await page.request.post(`${atlas.base}${cities}`, {
    headers: { accept: 'application/json' },
    data: { name: `Left ${button}`, countryId: 1, population: 1, latitude: 1, longitude: 1 },
  })
  expect(made.status(), await made.text()).toBe(201)
  const { data } = (await made.json()) as { data: { id: number } }
  const list = `${cities}?search=Left`
  await go(list)
  await page.getByRole('button', { name: `Actions for Left ${button}` }).click()
  await page.request.delete(`${atlas.base}${cities}/${data.id}`, { headers: { accept: 'application/json' } })
  await page.locator('.menu:popover-open').getByRole('button', { name: button }).click()
  await toast('This record is no longer in the list')
  expect(page.url()).toBe(atlas.base + list)
  expect(await page.getByText(`Left ${button}`).count()).toBe(0)
})

test('a button asks in a dialog, says what is wrong at its field, keeps what was typed, and does it', async () => {
  await go(`${cities}?query-tag=megacities`)
  const before = await record(shanghai)
  await ask('Shanghai')
  await dialog().getByRole('heading', { name: 'Estimate population' }).waitFor()
  expect(await dialog().innerText()).toContain('For Shanghai')
  await dialog().locator('#action-growth:focus').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.getByLabel('Growth').fill('much')
  await page.getByLabel('Note').fill('Seen')
  await page.keyboard.press('Tab')
  await dialog().getByRole('button', { name: 'Estimate population' }).click()
  await dialog().locator('.error').waitFor()
  expect(await page.getByLabel('Growth').getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Growth').getAttribute('aria-describedby')).toContain('action-growth-error')
  expect(await page.getByLabel('Note').inputValue()).toBe('Seen')
  expect(await flawsOf(page)).toEqual([])
  expect(await record(shanghai)).toEqual(before)
  await page.getByLabel('Growth').fill('10')
  await page.getByLabel('Growth').press('Enter')
  await toast('Estimated: 1')
  expect(await dialog().count()).toBe(0)
  expect(await record(shanghai)).toMatchObject({ population: Math.round(before.population * 1.1), notes: 'Seen' })
  await page.getByRole('cell', { name: Math.round(before.population * 1.1).toLocaleString('en') }).waitFor()
})

test('a dialog is left by Escape and by Cancel, and nothing is done', async () => {
  await go(`${cities}?query-tag=megacities`)
  const before = await record(shanghai)
  await ask('Shanghai')
  await page.getByLabel('Growth').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await ask('Shanghai')
  await dialog().getByRole('link', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'detached' })
  expect(await record(shanghai)).toEqual(before)
})

test('a refusal that is said at its field alone leaves no gap at the head', async () => {
  await go(`${cities}?query-tag=megacities`)
  await ask('Shanghai')
  await page.getByLabel('Growth').fill('9999')
  await dialog().locator('.actions button').first().click()
  await dialog().getByText('Growth must be at most 50').first().waitFor()
  expect(await dialog().locator('.notices').count()).toBe(0)
})

test('what is typed into one is kept by the first Escape', async () => {
  await go(`${cities}?query-tag=megacities`)
  await ask('Shanghai')
  await page.getByLabel('Growth').fill('7')
  await page.keyboard.press('Escape')
  await dialog().getByRole('alert').filter({ hasText: 'Press Escape again' }).waitFor()
  expect(await page.getByLabel('Growth').inputValue()).toBe('7')
  await page.getByLabel('Growth').fill('8')
  await expect.poll(() => dialog().getByRole('alert').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await ask('Shanghai')
  expect(await page.getByLabel('Growth').inputValue()).not.toBe('8')
})

test('one that only asks has the focus on Cancel: Enter, and Enter again, does nothing', async () => {
  await go(`${cities}?query-tag=megacities`)
  await page.getByRole('checkbox', { name: 'Select Shanghai' }).check()
  await page.locator('.bulk').getByRole('button', { name: 'Survey' }).press('Enter')
  await dialog().getByRole('link', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  expect(await page.locator('.job-panel').count()).toBe(0)
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Survey')
})

test('everything that matches is selected and worked on', async () => {
  await go(`${cities}?query-tag=capitals&perPage=5`)
  await page.locator('.pick-all').check()
  await page.getByRole('button', { name: /^Select all 2\d\d$/ }).click()
  await page.getByText(/^All 2\d\d selected$/).waitFor()
  await page.locator('.bulk').getByRole('button', { name: 'Recount' }).click()
  await toast(/^2\d\d recounted/)
  // Nothing stays selected for what comes next.
  await page.locator('.bulk').waitFor({ state: 'hidden' })
  const answer = await page.request.get(`${atlas.base}${cities}?query-tag=capitals&perPage=100&page=2`, {
    headers: { accept: 'application/json' },
  })
  const { data } = (await answer.json()) as { data: { population: number }[] }
  expect(data.filter(({ population }) => population % 100 !== 0)).toEqual([])
})

test('a long handler shows how far it is, goes on without its page, and is stopped', async () => {
  await go(paced)
  await page.locator('.pick-all').check()
  await page.getByRole('button', { name: 'Select all 135,233' }).click()
  await page.locator('.bulk').getByRole('button', { name: 'Survey' }).click()
  expect(await dialog().innerText()).toContain('For 135,233 records')
  await dialog().getByRole('button', { name: 'Survey' }).click()
  const bar = page.getByRole('region', { name: 'Survey' })
  await bar.getByText(/^[1-9][\d,]* of 135,233$/).waitFor()
  expect(await flawsOf(page)).toEqual([])
  const href = (await bar.getByRole('link', { name: 'Show' }).getAttribute('href')) ?? ''
  await page.close()
  page = await context.newPage()
  await go(href)
  const before = await page.locator('.count').innerText()
  await expect.poll(() => page.locator('.count').innerText()).not.toBe(before)
  expect(await flawsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Cancelled').waitFor()
  await page.getByRole('link', { name: 'Go to Paced' }).waitFor()
})

test('a job that runs is found again on any page, until one closes it', async () => {
  await go(paced)
  await page.locator('.pick-all').check()
  await page.getByRole('button', { name: 'Select all 135,233' }).click()
  await page.locator('.bulk').getByRole('button', { name: 'Survey' }).click()
  await dialog().getByRole('button', { name: 'Survey' }).click()
  const bar = page.getByRole('region', { name: 'Survey' })
  const runs = () => bar.getByText(/^[1-9][\d,]* of 135,233$/).waitFor()
  await runs()
  await page.reload()
  await runs()
  // Nobody has asked for it here.
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
  await go('/admin/resource/countries/crud')
  await runs()
  expect(await flawsOf(page)).toEqual([])
  const href = (await bar.getByRole('link', { name: 'Show' }).getAttribute('href')) ?? ''
  await go(href)
  await page.getByRole('progressbar').waitFor()
  expect(await bar.count()).toBe(0)
  await go(paced)
  await runs()
  await bar.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  expect(await bar.count()).toBe(0)
  expect(await page.evaluate("sessionStorage.getItem('daymark-job')")).toBe(null)
  await go(href)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Cancelled').waitFor()
})

test('a job that ends while one is elsewhere is said to have, once', async () => {
  await go(cities)
  const box = page.locator('tbody [type=checkbox]').first()
  await box.check()
  // The list never hears of the end: its stream would try again until the page is left.
  await page.route('**/admin/job/*', (route) => (route.request().frame().url().includes(cities) ? route.abort() : route.continue()))
  await page.locator('.bulk').getByRole('button', { name: 'Survey' }).click()
  await dialog().getByRole('button', { name: 'Survey' }).click()
  await page.getByRole('region', { name: 'Survey' }).waitFor()
  await go('/admin/resource/countries/crud')
  await toast('1 surveyed')
  expect(await page.evaluate("sessionStorage.getItem('daymark-job')")).toBe(null)
})

test('after work on a selection the focus is on the rows; while a job runs, on its panel', async () => {
  const focused = () => page.evaluate("[...document.activeElement.classList, document.activeElement.innerText.split('\\n')[0]].join(' ')")
  const inRows = () => page.evaluate("document.activeElement.matches('.scroller')")
  await go(`${cities}?query-tag=megacities`)
  await page.getByRole('checkbox', { name: 'Select Shanghai' }).check()
  await page.locator('.bulk').getByRole('button', { name: 'Recount' }).press('Enter')
  await toast('1 recounted')
  await expect.poll(inRows).toBe(true)
  // It is the whole selection that is given up, too.
  await page.getByRole('checkbox', { name: 'Select Shanghai' }).check()
  await page.locator('.bulk [type=reset]').press('Enter')
  await expect.poll(inRows).toBe(true)

  await page.setViewportSize({ width: 390, height: 800 })
  await go(cities)
  await page.locator('tbody [type=checkbox]').first().check()
  await page.locator('.bulk').getByRole('button', { name: 'Survey' }).press('Enter')
  await dialog().getByRole('button', { name: 'Survey' }).press('Enter')
  await toast('1 surveyed')
  await expect.poll(inRows).toBe(true)

  await page.setViewportSize({ width: 1280, height: 800 })
  await go(paced)
  await page.locator('.pick-all').check()
  await page.getByRole('button', { name: 'Select all 135,233' }).click()
  await page.locator('.bulk').getByRole('button', { name: 'Survey' }).press('Enter')
  await dialog().getByRole('button', { name: 'Survey' }).press('Enter')
  await expect.poll(focused).toBe('job-panel Survey')
  const bar = page.getByRole('region', { name: 'Survey' })
  await bar.getByText(/^[1-9][\d,]* of 135,233$/).waitFor()
  await bar.getByRole('button', { name: 'Cancel' }).press('Enter')
  await bar.getByText('Cancelled').waitFor()
  await expect.poll(focused).toBe('job-panel Survey')
  await bar.getByRole('button', { name: 'Close' }).press('Enter')
  await bar.waitFor({ state: 'detached' })
  expect(await inRows()).toBe(true)
})

test('a field says what is wrong when one leaves it', async () => {
  await go('/admin/resource/cities/form-page/17220')
  await page.getByLabel('Population').fill('-1')
  await page.getByLabel('Notes').focus()
  await page.getByText('Population must be at least 0').waitFor()
  expect(await page.getByLabel('Population').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Population').fill('1')
  await page.getByLabel('Notes').focus()
  await page.getByText('Population must be at least 0').waitFor({ state: 'detached' })
})

test('without script the form is a page of its own, and a job one that asks again', async () => {
  await open(false)
  await go(`${cities}?query-tag=megacities&sort=id`)
  await ask('Shanghai')
  await page.getByRole('heading', { level: 1, name: 'Estimate population' }).waitFor()
  await page.getByLabel('Growth').fill('99')
  await page.getByRole('button', { name: 'Estimate population' }).click()
  await page.getByRole('link', { name: 'Growth must be at most 50' }).waitFor()
  expect(await page.getByLabel('Growth').inputValue()).toBe('99')
  await page.getByLabel('Growth').fill('1')
  await page.getByRole('button', { name: 'Estimate population' }).click()
  await toast('Estimated: 1')
  expect(new URL(page.url()).search).toBe('?query-tag=megacities&sort=id')
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check()
  await page.locator('.bulk').getByRole('button', { name: 'Survey' }).click()
  await page.getByRole('button', { name: 'Survey' }).click()
  await page.getByText('1 surveyed').waitFor()
  expect(page.url()).toMatch(/\/admin\/job\//)
})

test('a record has its buttons in a menu of their own', async () => {
  await go(`${cities}/${shanghai}`)
  await page.getByRole('button', { name: 'Population', exact: true }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Recount' }).click()
  await toast('1 recounted')
  expect((await record(shanghai)).population % 100).toBe(0)
})
