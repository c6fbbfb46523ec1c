import { readFileSync } from 'node:fs'
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AtlasPanel, startAtlas } from '../support/atlas-panel.js'
import { beyond, launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const cities = '/admin/resource/cities/crud'
const languages = '/admin/resource/languages/crud'
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const
let atlas: AtlasPanel
let browser: Browser

beforeAll(async () => {
  ;[atlas, browser] = await Promise.all([startAtlas(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await atlas?.close()
})

async function visit(
  path: string,
  { size = 'desktop', script = false }: { size?: keyof typeof sizes; script?: boolean } = {},
): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: script,
    viewport: sizes[size],
    reducedMotion: 'reduce',
    acceptDownloads: true,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(atlas.base + path)
  return page
}

const heads = (page: Page) => page.locator('thead th').allInnerTexts()
const options = (page: Page) => page.getByRole('button', { name: 'View options' })
const views = (page: Page) => page.getByRole('button', { name: 'Saved views' })

describe('without script', () => {
  test('columns are chosen, seen in another browser, and put back', async () => {
    const page = await visit(`${cities}?perPage=5`)
    await options(page).click()
    await page.getByRole('checkbox', { name: 'ID', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'Hemisphere' }).check()
    await page.locator('.options:popover-open').getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('columnheader', { name: 'Hemisphere' }).waitFor()
    const other = await visit(cities)
    expect(await heads(other)).toEqual(['Name', 'Country', 'Population', 'Capital', 'Hemisphere'])
    await options(other).click()
    await other.getByRole('button', { name: 'Population: Move up' }).click()
    await expect.poll(() => heads(other)).toEqual(['Name', 'Population', 'Country', 'Capital', 'Hemisphere'])
    await options(other).click()
    await other.locator('.options:popover-open').getByRole('button', { name: 'Reset' }).click()
    await other.getByRole('columnheader', { name: 'ID' }).waitFor()
    expect(await heads(other)).toEqual(['ID', 'Name', 'Country', 'Population', 'Capital'])
    await Promise.all([page.context().close(), other.context().close()])
  })

  test('rows are 32, 40 or 48 px high, as one likes', async () => {
    const page = await visit(`${cities}?perPage=5`)
    for (const [name, height] of [
      ['Compact', 32],
      ['Roomy', 48],
      ['Normal', 40],
    ] as const) {
      await options(page).click()
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(async () => (await page.locator('tbody tr').nth(1).boundingBox())?.height).toBe(height)
    }
    await page.context().close()
  })

  test('a view is saved, picked and forgotten', async () => {
    const page = await visit(`${cities}?filter[population][from]=10000000&sort=name&page=1`)
    await views(page).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Giants')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.waitForURL(/crud\?filter/)
    await page.goto(atlas.base + cities)
    await views(page).click()
    await page.getByRole('link', { name: 'Giants' }).click()
    await page.locator('.chip').waitFor()
    expect(await page.locator('.chip').allInnerTexts()).toEqual(['Population ≥ 10,000,000'])
    // Its name stands at the button while the list is this view.
    expect(await views(page).innerText()).toBe('Giants')
    expect(await views(page).getAttribute('aria-label')).toBe('Saved views: Giants')
    await views(page).click()
    expect(await page.getByRole('link', { name: 'Giants' }).getAttribute('aria-current')).toBe('true')
    await page.getByRole('button', { name: 'Delete the view Giants' }).click()
    await views(page).click()
    expect(await page.getByRole('link', { name: 'Giants' }).count()).toBe(0)
    await page.context().close()
  })

  test('the list comes as a file, with its filters', async () => {
    const page = await visit(`${cities}?filter[population][from]=10000000&sort=-population`)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Export as CSV' }).click()])
    expect(download.suggestedFilename()).toMatch(/^cities-\d{4}-\d\d-\d\d\.csv$/)
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
    expect(lines.slice(0, 2)).toEqual(['\ufeffID,Name,Country (key),Country,Population,Capital', expect.stringContaining('Shanghai')])
    expect(lines.length).toBeLessThan(30)
    await page.context().close()
  })
})

test('what is chosen for a list changes it where one is, and the focus goes back to the menu', async () => {
  const page = await visit(`${cities}?perPage=5&page=2`, { script: true })
  await page.evaluate("document.documentElement.dataset.same = 'yes'")
  const menu = page.locator('.options:popover-open')
  const press = async (name: string | RegExp) => {
    await menu.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  const height = async () => (await page.locator('tbody tr').nth(1).boundingBox())?.height
  const isOn = (opener: Locator) => opener.and(page.locator(':focus')).waitFor()

  await options(page).press('Enter')
  await page.getByRole('checkbox', { name: 'ID', exact: true }).uncheck()
  await expect.poll(() => heads(page)).toEqual(['Name', 'Country', 'Population', 'Capital'])
  await page.keyboard.press('Escape')
  await isOn(options(page))
  await options(page).press('Enter')
  await press('Reset')
  await expect.poll(() => heads(page)).toEqual(['ID', 'Name', 'Country', 'Population', 'Capital'])
  for (const [name, px] of [
    ['Compact', 32],
    ['Normal', 40],
  ] as const) {
    await options(page).press('Enter')
    await press(name)
    await expect.poll(height).toBe(px)
    await isOn(options(page))
  }

  await views(page).press('Enter')
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('Second')
  await page.keyboard.press('Enter')
  await page.locator('.options .forget[value=Second]').waitFor({ state: 'attached' })
  await isOn(views(page))
  await views(page).press('Enter')
  await press('Delete the view Second')
  await page.locator('.options .forget[value=Second]').waitFor({ state: 'detached' })
  await isOn(views(page))

  expect(page.url()).toBe(`${atlas.base}${cities}?perPage=5&page=2`)
  expect(await page.evaluate('document.documentElement.dataset.same')).toBe('yes')
  await page.context().close()
})

test('columns are moved by their buttons and by pointer, which the list follows at once, and put back', async () => {
  const page = await visit(`${cities}?perPage=5`, { script: true })
  const open = page.locator('.options:popover-open')
  const way = (name: string, to: 'up' | 'down') => open.getByRole('button', { name: `${name}: Move ${to}`, exact: true })
  await options(page).click()
  // Pages load the script that moves them once they are shown.
  await expect
    .poll(() => page.evaluate(`performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/columns.js'))`))
    .toBe(true)
  await page.waitForLoadState('networkidle')
  await open.getByRole('checkbox', { name: 'Hemisphere' }).check()
  await expect.poll(() => heads(page)).toEqual(['ID', 'Name', 'Country', 'Population', 'Capital', 'Hemisphere'])
  await way('Population', 'up').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => heads(page)).toEqual(['ID', 'Name', 'Population', 'Country', 'Capital', 'Hemisphere'])
  expect(await page.locator('[aria-live]').allTextContents()).toContain('Population: Place 2 of 5')
  // It keeps the focus, and goes on; what labels the records, and is no place to go to, stays where it is.
  await page.keyboard.press('Enter')
  await expect.poll(() => heads(page)).toEqual(['Population', 'Name', 'ID', 'Country', 'Capital', 'Hemisphere'])
  // The first one can go no further up, and says so.
  await expect.poll(() => way('Population', 'up').getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  expect(await way('Population', 'up').evaluate((one) => one.matches(':focus'))).toBe(true)
  expect(
    await open.locator('button[aria-disabled]:visible').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
  ).toEqual(['Population: Move up', 'Hemisphere: Move down'])
  expect(await way('Name', 'up').count()).toBe(0)
  const handle = open.locator('.column', { hasText: 'Capital' }).locator('.handle')
  const [from, to] = [await handle.boundingBox(), await open.locator('.column', { hasText: 'Country' }).boundingBox()]
  if (!from || !to) throw new Error('There is nothing to drag')
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(to.x + 8, to.y + 30, { steps: 4 })
  await page.mouse.move(to.x + 8, to.y + 4, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => heads(page)).toEqual(['Population', 'Name', 'ID', 'Capital', 'Country', 'Hemisphere'])
  expect(await flawsOf(page)).toEqual([])
  await page.reload()
  expect(await heads(page)).toEqual(['Population', 'Name', 'ID', 'Capital', 'Country', 'Hemisphere'])
  await options(page).click()
  const ends = [way('Population', 'up'), way('Hemisphere', 'down'), way('Population', 'down'), way('Hemisphere', 'up')]
  expect(await Promise.all(ends.map((one) => one.getAttribute('aria-disabled')))).toEqual(['true', 'true', null, null])
  await open.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(() => heads(page)).toEqual(['ID', 'Name', 'Country', 'Population', 'Capital'])
  await page.context().close()
})

test('what is chosen while the last choice is on its way is chosen after it', async () => {
  const page = await visit(`${cities}?perPage=5`, { script: true })
  const sent: Route[] = []
  await page.route(
    () => true,
    (route) => (route.request().method() === 'POST' ? void sent.push(route) : route.continue()),
  )
  for (const name of ['Compact', 'Roomy']) {
    await options(page).click()
    await page.locator('.options:popover-open').getByRole('button', { name, exact: true }).click()
  }
  await expect.poll(() => sent.length).toBe(1)
  await sent[0]?.continue()
  await expect.poll(() => sent.length).toBe(2)
  await sent[1]?.continue()
  await expect.poll(async () => (await page.locator('tbody tr').nth(1).boundingBox())?.height).toBe(48)
  await options(page).click()
  await page.locator('.options:popover-open').getByRole('button', { name: 'Normal', exact: true }).click()
  await expect.poll(() => sent.length).toBe(3)
  await options(page).click()
  await page.getByRole('checkbox', { name: 'Country', exact: true }).uncheck()
  // The list that it brings has all columns.
  await sent[2]?.continue()
  await expect.poll(async () => (await page.locator('tbody tr').nth(1).boundingBox())?.height).toBe(40)
  await expect.poll(() => sent.length).toBe(4)
  await sent[3]?.continue()
  await expect.poll(() => heads(page)).toEqual(['ID', 'Name', 'Population', 'Capital'])
  await page.locator('.options:popover-open').getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(() => sent.length).toBe(5)
  await sent[4]?.continue()
  await expect.poll(() => heads(page)).toEqual(['ID', 'Name', 'Country', 'Population', 'Capital'])
  await page.context().close()
})

test.each([1024, 720, 844])('the tools of a list stand in one line on %d px: the search gives way first', async (width) => {
  const page = await visit(`${cities}?perPage=5`)
  await page.setViewportSize({ width, height: 768 })
  expect((await page.locator('.toolbar').boundingBox())?.height).toBe(45)
  expect((await page.locator('.search').boundingBox())?.width).toBeGreaterThanOrEqual(120)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect((await page.locator('.search').boundingBox())?.width).toBe(320)
  await page.context().close()
})

describe('a sticky table', () => {
  test('its head, boxes and menus included, stays while the rows scroll', async () => {
    const page = await visit(languages)
    const head = () => page.locator('thead :is(th, td)').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
    const before = await head()
    await page.evaluate("document.querySelector('.scroller').scrollTop = 1500")
    expect(
      await page
        .locator('tbody tr')
        .first()
        .evaluate((one) => one.getBoundingClientRect().top),
    ).toBeLessThan(-1000)
    expect(await head()).toEqual(before)
    await page.context().close()
  })

  test.each([
    [1440, 900],
    [1280, 800],
    [1024, 768],
    [720, 450],
  ])('its page is as high as a screen of %d × %d: filters in force push no page number out', async (width, height) => {
    const page = await visit(`${cities}?search=a&filter[population][from]=1000`)
    await page.setViewportSize({ width, height })
    const [scroller, pager] = [await page.locator('.scroller').boundingBox(), await page.locator('.pager').boundingBox()]
    if (!scroller || !pager) throw new Error('a part of the list is not shown')
    expect(pager.y).toBe(scroller.y + scroller.height)
    expect(pager.y + pager.height).toBeLessThan(height)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height)
    await page.context().close()
  })

  test('is where one left it: after Back, by the way up, and after a reload; by any other way it begins at its beginning', async () => {
    const page = await visit(languages, { script: true })
    const top = () => page.locator('.scroller').evaluate((one) => Math.round(one.scrollTop))
    // By keyboard: a click of the test would scroll to what it clicks.
    const leave = async () => {
      await page.locator('tbody tr').nth(40).locator('.label a').focus()
      const left = await top()
      await page.keyboard.press('Enter')
      await page.locator('.crumbs').waitFor()
      return left
    }
    await page.evaluate("document.querySelector('.scroller').scrollTop = 1500")
    const place = await leave()
    expect(place).toBeGreaterThan(1000)
    await page.goBack()
    await expect.poll(top).toBe(place)
    await page.reload()
    await expect.poll(top).toBe(place)
    expect(await leave()).toBe(place)
    await page.locator('.crumbs').getByRole('link', { name: 'Languages' }).click()
    await expect.poll(top).toBe(place)
    await page.locator('.sidebar, nav').getByRole('link', { name: 'Languages' }).first().click()
    await page.waitForLoadState()
    expect(await top()).toBe(0)
    await page.context().close()
  })

  test('is as one left it by the way up: filtered and sorted, which the menu is not', async () => {
    const left = `${languages}?sort=name&search=an`
    const page = await visit(left, { script: true })
    const address = () => page.evaluate('location.pathname + location.search')
    await page.locator('tbody .label a').first().click()
    await page.locator('.crumbs').getByRole('link', { name: 'Languages' }).click()
    await page.locator('.toolbar').waitFor()
    expect(await address()).toBe(left)
    await page.getByRole('link', { name: 'Clear all' }).click()
    await expect.poll(address).toBe(`${languages}?sort=name`)
    await page.locator('tbody .label a').first().click()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Languages' }).click()
    await page.locator('.toolbar').waitFor()
    expect(await address()).toBe(languages)
    await page.locator('tbody .label a').first().click()
    expect(await page.locator('.crumbs').getByRole('link', { name: 'Languages' }).getAttribute('href')).toMatch(/crud$/)
    await page.context().close()
  })

  test('is where one left it when one turns its pages back, as the page is of one that is not sticky', async () => {
    const page = await visit(cities, { script: true })
    const top = () => page.locator('.scroller').evaluate((one) => Math.round(one.scrollTop))
    await page.evaluate("document.querySelector('.scroller').scrollTop = 200")
    await page.getByRole('link', { name: 'Next' }).click()
    await page.locator('.pager', { hasText: '26–50 of' }).waitFor()
    expect(await top()).toBe(0)
    await page.goBack()
    await page.locator('.pager', { hasText: '1–25 of' }).waitFor()
    await expect.poll(top).toBe(200)
    await page.goForward()
    await page.locator('.pager', { hasText: '26–50 of' }).waitFor()
    await expect.poll(top).toBe(0)
    await page.context().close()
  })

  test('on a low screen some rows are left, and the page scrolls', async () => {
    const page = await visit(cities)
    await page.setViewportSize({ width: 844, height: 300 })
    expect((await page.locator('.scroller').boundingBox())?.height).toBeGreaterThan(36 + 3 * 40)
    await page.context().close()
  })

  test('on a phone search and filters stay', async () => {
    const page = await visit(languages, { size: 'phone' })
    await page.evaluate('scrollTo(0, 3000)')
    expect(await page.locator('.toolbar').evaluate((one) => one.getBoundingClientRect().top)).toBe(0)
    expect(await beyond(page)).toBe(0)
    await page.context().close()
  })
})

test('columns stay as wide as they are while one sorts and turns pages, where what stands in them has room', async () => {
  const page = await visit(`${cities}?perPage=10`, { script: true })
  const widths = () => page.locator('thead :is(th, td)').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
  const isCalm = async (before: readonly number[]) => {
    for (const [i, width] of (await widths()).entries()) expect(Math.abs(width - (before[i] as number)), `column ${i}`).toBeLessThan(0.5)
  }
  const before = await widths()
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  await page.locator('[aria-sort=ascending]').waitFor()
  await isCalm(before)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.locator('.pager', { hasText: '11–20 of' }).waitFor()
  await isCalm(before)
  await page.getByRole('searchbox').fill('zzzz')
  await page.locator('.empty').waitFor()
  await page.getByRole('searchbox').fill('')
  await page.locator('.pager', { hasText: '1–10 of' }).waitFor()
  await isCalm(before)

  // What needs more room has it, and the table is no wider than its place.
  await page.route(/sort=-name/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace(/(class="number">)[\d,]+/, '$1 1,000,000,000,000,000,000,000'),
    })
  })
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  await page.locator('[aria-sort=descending]').waitFor()
  const population = page.locator('tbody td.end', { hasText: '1,000,000,000,000' })
  expect(await population.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  expect(await page.locator('.scroller').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)

  // Another window is laid out anew.
  await page.setViewportSize({ width: 700, height: 800 })
  await expect.poll(() => page.evaluate("[...document.querySelectorAll('thead th')].every(({ style }) => style.length === 0)")).toBe(true)
  await page.context().close()
})

const states: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'view options': (page) => options(page).click(),
  'saved views': async (page) => {
    await views(page).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('A view')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.locator('tbody tr').first().waitFor()
    await views(page).click()
  },
}

describe.each(Object.keys(sizes) as (keyof typeof sizes)[])('on a %s', (size) => {
  test.each(Object.keys(states))('%s: nothing is out of reach of anybody, in either theme', { timeout: 60_000 }, async (state) => {
    const page = await visit(`${cities}?perPage=5&search=paris`, { size, script: true })
    await states[state]?.(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await flawsOf(page), colorScheme).toEqual([])
    }
    await page.context().close()
  })
})
