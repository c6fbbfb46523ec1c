import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AtlasPanel, startAtlas } from '../support/atlas-panel.js'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const
type Size = keyof typeof sizes

const cities = '/admin/resource/cities/crud'
// A state of the tools needs few rows: what axe takes grows with them.
const fewCities = `${cities}?perPage=5`
const countries = '/admin/resource/countries/crud'
const shanghai = '/admin/resource/cities/crud/34372'
const form = '/admin/resource/cities/form-page/34372'

interface State {
  readonly path: string
  act?(page: Page, size: Size): Promise<void>
}

/** Every page, and every state of one that a person can bring about without script. */
const states: Readonly<Record<string, State>> = {
  home: { path: '/admin' },
  listing: { path: cities },
  'all rows at once': { path: '/admin/resource/languages/crud?search=an' },
  'a wide listing': { path: `${countries}?sort=-area` },
  'filters in force': { path: `${cities}?filter[population][from]=1000000&filter[isCapital]=1&search=san` },
  'nothing that matches': { path: `${cities}?search=zzzzqq` },
  'a page past the end': { path: `${cities}?page=99999` },
  'a wrong address': { path: `${fewCities}&sort=foo&filter[x]=1` },
  'the last page': { path: `${fewCities}&page=27047` },
  'a row menu': { path: fewCities, act: (page) => page.locator('.dots').nth(3).click() },
  'selected rows': {
    path: fewCities,
    async act(page) {
      for (const row of [0, 2])
        await page
          .getByRole('checkbox', { name: /^Select/ })
          .nth(row)
          .check()
    },
  },
  'a filter': {
    path: fewCities,
    act: (page, size) => (size === 'phone' ? page.locator('.more > summary') : page.locator('.filter > summary').nth(2)).click(),
  },
  'more filters': { path: `${countries}?perPage=5`, act: (page) => page.locator('.more > summary').click() },
  'the user menu': {
    path: fewCities,
    async act(page, size) {
      if (size === 'phone') await page.locator('.burger').click()
      await page.locator('.user > button').click()
    },
  },
  'the menu, small or open': {
    path: fewCities,
    act: (page, size) =>
      size === 'phone' ? page.locator('.burger').click() : page.getByRole('checkbox', { name: 'Collapse the menu' }).check({ force: true }),
  },
  detail: { path: shanghai },
  'a new record': {
    path: '/admin/resource/countries/form-page',
    // The buttons of the form lie over what is at the end of the window.
    act: (page) => page.evaluate('scrollTo(0, document.body.scrollHeight)'),
  },
  form: { path: form },
  'a refused form': {
    path: form,
    async act(page) {
      await page.getByLabel('Name').fill('')
      await page.getByLabel('Population').fill('many')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      // An error at its field may come before the page that is refused.
      await page.getByText('Check the marked fields').waitFor()
    },
  },
  'a relation search': {
    path: form,
    async act(page) {
      await page.getByRole('combobox', { name: 'Country' }).fill('land')
      await page.getByRole('option', { name: 'Iceland' }).waitFor()
    },
  },
  'a stale form': {
    path: '/admin/resource/cities/form-page/17220',
    async act(page) {
      const { origin } = new URL(page.url())
      const data = { notes: `Bridges two continents ${performance.now()}` }
      await page.request.put(`${origin}${cities}/17220`, { headers: { accept: 'application/json' }, data })
      await page.getByLabel('Notes').fill('Typed meanwhile')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.locator('.compare').waitFor()
    },
  },
  'a question before a delete': {
    path: shanghai,
    async act(page) {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.locator('.confirm').waitFor()
    },
  },
  'a question before many deletes': {
    path: fewCities,
    async act(page) {
      for (const row of [0, 1, 2, 3])
        await page
          .getByRole('checkbox', { name: /^Select/ })
          .nth(row)
          .check()
      await page.locator('.bulk .danger').click()
      await page.locator('.confirm').waitFor()
    },
  },
  'a history': {
    path: `${cities}/35070`,
    async act(page) {
      const { origin } = new URL(page.url())
      for (const data of [
        { notes: 'Long '.repeat(100), isCapital: true },
        { notes: null, countryId: 48 },
      ])
        await page.request.put(`${origin}${cities}/35070`, { headers: { accept: 'application/json' }, data })
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('link', { name: 'History' }).click()
      await page.locator('.history summary').first().click()
    },
  },
  'no history yet': { path: `${cities}/35071/history` },
  'no such record': { path: `${cities}/99999999` },
}

let atlas: AtlasPanel
let browser: Browser

