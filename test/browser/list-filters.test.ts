import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Dashboard } from '../../examples/atlas/dashboard.js'
import { type AtlasPanel, startAtlas } from '../support/atlas-panel.js'
import { launchBrowser } from '../support/browser.js'

const cities = '/admin/resource/cities/crud'
const countries = '/admin/resource/countries/crud'
let atlas: AtlasPanel
let browser: Browser

beforeAll(async () => {
  ;[atlas, browser] = await Promise.all([startAtlas({ home: Dashboard }), launchBrowser()])
})
afterEach(async () => {
  await Promise.all(browser.contexts().map((one) => one.close()))
})
afterAll(async () => {
  await browser?.close()
  await atlas?.close()
})

async function visit(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(atlas.base + path)
  return page
}

const chips = (page: Page) => page.locator('.chip').allInnerTexts()
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const sorted = async (page: Page) => (await page.locator('th.sorted').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())

test('a list is filtered by what a related record says, by the control that the field has there', async () => {
  const page = await visit(`${cities}?perPage=5`)
  await page.locator('.more > summary').click()
  await page.getByRole('combobox', { name: 'Country › Landlocked' }).selectOption({ label: 'Yes' })
  await page.locator('[data-counts]').click()
  await expect.poll(() => query(page)['filter[countryId.landlocked]']).toBe('1')
  await expect.poll(() => chips(page)).toEqual(['Country › Landlocked: Yes'])
  expect((await page.locator('tbody tr').allInnerTexts()).join()).toContain('Kabul')
  await page.goto(`${atlas.base}/admin/resource/stops/crud`)
  await page.locator('.more > summary').click()
  const box = page.getByRole('combobox', { name: 'City › Country' })
  await box.fill('jap')
  await page.getByRole('option', { name: 'Japan' }).click()
  await page.locator('[data-counts]').click()
  await expect.poll(() => query(page)['filter[cityId.countryId]']).toBeTruthy()
  await expect.poll(() => chips(page)).toEqual(['City › Country: Japan'])
  expect(await page.locator('tbody tr').count()).toBe(1)
})

