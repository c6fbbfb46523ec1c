import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { openLongWorld } from './world.js'

const towns = '/admin/resource/towns/crud'
const rows = 10_000
// A busy machine takes its time over so many.
const patient = { timeout: 60_000 }
let world: Awaited<ReturnType<typeof openLongWorld>>
let browser: Browser
let page: Page

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openLongWorld(rows), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

test('ten thousand rows on one page carry little each, and are scrolled to the last', async () => {
  const answer = await fetch(world.base + towns, { headers: { accept: 'text/html' } })
  // Cells, a box to select with, a switch and a link: the menu is asked for when it is opened.
  expect((await answer.text()).length / rows).toBeLessThan(700)
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(`window.heard = new Set()
    const { addEventListener } = EventTarget.prototype
    EventTarget.prototype.addEventListener = function (name, listener, ...rest) {
      heard.add(listener)
      return addEventListener.call(this, name, listener, ...rest)
    }`)
  await page.goto(world.base + towns)
  expect(await page.evaluate("document.querySelectorAll('tbody *').length")).toBeLessThan(rows * 20)
  expect(await page.locator('tbody :is([popover], form)').count()).toBe(0)
  // Rows are heard together, and those far away are there without being drawn.
  expect(await page.evaluate('heard.size')).toBeLessThan(200)
  expect(await page.locator('tbody > tr[data-key]').count()).toBe(rows)
  const drawn = "[...document.querySelectorAll('tbody > tr')].filter((row) => row.checkVisibility({ contentVisibilityAuto: true })).length"
  expect(await page.evaluate(drawn)).toBeLessThan(1000)
  await page.evaluate("const one = document.querySelector('.scroller'); one.scrollTop = one.scrollHeight")
  // What stands below the head and above the foot of the scroller is the last row.
  const atEnd = `(() => {
    const row = document.querySelector('tbody > tr[data-key="${rows}"]')
    const { left, top, width, height } = row.getBoundingClientRect()
    return row.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })()`
  await expect.poll(() => page.evaluate(atEnd), patient).toBe(true)

  // The menu of the one row that is asked for comes with it, and does what menus do.
  await page.getByRole('link', { name: `Actions for Town ${rows}`, exact: true }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: `Delete Town ${rows}?` })
    .getByRole('link', { name: 'Cancel' })
    .click()
  expect(await page.locator('tbody [popover]').count()).toBe(1)
  expect(page.url()).toBe(world.base + towns)

  // So does its switch, and the row answers to its event.
  const toggle = page.getByRole('switch', { name: `Open: Town ${rows - 1}`, exact: true })
  expect(await toggle.getAttribute('aria-checked')).toBe('true')
  await toggle.click()
  const open = world.db.prepare('select open from towns where id = ?')
  await expect.poll(() => open.get(rows - 1), patient).toMatchObject({ open: 0 })
  await expect.poll(() => toggle.getAttribute('aria-checked'), patient).toBe('false')
  world.db.exec(`update towns set name = 'Renamed' where id = ${rows - 2}`)
  await page.evaluate(`dispatchEvent(new CustomEvent('table-row-updated-index-table-towns-${rows - 2}'))`)
  await expect.poll(() => page.locator(`tr[data-key="${rows - 2}"] .label`).innerText(), patient).toBe('Renamed')

  // Selection is counted, drawn or not; a search takes the place of all of it.
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  expect(await page.locator('.bulk .count').innerText()).toBe('10,000 selected')
  await page.keyboard.press('Escape')
  expect(await page.locator('tbody :checked').count()).toBe(0)
  await page.getByRole('searchbox').fill('Town 777')
  await expect.poll(() => page.locator('tbody > tr[data-key]').count(), patient).toBe(19)
  expect(await page.locator('tbody').count()).toBe(1)
  await page.close()
}, 180_000)

test('without script the dots and the switch of such a row lead to its record', async () => {
  const answer = await fetch(`${world.base}${towns}?search=Town+777`, { headers: { accept: 'text/html' } })
  const markup = await answer.text()
  expect(markup).toContain(`<a class="dots" href="${towns}/777" aria-label="Actions for Town 777">`)
  const form = '/admin/resource/towns/form-page/777'
  expect(markup).toContain(`<a class="live" href="${form}" role="switch" aria-checked="true" aria-label="Open: Town 777">`)
})