beforeAll(async () => {
  ;[atlas, browser] = await Promise.all([startAtlas(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await atlas?.close()
})

/** A page at a state, and what its policy refused on the way. */
async function visit(state: State, size: Size): Promise<{ page: Page; refused: string[] }> {
  const phone = size === 'phone' && { isMobile: true, hasTouch: true }
  // A colour on its way is no colour: nothing moves while it is judged.
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: 'light', reducedMotion: 'reduce', ...phone })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const refused: string[] = []
  page.on('console', (message) => void (/Content.Security.Policy/i.test(message.text()) && refused.push(message.text())))
  await page.goto(atlas.base + state.path)
  await state.act?.(page, size)
  return { page, refused }
}

const everyState = Object.entries(states).map(([name, state]) => ({ name, state }))

describe.each(Object.keys(sizes) as Size[])('on a %s', (size) => {
  test.each(everyState)(
    '$name: axe finds nothing in either theme, nothing scrolls sideways, the policy refuses nothing',
    async ({ state }) => {
      const { page, refused } = await visit(state, size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await flawsOf(page), colorScheme).toEqual([])
      }
      expect(await page.locator('script:not([src]), [style]').count()).toBe(0)
      expect(refused).toEqual([])
      await page.context().close()
    },
  )
})

test('what the policy refuses would be heard', async () => {
  const { page, refused } = await visit({ path: cities }, 'desktop')
  await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')")
  await expect.poll(() => refused.length).toBeGreaterThan(0)
  await page.context().close()
})

test('axe would find what is wrong', async () => {
  const { page } = await visit({ path: cities }, 'desktop')
  await page.evaluate("document.querySelector('.dots').removeAttribute('aria-label')")
  expect(await flawsOf(page)).toEqual([expect.stringMatching(/^button-name: <button [^>]*class="[^"]*dots/)])
  await page.context().close()
})

