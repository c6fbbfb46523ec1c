import { definePanel, defineResource, id, memoryStore, type Panel, text } from 'daymark'
import { markdown } from 'daymark/markdown'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beyond, launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const posts = sqliteTable('posts', { id: integer().primaryKey(), title: varchar().notNull(), body: varchar() })
let panel: Panel
let listening: Awaited<ReturnType<Panel['listen']>>
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  const Posts = defineResource({
    model: memoryStore(posts, [{ id: 1, title: 'One', body: null }]),
    fields: { id: id(), title: text('Title'), body: markdown('Body').rows(10) },
    handlers: { tell: { label: 'Tell', fields: { words: markdown('Words') }, run: async () => {} } },
    buttons: [{ label: 'Tell', handler: 'tell', on: 'detail' }],
  })
  panel = definePanel({ auth: 'open', resources: [Posts], log: () => {} })
  ;[listening, browser] = await Promise.all([panel.listen({ port: 0 }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await listening?.close()
  await panel?.close()
})
beforeEach(() => open())

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  await context?.close()
  context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(`${listening.url}/admin/resource/posts/form-page/1`)
}

const area = () => page.getByLabel('Body')
const value = () => area().inputValue()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const select = (words: string) =>
  page.evaluate(`{
    const area = document.querySelector('textarea[name=body]')
    const at = area.value.indexOf(${JSON.stringify(words)})
    area.focus()
    area.setSelectionRange(at, at + ${words.length})
  }`)

test('buttons and keys mark what is selected, and take the mark away; each step can be undone', async () => {
  await area().fill('one two three')
  await select('two')
  await page.keyboard.press('Control+b')
  expect(await value()).toBe('one **two** three')
  // The words are still selected.
  await press('Bold')
  expect(await value()).toBe('one two three')
  await press('Italic')
  expect(await value()).toBe('one _two_ three')
  await page.keyboard.press('Control+z')
  expect(await value()).toBe('one two three')
  await select('three')
  await press('Code')
  expect(await value()).toBe('one two `three`')
  await select('one')
  await press('Link')
  expect(await value()).toBe('[one](https://) two `three`')
  await page.keyboard.type('https://example.com')
  expect(await value()).toBe('[one](https://example.com) two `three`')
  await area().fill('https://example.com')
  await select('https://example.com')
  await press('Link')
  await page.keyboard.type('here')
  expect(await value()).toBe('[here](https://example.com)')
})

test('the buttons are one stop of the tab key: arrows, Home and End move among them, and shortcuts are told', async () => {
  const named = () => page.evaluate<string>('document.activeElement.ariaLabel || document.activeElement.textContent')
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await area().focus()
  await page.keyboard.press('Shift+Tab')
  const walk: string[] = [await named()]
  for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Home', 'ArrowRight']) {
    await page.keyboard.press(key)
    walk.push(await named())
  }
  expect(walk).toEqual(['Bold', 'Italic', 'Preview', 'Bold', 'Preview', 'Link', 'Bold', 'Italic'])
  // The stop is the button that was used last, by mouse, too.
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.name')).toBe('body')
  await press('Preview')
  await area().focus()
  await page.keyboard.press('Shift+Tab')
  expect(await named()).toBe('Preview')
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate('document.activeElement.closest(".tools")')).toBe(null)
  const told = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((one) => [one.getAttribute('aria-keyshortcuts'), one.title] as const)
  expect(await told('Bold')).toEqual(['Control+B Meta+B', 'Bold (Ctrl+B)'])
  expect(await told('Italic')).toEqual(['Control+I Meta+I', 'Italic (Ctrl+I)'])
  expect(await told('Code')).toEqual([null, 'Code'])
})

test('where lines run from right to left, so do the arrows', async () => {
  await page.evaluate('document.documentElement.dir = "rtl"')
  await page.getByRole('button', { name: 'Bold', exact: true }).focus()
  await page.keyboard.press('ArrowLeft')
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Italic')
})

test('lines become lists, and a new line goes on with its list', async () => {
  await area().fill('a\nb\nc')
  await select('a\nb\nc')
  await press('Numbered list')
  expect(await value()).toBe('1. a\n2. b\n3. c')
  await press('Numbered list')
  expect(await value()).toBe('a\nb\nc')
  await select('b')
  await press('List')
  expect(await value()).toBe('a\n- b\nc')
  await press('List')
  await press('Quote')
  expect(await value()).toBe('a\n> b\nc')
  await press('Quote')
  await press('Heading')
  expect(await value()).toBe('a\n## b\nc')
  await area().fill('')
  await area().focus()
  await page.keyboard.type('- one\ntwo\n\nend\n')
  expect(await value()).toBe('- one\n- two\nend\n')
  await page.keyboard.type('9. nine\nten')
  expect(await value()).toBe('- one\n- two\nend\n9. nine\n10. ten')
  // A new line before the words of an item is a new item, and takes nothing away.
  await area().fill('- one')
  await page.evaluate('document.querySelector("textarea[name=body]").setSelectionRange(2, 2)')
  await page.keyboard.press('Enter')
  expect(await value()).toBe('- \n- one')
  await area().fill('- a\n- b')
  await select('- a\n- b')
  await press('Numbered list')
  expect(await value()).toBe('1. a\n2. b')
  await page.keyboard.press('Control+z')
  expect(await value()).toBe('- a\n- b')
})