test('a filter in force shows on the button that it stands behind: of the others on a desktop, of all on a phone', async () => {
  const path = `${countries}?perPage=5&filter[unMember]=1&filter[landlocked]=0&filter[name][contains]=a`
  const page = await visit(path, { javaScriptEnabled: false })
  const more = page.locator('.more > summary')
  const color = (one: Page, selector = '.more > summary') =>
    one.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
  expect((await more.innerText()).trim()).toBe('More · 2')
  expect(await color(page)).toBe(await color(page, '.filter.on > summary'))
  expect(await chips(page)).toEqual(['Name contains “a”', 'Landlocked: No', 'UN member: Yes'])
  const phone = await visit(path, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  expect(await phone.locator('.more > summary > span').filter({ visible: true }).last().innerText()).toBe('3')
  expect(await color(phone)).toBe(await color(page))
  // The chips are wider than the phone; what clears them all is in reach.
  expect(await phone.locator('.chips').evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true)
  const clear = await phone.getByRole('link', { name: 'Clear all' }).boundingBox()
  expect((clear?.x ?? 390) + (clear?.width ?? 0)).toBeLessThanOrEqual(390)
  await phone.goto(`${atlas.base}${countries}?perPage=5`)
  expect(await color(phone)).not.toBe(await color(page))
})

test('a filter that is opened has the focus, by pointer or key, but not on a phone', async () => {
  const page = await visit(cities)
  const focused = (one: Page) =>
    one.evaluate('document.activeElement.localName + " " + (document.activeElement.role ?? document.activeElement.type ?? "")')
  await page.locator('.filter > summary', { hasText: 'Country' }).click()
  await expect.poll(() => focused(page)).toBe('input combobox')
  await page.keyboard.type('icel')
  await page.getByRole('option', { name: /^Iceland/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.locator('.filter > summary', { hasText: 'Population' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toMatch(/^input (?:text|number)/)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toMatch(/^summary/)
  const phone = await visit(cities, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await phone.locator('.more > summary').tap()
  await phone.locator('.more[open]').waitFor()
  expect(await focused(phone)).toMatch(/^summary/)
})

describe('a filter by a related record', () => {
  test('is searched by what the record is called, and its chip says that', async () => {
    const page = await visit(cities)
    const filter = page.locator('.filter', { hasText: 'Country' })
    await filter.locator('summary').click()
    await page.getByRole('combobox', { name: 'Country' }).fill('icel')
    await page.getByRole('option', { name: /^Iceland/ }).click()
    await expect.poll(() => chips(page)).toEqual(['Country: Iceland'])
    const key = query(page)['filter[countryId]']
    expect(query(page)).toEqual({ 'filter[countryId]': expect.stringMatching(/^\d+$/) })
    // The list that came has the same means again; nothing typed is nothing chosen.
    await filter.locator('summary').click()
    const box = page.getByRole('combobox', { name: 'Country' })
    expect(await box.inputValue()).toBe('Iceland')
    // What names none does not filter by the one before.
    await box.fill('nowhere')
    await page.getByRole('option', { name: 'Nothing found' }).waitFor()
    // By key: what was found may lie over the button until the field is left.
    await filter.getByRole('button', { name: 'Apply' }).press('Enter')
    await page.getByRole('option', { name: 'Nothing found' }).waitFor()
    expect([await box.inputValue(), await box.getAttribute('aria-invalid')]).toEqual(['nowhere', 'true'])
    await box.fill('')
    await page.getByRole('option', { name: 'Any' }).waitFor()
    await box.press('Enter')
    await expect.poll(() => chips(page)).toEqual([])

    // No row says what the country is called.
    await page.goto(`${atlas.base}${cities}?filter[countryId]=${key}&search=zzzz`)
    expect(await chips(page)).toEqual(['Search: zzzz', 'Country: Iceland'])
  })

  test('is searched without script, too', async () => {
    const page = await visit(`${cities}?sort=name&filter[population][from]=10`, { javaScriptEnabled: false })
    const filter = page.locator('.filter', { hasText: 'Country' })
    await filter.locator('summary').click()
    await filter.getByRole('searchbox', { name: 'Country' }).fill('zzzz')
    await filter.getByRole('button', { name: 'Search' }).click()
    expect(await filter.getByRole('status').innerText()).toBe('Nothing found')
    await filter.getByRole('searchbox', { name: 'Country' }).fill('icel')
    await filter.getByRole('button', { name: 'Search' }).click()
    await filter.getByRole('radio', { name: 'Iceland' }).check()
    await filter.getByRole('button', { name: 'Apply' }).click()
    expect(await chips(page)).toEqual(['Country: Iceland', 'Population ≥ 10'])
    expect(query(page)).toMatchObject({ sort: 'name', 'filter[population][from]': '10' })
    // What was searched stands in no address but that of the search.
    expect(await page.locator('a[href*="_find"]').count()).toBe(0)
    await page.locator('summary', { hasText: 'Country' }).click()
    await page.getByRole('searchbox', { name: 'Country' }).fill('nor')
    await filter.getByRole('button', { name: 'Search' }).click()
    expect(await filter.getByRole('radio', { name: 'Iceland' }).isChecked()).toBe(true)
    await filter.getByRole('radio', { name: 'Any' }).check()
    await filter.getByRole('button', { name: 'Apply' }).click()
    expect(await chips(page)).toEqual(['Population ≥ 10'])
  })
})

test('a filter by yes and no can be either', async () => {
  const page = await visit(cities)
  await page.locator('.more > summary').click()
  expect(await page.getByRole('combobox', { name: 'Capital' }).locator('option').allInnerTexts()).toEqual(['Any', 'Yes', 'No'])
})

test('on a phone the button below the filters says how many records it will show', async () => {
  const page = await visit(countries, { viewport: { width: 360, height: 740 } })
  await page.locator('.more > summary').click()
  const show = page.locator('[data-counts]')
  const total = await page.locator('.total').innerText()
  await expect.poll(() => show.innerText()).toBe(`Show ${total}`)
  await page.getByRole('combobox', { name: 'Landlocked' }).selectOption({ label: 'Yes' })
  await expect.poll(() => show.innerText()).toMatch(/^Show \d+$/)
  await expect.poll(() => show.innerText()).not.toBe(`Show ${total}`)
  const [, said] = /(\d+)/.exec(await show.innerText()) ?? []
  await show.click()
  await expect.poll(() => page.locator('.total').innerText()).toBe(said)
})

describe('a second sort', () => {
  test('is added by Shift and a click on a head, in its place', async () => {
    const page = await visit(countries)
    await page.getByRole('columnheader', { name: 'Region' }).getByRole('link').click()
    await expect.poll(() => sorted(page)).toEqual(['Region'])
    await page
      .getByRole('columnheader', { name: 'Area' })
      .getByRole('link')
      .click({ modifiers: ['Shift'] })
    await expect.poll(() => sorted(page)).toEqual(['Region 1', 'Area 2'])
    expect(query(page)).toEqual({ sort: 'region,-area' })
    // Assistive technology is told the first alone.
    expect(await page.locator('[aria-sort]').allInnerTexts()).toEqual([expect.stringContaining('Region')])
    await page
      .getByRole('columnheader', { name: 'Area' })
      .getByRole('link')
      .click({ modifiers: ['Shift'] })
    await expect.poll(() => query(page)).toEqual({ sort: 'region,area' })
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
    await expect.poll(() => sorted(page)).toEqual(['Name'])
  })

  test('is added, turned and taken back without script', async () => {
    const page = await visit(`${countries}?sort=region`, { javaScriptEnabled: false })
    const options = page.locator('.options:popover-open')
    const open = () => page.getByRole('button', { name: 'View options' }).click()
    await open()
    await options.getByText('Then by …').click()
    await options.getByRole('link', { name: 'Area' }).click()
    expect(await sorted(page)).toEqual(['Region 1', 'Area 2'])
    await open()
    await options.getByRole('link', { name: 'Area descending' }).click()
    expect(query(page)).toEqual({ sort: 'region,area' })
    await open()
    await options.getByRole('link', { name: 'Do not sort by Region' }).click()
    expect(query(page)).toEqual({ sort: 'area' })
    expect(await sorted(page)).toEqual(['Area'])
  })
})

test('a list that becomes another shows where its rows will stand, one that is refreshed does not', async () => {
  const page = await visit(cities)
  const bones = () => page.evaluate("getComputedStyle(document.querySelector('.rows'), '::after').content")
  await page.route(/sort=name|crud$/, () => {})
  await page.evaluate("dispatchEvent(new CustomEvent('table-updated-index-table-cities'))")
  await page.locator('.listing[aria-busy=true]').waitFor()
  expect(await bones()).toBe('none')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  await expect.poll(bones).toBe('""')
  await page.unroute(/sort=name|crud$/)
  await page.getByRole('columnheader', { name: 'Country' }).getByRole('link').click()
  await page.locator('.listing:not([aria-busy]) th[aria-sort]', { hasText: 'Country' }).waitFor()
  expect(await bones()).toBe('none')
})

test('a code, a value of a record and a key are copied', async () => {
  const page = await visit(`${countries}?filter[code]=IS`, { permissions: ['clipboard-read', 'clipboard-write'] })
  const copied = () => page.evaluate('navigator.clipboard.readText()')
  await page.locator('tbody [data-copy]', { hasText: 'IS' }).hover()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(await copied()).toBe('IS')
  await page.locator('.toast', { hasText: 'Copied' }).waitFor()
  const key = await page.locator('tbody tr').getAttribute('data-key')
  await page.getByRole('button', { name: 'Actions for Iceland' }).click()
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await expect.poll(copied).toBe(key)
  expect(await page.locator('.menu:popover-open').count()).toBe(0)
})

test('updateRow refreshes the row of a table on a page of components', async () => {
  const page = await visit('/admin')
  const rows = () => page.locator('#cities-table tbody > tr').evaluateAll((all) => all.map((row) => row.outerHTML))
  const before = await rows()
  const [row] = await Promise.all([
    page.waitForResponse(/_fragment-load=cities-table&_key=|_key=/),
    page.getByRole('switch', { name: 'Capital: Istanbul' }).click(),
  ])
  expect(row.status()).toBe(200)
  await expect.poll(() => page.locator('#cities-table tr[aria-busy]').count()).toBe(0)
  const after = await rows()
  expect(after.filter((markup, i) => markup !== before[i])).toEqual([expect.stringContaining('Istanbul')])
  await page.reload()
  expect(await rows()).toEqual(after)
})

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, javaScriptEnabled) => {
  test('users choose whether records match all of their filters or any of them', async () => {
    const page = await visit(`${cities}?filter[isCapital]=1&filter[population][from]=12000000&filter[population][to]=14000000&perPage=5`, {
      javaScriptEnabled,
    })
    const total = async () => Number((await page.locator('h1 .total, .heading .total').first().innerText()).replace(/\D/g, ''))
    const current = () => page.locator('.matches [aria-current]').innerText()
    const said = async () => (await page.locator('.chips').innerText()).replace(/\s+/g, ' ').trim()
    const both = await total()
    expect(await current()).toBe('All of these')
    await page.getByRole('link', { name: 'Any of these' }).click()
    await expect.poll(current).toBe('Any of these')
    expect(await said()).toBe('All of these Any of these Population ≥ 12,000,000 and Population ≤ 14,000,000 or Capital: Yes Clear all')
    const any = await total()
    expect(any).toBeGreaterThan(both)
    if (javaScriptEnabled) expect(await page.evaluate('document.activeElement.textContent')).toBe('Any of these')

    // The further filters are applied along with it, which the button below them counts.
    await page.locator('.more > summary').click()
    await page.getByRole('combobox', { name: 'Capital' }).selectOption({ label: 'No' })
    const button = page.locator('[data-counts]')
    if (javaScriptEnabled) await expect.poll(() => button.innerText()).toMatch(/^Show [\d,]{5,}$/)
    const promised = Number((await button.innerText()).replace(/\D/g, ''))
    await button.click()
    await expect.poll(() => query(page)['filter[isCapital]']).toBe('0')
    await expect.poll(total).toBeGreaterThan(any)
    if (javaScriptEnabled) expect(await total()).toBe(promised)
    expect(query(page).match).toBe('any')

    // One that is left has nothing to be joined with.
    await page.getByRole('link', { name: 'Remove the filter Capital: No' }).click()
    await expect.poll(() => page.locator('.matches').count()).toBe(0)
    await page.getByRole('link', { name: 'Clear all' }).first().click()
    await expect.poll(() => query(page)).toEqual({ perPage: '5' })
  })
})
