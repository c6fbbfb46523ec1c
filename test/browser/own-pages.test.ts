import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'
import { type OwnPagesWorld, openOwnPages } from './own-pages-world.js'

let browser: Browser
let world: OwnPagesWorld
let context: BrowserContext
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await world?.close()
  await browser?.close()
})
beforeEach(() => open({}))

async function open(settings: Parameters<Browser['newContext']>[0]) {
  await context?.close()
  await world?.close()
  world = await openOwnPages()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
}

const go = (path = '/admin/page/desk') => page.goto(world.base + path)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const toast = (text: string) => page.locator('.toast').filter({ hasText: text }).waitFor()
const town = async (key: number) => {
  const answer = await page.request.get(`${world.base}/admin/resource/towns/crud/${key}`, { headers: { accept: 'application/json' } })
  return ((await answer.json()) as { data: { name: string; people: number } }).data
}

test('a toast shows by its icon how it went, and an error stays until it is dismissed', async () => {
  await go()
  // What comes later would take the answer that is meant for the button.
  await page.getByText('It came').waitFor()
  const seen = new Set<string | null>()
  for (const [tone, stays] of Object.entries({ success: false, info: false, warning: false, error: true })) {
    await page.route('**/*', (route) => route.fulfill({ json: { message: `A ${tone}`, messageType: tone } }), { times: 1 })
    await press('Say')
    await toast(`A ${tone}`)
    seen.add(await page.locator('.toast > .icon path').getAttribute('d'))
    expect(await page.evaluate("getComputedStyle(document.querySelector('.toast')).animationName")).toBe(stays ? 'none' : 'leave')
  }
  expect(seen.size).toBe(4)
})

test('what a method says is seen: a message, markup over the page and in it, and values in a form', async () => {
  await go()
  await page.getByText('It came').waitFor()
  await press('Say')
  await toast('Said')
  await press('Show')
  await page.locator('dialog[open]').getByText('Shown to you').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.locator('dialog[open]').getByRole('button', { name: 'Close' }).click()
  await press('Fill')
  await page.locator('#here').getByText('Filled').waitFor()
  await press('Suggest')
  await expect.poll(() => page.locator('#new-town-name').inputValue()).toBe('Newtown')
  expect(await page.locator('#new-town-people').inputValue()).toBe('7')
  // What came later is there still.
  await page.getByText('It came').waitFor()
})

test('what it fires is heard, where it leads one is led, and its file is saved', async () => {
  await go()
  const news = page.locator('#news')
  const before = await news.innerText()
  await press('Ask for news')
  await expect.poll(() => news.innerText()).not.toBe(before)
  const then = await news.innerText()
  await press('Tell')
  await expect.poll(() => news.innerText()).not.toBe(then)
  const [download] = await Promise.all([page.waitForEvent('download'), press('Save')])
  expect(download.suggestedFilename()).toBe('note.txt')
  await press('Leave')
  await page.waitForURL('**/admin/resource/towns/crud')
})

test('a method asks first, says what is wrong at its field, and the page shows what it did', async () => {
  await go()
  await press('Rename …')
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('button', { name: 'Rename the first' }).click()
  await dialog.locator('.error').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await dialog.getByLabel('New name').fill('Alpha')
  await dialog.getByLabel('New name').press('Enter')
  await toast('Now Alpha')
  await page.locator('#first').getByText('Alpha').waitFor()
})

test('a tab is turned without a reload, and the links of its table keep it', async () => {
  await go()
  await page.evaluate('window.stayed = true')
  await page.getByRole('link', { name: 'Large' }).click()
  await page.locator('#large').getByText('Town 30').waitFor()
  expect(new URL(page.url()).search).toBe('?by=large')
  await page.locator('#large').getByRole('link', { name: 'People' }).click()
  await page.locator('#large').getByText('Town 01').waitFor()
  expect(new URL(page.url()).searchParams.get('by')).toBe('large')
  expect(await page.evaluate('window.stayed')).toBe(true)
  await page.reload()
  await page.locator('#large').getByText('Town 01').waitFor()
})