test('a preview follows what is typed, and what is saved looks like it', async () => {
  await press('Preview')
  const shown = page.getByRole('region', { name: 'Preview' })
  await shown.getByText('Nothing to show yet').waitFor()
  await area().fill('# Head\n\n| a | b |\n|---|--:|\n| 1 | **2** |')
  await shown.getByRole('heading', { level: 2, name: 'Head' }).waitFor()
  await shown.locator('td strong').waitFor()
  const looks = await shown.locator('.prose').innerHTML()
  // No column is set by an inline style, which the page would refuse.
  expect(await page.evaluate('getComputedStyle(document.querySelector(".markdown-preview td.right")).textAlign')).toBe('end')
  await press('Preview')
  expect(await shown.count()).toBe(0)
  await press('Save')
  await page.waitForURL('**/posts/crud/1')
  expect(await page.locator('.prose').innerHTML()).toBe(looks)
  await page.goto(`${listening.url}/admin/resource/posts/form-page/1`)
  expect(await page.getByText('Unsaved changes').isVisible()).toBe(false)
})

test('a preview that cannot be had says so, and comes with the next letter', async () => {
  await page.route('**/preview/**', (route) => route.abort())
  await area().fill('x')
  await press('Preview')
  const shown = page.getByRole('region', { name: 'Preview' })
  await expect.poll(() => shown.innerText()).toMatch(/connection|reach|server/i)
  await page.unroute('**/preview/**')
  await area().press('End')
  await page.keyboard.type('y')
  await expect.poll(() => shown.innerText()).toBe('xy')
})

test('a preview after a sign-out says that one has to sign in', async () => {
  await page.route('**/preview/**', (route) => route.fulfill({ status: 303, headers: { location: '/admin/login' } }))
  await area().fill('x')
  await press('Preview')
  await expect.poll(() => page.getByRole('region', { name: 'Preview' }).innerText()).toMatch(/sign/i)
})

test('in the dialog of an action, too', async () => {
  await page.goto(`${listening.url}/admin/resource/posts/crud/1`)
  await press('Tell')
  const words = page.getByRole('dialog').getByLabel('Words')
  await words.fill('loud')
  await words.selectText()
  await page.getByRole('dialog').getByRole('button', { name: 'Bold' }).click()
  expect(await words.inputValue()).toBe('**loud**')
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).count()).toBe(0)
})

test('formatted text keeps its distances, also where the page keeps line breaks, and words in tables stay whole', async () => {
  await open({ viewport: { width: 390, height: 800 } })
  await area().fill(
    '# A\n\n- b\n\n> c\n>\n> d\n\n| City | People | A heading of a column | Another of them | One more |\n|-|-|-|-|-|\n| Kathmandu | 4,000,000 | x | y | z |\n\n##### E',
  )
  await press('Preview')
  const shown = page.getByRole('region', { name: 'Preview' })
  await shown.locator('table').waitFor()
  const box = async (selector: string) => {
    const found = await shown.locator(selector).first().boundingBox()
    if (!found) throw new Error(`${selector} is not shown`)
    return found
  }
  const [prose, quote, first, second, cell, last] = await Promise.all(
    ['.prose', 'blockquote', 'blockquote p', 'blockquote p + p', 'td', 'h6'].map(box),
  )
  expect(quote?.x).toBe(prose?.x)
  expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0))
  expect(cell?.height).toBeLessThan(40)
  expect((prose?.y ?? 0) + (prose?.height ?? 0)).toBe((last?.y ?? 0) + (last?.height ?? 0))
  expect(await beyond(page)).toBe(0)
  const height = prose?.height
  await page.evaluate('document.querySelector(".markdown-preview").style.whiteSpace = "pre-wrap"')
  expect((await box('.prose')).height).toBe(height)
})

test('right-to-left words follow their own direction, a wide table can be scrolled by keys, and a pressed button is told without colours', async () => {
  await open({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, forcedColors: 'active' })
  await area().fill(`שלום\n\n|${' Kathmandu |'.repeat(6)}\n|${'-|'.repeat(6)}`)
  await press('Preview')
  const shown = page.getByRole('region', { name: 'Preview' })
  await shown.locator('table').waitFor()
  expect(await shown.locator('.wide').getAttribute('tabindex')).toBe('0')
  expect(await page.evaluate('getComputedStyle(document.querySelector(".markdown-preview p")).unicodeBidi')).toBe('plaintext')
  const faces = await page.evaluate(
    '[...document.querySelectorAll(".tools button")].slice(-2).map((one) => getComputedStyle(one).backgroundColor)',
  )
  expect(new Set(faces as string[]).size).toBe(2)
  // They have one line.
  const tops = await page.evaluate('[...document.querySelectorAll(".tools button")].map((one) => one.offsetTop)')
  expect(new Set(tops as number[]).size).toBe(1)
})

test('without JavaScript it is a text area', async () => {
  await open({ javaScriptEnabled: false })
  expect(await page.getByRole('button', { name: 'Bold' }).isVisible()).toBe(false)
  await area().fill('_plain_')
  await press('Save')
  await page.locator('.prose em').waitFor()
})

test.each(['light', 'dark'] as const)('%s: axe finds nothing', async (colorScheme) => {
  const clean = async () => {
    await page.emulateMedia({ colorScheme })
    expect(await flawsOf(page)).toEqual([])
  }
  await area().fill('# A\n\n> b\n\n`c` [d](https://e.f)\n\n|g|h|\n|-|-|\n|1|2|\n\n```\ncode\n```')
  await press('Preview')
  await page.getByRole('region', { name: 'Preview' }).locator('pre').waitFor()
  await clean()
  await press('Save')
  await page.waitForURL('**/posts/crud/1')
  await clean()
})