describe('room for what matters', () => {
  interface Measures {
    readonly first: number
    readonly heights: readonly number[]
    readonly whole: number
  }
  const measure = `(() => {
    const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect())
    return { first: rows[0].top, heights: [...new Set(rows.map(({ height }) => height))], whole: rows.filter(({ bottom }) => bottom <= innerHeight).length }
  })()`

  test('a desktop sees at least 14 rows of 40 px, the first at 180 px or above', async () => {
    const { page } = await visit({ path: cities }, 'desktop')
    const { first, heights, whole } = (await page.evaluate(measure)) as Measures
    expect(first).toBeLessThanOrEqual(180)
    expect(heights).toEqual([40])
    expect(whole).toBeGreaterThanOrEqual(14)
    await page.context().close()
  })

  test('a phone sees its first record by 160 px, each in at most 56 px', async () => {
    const { page } = await visit({ path: cities }, 'phone')
    const { first, heights } = (await page.evaluate(measure)) as Measures
    expect(first).toBeLessThanOrEqual(160)
    expect(Math.max(...heights)).toBeLessThanOrEqual(56)
    await page.context().close()
  })

  test('a phone shows the rows of a list without pages as cards, too', async () => {
    const { page } = await visit({ path: '/admin/resource/languages/crud' }, 'phone')
    const row = page.locator('tbody tr').first()
    expect((await row.boundingBox())?.height).toBe(56)
    const lefts = await Promise.all(['.pick', '.label', '.act'].map(async (one) => (await row.locator(one).boundingBox())?.x))
    expect(lefts).toEqual([0, 48, 312])
    expect((await row.locator('.label').boundingBox())?.y).toBeGreaterThan((await row.boundingBox())?.y ?? 0)
    await page.context().close()
  })

  test('what a finger meets on a phone is at least 44 px high', async () => {
    const { page } = await visit({ path: cities }, 'phone')
    const low =
      await page.evaluate(`[...document.querySelectorAll('.burger, .heading .button, .toolbar .button, .search input, .tabs a, .dots, .pick label')]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
      .map((one) => one.className || one.tagName)`)
    expect(low).toEqual([])
    await page.context().close()
  })

  test('the menu is 220 to 240 px wide on a desktop, and the page has the rest', async () => {
    const { page } = await visit({ path: fewCities }, 'desktop')
    const [menu, main] = [await page.locator('.sidebar').boundingBox(), await page.locator('main').boundingBox()]
    expect(menu?.x).toBe(0)
    expect(menu?.width).toBeGreaterThanOrEqual(220)
    expect(menu?.width).toBeLessThanOrEqual(240)
    expect(main).toMatchObject({ x: menu?.width, width: sizes.desktop.width - (menu?.width ?? 0) })
    await page.context().close()
  })

  test('the buttons of a record end where its cards do', async () => {
    const { page } = await visit({ path: shanghai }, 'desktop')
    await page.setViewportSize({ width: 1440, height: 900 })
    const [edit, cards] = [await page.getByRole('link', { name: 'Edit' }).boundingBox(), await page.locator('.body').boundingBox()]
    expect((edit?.x ?? 0) + (edit?.width ?? 0)).toBe((cards?.x ?? 0) + (cards?.width ?? 0))
    await page.context().close()
  })

  test('what stands below or beside each other is in line', async () => {
    const { page } = await visit({ path: fewCities }, 'desktop')
    const go = (path: string) => page.goto(atlas.base + path)
    /** The edges and the middle of each element's text or box. */
    const places = (...selectors: string[]) =>
      page.evaluate(`${JSON.stringify(selectors)}.map((one) => {
        const range = document.createRange()
        const it = document.querySelector(one)
        if (it.childNodes.length > 0) range.selectNodeContents(it)
        else range.selectNode(it)
        const { left, top, height } = range.getBoundingClientRect()
        return { left: Math.round(left), middle: Math.round(top + Math.min(height, 20) / 2) }
      })`) as Promise<{ left: number; middle: number }[]>
    const spread = (all: readonly number[]) => Math.max(...all) - Math.min(...all)
    await page.setViewportSize({ width: 768, height: 1024 })
    await go(shanghai)
    const cards = await places('.body dt', '.aside dt')
    expect(spread(cards.map(({ left }) => left))).toBe(0)
    await go(cities)
    await page.locator('.pick-all').check()
    expect(await page.locator('.bulk').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    await page.setViewportSize(sizes.desktop)
    await go('/admin/resource/cities/import')
    expect(spread((await places('.import .label', '.import .modes input')).map(({ middle }) => middle))).toBeLessThanOrEqual(1)
    await go(cities)
    await page.locator('.toolbar [popovertarget]').last().click()
    expect(
      spread((await places(':popover-open .title', ':popover-open .actions .plain .text')).map(({ left }) => left)),
    ).toBeLessThanOrEqual(1)
    await go('/admin/resource/cities/form-page')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Check the marked fields').waitFor()
    expect(spread((await places('.notice > .icon', '.notice p')).map(({ middle }) => middle))).toBeLessThanOrEqual(1)
    await page.context().close()
  })

  test('of a trail that is too long the name of the record is cut, not the way up', async () => {
    const { page } = await visit({ path: form }, 'phone')
    const cut = await page.evaluate(`(() => {
      const all = [...document.querySelectorAll('.crumbs a')]
      all.at(-1).textContent = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
      return all.map((one) => one.scrollWidth > one.clientWidth)
    })()`)
    expect(cut).toEqual([false, true])
    await page.context().close()
  })

  test('ten fields of a form fit a desktop', async () => {
    const { page } = await visit({ path: '/admin/resource/countries/form-page' }, 'desktop')
    expect(await page.evaluate(`document.querySelectorAll('.field')[9].getBoundingClientRect().bottom <= innerHeight`)).toBe(true)
    await page.context().close()
  })

  test('box, label and menu of a row stay in view, side by side, however far a wide table is scrolled', async () => {
    const { page } = await visit(
      { path: `${countries}?perPage=5&fields=id,code,name,officialName,region,subregion,capital,area,latitude,longitude,updatedAt` },
      'desktop',
    )
    await page.evaluate("document.querySelector('.scroller').scrollLeft = 10000")
    const [card, pick, label, menu] = await Promise.all(
      ['.listing', 'tbody .pick', 'tbody .label', 'tbody .act'].map((one) => page.locator(one).first().boundingBox()),
    )
    if (!card || !pick || !label || !menu) throw new Error('a part of the row is not shown')
    expect(await page.evaluate("document.querySelector('.scroller').scrollLeft")).toBeGreaterThan(100)
    // The widths of a table's cells have fractions, and what sticks is moved by whole pixels.
    const apart = [pick.x - card.x - 1, label.x - pick.x - pick.width, menu.x + menu.width - card.x - card.width + 1]
    for (const by of apart) expect(Math.abs(by)).toBeLessThan(1)
    await page.context().close()
  })

  test('the bulk bar stands where the toolbar stood, and no row moves', async () => {
    const { page } = await visit({ path: cities }, 'desktop')
    const [before, toolbar] = [(await page.evaluate(measure)) as Measures, await page.locator('.toolbar').boundingBox()]
    await page.getByRole('checkbox', { name: 'Select Shanghai' }).check()
    expect(((await page.evaluate(measure)) as Measures).first).toBe(before.first)
    expect((await page.locator('.bulk').boundingBox())?.y).toBe(toolbar?.y)
    await page.context().close()
  })
})