test('each tab that was turned is one step back; what was typed beside them stays', async () => {
  await go()
  await page.evaluate('window.stayed = true')
  await page.locator('#new-town-name').fill('Typed')
  await page.getByRole('link', { name: 'Large' }).click()
  await page.locator('#large').getByText('Town 30').waitFor()
  await page.locator('#large').getByRole('link', { name: 'People' }).click()
  await page.locator('#large').getByText('Town 01').waitFor()
  await page.goBack()
  await page.locator('#large').getByText('Town 30').waitFor()
  await page.goBack()
  await page.locator('#first').getByText('Town 01').waitFor()
  expect(await page.locator('.tab-set > .tabs [aria-current]').innerText()).toBe('First')
  await page.goForward()
  await page.locator('#large').getByText('Town 30').waitFor()
  expect(new URL(page.url()).search).toBe('?by=large')
  expect(await page.locator('#new-town-name').inputValue()).toBe('Typed')
  // Nor does a tab that comes after one has gone back take its place.
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route('**/desk?*_fragment-load=by*', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await page.getByRole('link', { name: 'First', exact: true }).click()
  await page.locator('#by[aria-busy=true]').waitFor()
  await page.goBack()
  await page.locator('#first').getByText('Town 01').waitFor()
  come()
  await page.waitForTimeout(300)
  expect([new URL(page.url()).search, await page.locator('#by[aria-busy=true]').count()]).toEqual(['', 0])
  expect(await page.evaluate('window.stayed')).toBe(true)
})

test('a list that is asked for while another one of the page is on its way takes nothing from it', async () => {
  await go('/admin/page/two')
  const held: Route[] = []
  await page.route(/page\/two\?/, (route) => (held.length === 0 ? void held.push(route) : route.continue()))
  const [left, right] = [page.locator('#left'), page.locator('#right')]
  await left.getByRole('link', { name: 'People' }).click()
  await expect.poll(() => held.length).toBe(1)
  await right.getByRole('link', { name: 'Name' }).click()
  await right.locator('[aria-sort]').waitFor()
  await left.locator('[aria-sort]').waitFor()
  expect(await page.locator('[aria-busy=true], [data-turning]').count()).toBe(0)
  const { searchParams } = new URL(page.url())
  expect([...searchParams.values()].map((value) => value.replace('-', '')).sort()).toEqual(['name', 'people'])
  await page.reload()
  expect(await page.locator(':is(#left, #right) [aria-sort]').count()).toBe(2)
})

test('each part of a page that is turned keeps what the others were turned to', async () => {
  await go('/admin/page/two')
  const [left, right] = [page.locator('#left'), page.locator('#right')]
  await left.getByRole('link', { name: 'People' }).click()
  await left.locator('[aria-sort]').waitFor()
  await right.getByRole('link', { name: 'Name' }).click()
  await right.locator('[aria-sort]').waitFor()
  await left.getByRole('link', { name: 'Name' }).click()
  await expect.poll(() => left.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).not.toBe(null)
  const { searchParams } = new URL(page.url())
  expect([...searchParams.values()].map((value) => value.replace('-', ''))).toEqual(['name', 'name'])
  await page.goBack()
  await expect.poll(() => left.getByRole('columnheader', { name: 'People' }).getAttribute('aria-sort')).not.toBe(null)
  expect(await right.locator('[aria-sort]').count()).toBe(1)
})

test('a tab keeps the page of its table, and the table the tab', async () => {
  await go()
  const table = page.locator('#first')
  await table.getByRole('link', { name: 'Next' }).click()
  await table.getByText('Town 04').waitFor()
  await page.getByRole('link', { name: 'Large' }).click()
  await page.locator('#large').getByText('Town 30').waitFor()
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('by'), [...searchParams.keys()].length]).toEqual(['large', 2])
  await page.locator('#large').getByRole('link', { name: 'People' }).click()
  await page.locator('#large').getByText('Town 01').waitFor()
  await page.getByRole('link', { name: 'First', exact: true }).click()
  await page.locator('#first').getByText('Town 04').waitFor()
})

test('a part that comes later has a skeleton until then', async () => {
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route('**/admin/page/desk?_fragment-load=later**', async (route) => {
    await held
    await route.continue()
  })
  await go()
  await page.locator('#later .skeleton').waitFor()
  come()
  await page.getByText('It came').waitFor()
  expect(await page.locator('#later .skeleton').count()).toBe(0)
})

test('a part that does not come says so, and comes when it is asked for again', async () => {
  await go()
  const part = page.locator('#breaks')
  await part.getByRole('alert').waitFor()
  expect(await flawsOf(page)).toEqual([])
  world.state.broken = false
  await part.getByRole('button', { name: 'Try again' }).press('Enter')
  await part.getByText('Mended').waitFor()
  expect(await part.getByRole('alert').count()).toBe(0)
  expect(await page.evaluate("document.activeElement.matches('main')")).toBe(true)
})

test('a window and a side panel open by their buttons and by events, and are left by Escape', async () => {
  await go()
  await press('Open the window')
  await page.getByText('Through the window').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByText('Through the window').waitFor({ state: 'hidden' })
  await press('Side')
  await page.getByText('At the side').waitFor()
  expect(await flawsOf(page)).toEqual([])
})

test('the focus goes into a window that opens, stays there, and goes back to its opener', async () => {
  await go()
  const inside = () => page.evaluate("document.activeElement.closest('#side') !== null")
  for (const name of ['Side', 'Open the side']) {
    await page.getByRole('button', { name, exact: true }).press('Enter')
    await page.locator('#side[aria-modal=true]').waitFor()
    expect(await inside()).toBe(true)
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key)
      expect(await inside()).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.locator('#side').waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.innerText')).toBe(name)
  }
})

test('a form of the page is refused where it stands, and leads back there', async () => {
  await go('/admin/page/desk?by=large')
  await page.locator('#new-town-people').fill('-1')
  await page.locator('#new-town').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Desk' }).waitFor()
  await page.locator('#new-town-name-error').waitFor()
  await page.locator('#new-town-name:focus').waitFor()
  expect(await page.locator('#new-town-people').inputValue()).toBe('-1')
  await page.locator('#large').getByText('Town 30').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.locator('#new-town-name').fill('New')
  await page.locator('#new-town-people').fill('9000')
  await page.locator('#new-town').getByRole('button', { name: 'Create' }).click()
  await page.waitForURL('**/admin/page/desk?by=large')
  await page.locator('#large').getByText('New').waitFor()
})

test('the file of a job is saved when it is done, and stands on its page', async () => {
  await go('/admin/resource/towns/crud')
  await page.getByRole('checkbox', { name: 'Select Town 01' }).check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.bulk').getByRole('button', { name: 'Report' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('report.txt')
  expect(readFileSync((await download.path()) ?? '', 'utf8')).toBe('1 towns')
  const started = await page.request.post(`${world.base}/admin/resource/towns/handler/report`, {
    headers: { accept: 'application/json' },
    data: { ids: ['1', '2'] },
  })
  const { data } = (await started.json()) as { data: { url: string } }
  await go(data.url)
  const [again] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save report.txt' }).click()])
  expect(readFileSync((await again.path()) ?? '', 'utf8')).toBe('2 towns')
  expect(await flawsOf(page)).toEqual([])
})

test('without script all that match are selected by a box, and a file of the selected rows is saved', async () => {
  await open({ javaScriptEnabled: false })
  await go('/admin/resource/towns/crud?search=town')
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.bulk').getByRole('button', { name: 'As a file' }).click(),
  ])
  expect(readFileSync((await download.path()) ?? '', 'utf8')).toBe('1')
  await page.getByLabel('Select all 30').check()
  await page.locator('.bulk').getByRole('button', { name: 'Grow' }).click()
  await toast('Done')
  expect([await town(1), await town(30)]).toMatchObject([{ people: 101 }, { people: 3001 }])
  expect(new URL(page.url()).search).toBe('?search=town')
})

test('and the rest works without script, too', async () => {
  await open({ javaScriptEnabled: false })
  await go()
  await page.getByRole('link', { name: 'Show Later' }).click()
  await page.getByText('It came').waitFor()
  await press('Rename …')
  await page.getByLabel('New name').fill('Alpha')
  await press('Rename the first')
  await toast('Now Alpha')
  expect((await town(1)).name).toBe('Alpha')
  await press('Window')
  await page.getByText('Through the window').waitFor()
})

for (const colorScheme of ['light', 'dark'] as const)
  test.for([1280, 360])(`axe finds nothing, and nothing scrolls sideways: ${colorScheme}, %i px`, async (width) => {
    await open({ colorScheme, viewport: { width, height: 800 } })
    world.state.broken = false
    await go()
    await page.getByText('It came').waitFor()
    await page.getByText('Mended').waitFor()
    expect(await flawsOf(page)).toEqual([])
    // Every button of the page says what it does.
    for (const name of ['Say', 'Rename …']) expect(await page.getByRole('button', { name, exact: true }).innerText()).toBe(name)
  })

test.each([1280, 390])('a view of a plugin begins below the menu button, and not at the edge, at %i px', async (width) => {
  await page.setViewportSize({ width, height: 800 })
  await go('/admin/plugin/notes/all')
  const top = (await page.getByRole('heading', { name: 'Notes' }).boundingBox())?.y
  const menu = await page.locator('.burger').boundingBox()
  expect(top).toBeGreaterThanOrEqual(menu ? menu.y + menu.height : 12)
})

test('a table without rows takes no more of a page than it has to say, and a card on a phone begins with its name, be it a number', async () => {
  await go('/admin/page/bare')
  expect((await page.locator('#none').boundingBox())?.height).toBeLessThan(320)
  await page.setViewportSize({ width: 390, height: 800 })
  const [card, name] = [page.locator('#numbers tbody tr').first(), page.locator('#numbers tbody .label .number').first()]
  expect((await name.boundingBox())?.x).toBeLessThan(((await card.boundingBox())?.x ?? 0) + 60)
})

test('axe finds no two places of one name where a page has several tables, tabs and forms of a resource', async () => {
  await go('/admin/page/two')
  await page.locator('#other').waitFor()
  expect(await flawsOf(page)).toEqual([])
})

test('a text in Arabic or Hebrew is read from its own side, and a column keeps its edge', async () => {
  await page.request.put(`${world.base}/admin/resource/towns/crud/1`, {
    headers: { accept: 'application/json' },
    data: { name: 'مرحبا (1)!' },
  })
  const styleOf = (of: string) =>
    page.evaluate(
      `(({ unicodeBidi, textAlign }) => [unicodeBidi, textAlign])(getComputedStyle(document.querySelector(${JSON.stringify(of)})))`,
    )
  await go('/admin/resource/towns/crud')
  expect(await styleOf('tbody .first')).toEqual(['plaintext', 'left'])
  await go('/admin/resource/towns/form-page/1')
  expect(await styleOf('[name=name]')).toEqual(['plaintext', 'start'])
  await go('/admin/resource/towns/crud/1')
  expect(await styleOf('h1 > span')).toEqual(['plaintext', 'start'])
  expect(await styleOf('dd')).toEqual(['plaintext', 'left'])
})
