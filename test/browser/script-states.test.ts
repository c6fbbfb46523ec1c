import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'
import { cutNetwork, mendNetwork, openScriptWorld, type ScriptWorld } from './world.js'

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const
const towns = '/admin/resource/towns/crud?perPage=10'

let world: ScriptWorld
let browser: Browser

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openScriptWorld(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

/** What only a script brings about. */
const states: Readonly<Record<string, (page: Page, context: BrowserContext) => Promise<unknown>>> = {
  'a palette': async (page) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('option', { name: 'Words', exact: true }).waitFor()
  },
  'a palette that finds nothing': async (page) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.locator('.palette input').fill('zzzz')
    await page.locator('.palette [aria-disabled]').waitFor()
  },
  'a delete that is asked': async (page) => {
    await page.getByRole('checkbox', { name: 'Select Town 01' }).check()
    await page.getByRole('checkbox', { name: 'Select Town 02' }).check()
    await page.locator('.bulk .danger').click()
    await page.locator('dialog[open]').waitFor()
  },
  'a busy list': async (page) => {
    await page.route(/sort=/, () => {})
    await page.evaluate("document.querySelector('th a').click()")
    await page.locator('.listing[aria-busy=true]').waitFor()
  },
  'a list that cannot be reached': async (page, context) => {
    await cutNetwork(context)
    await page.evaluate("document.querySelector('th a').click()")
    await page.getByRole('alert').waitFor()
    await mendNetwork(context)
  },
  'a row that was refused, and one that is gone': async (page, context) => {
    await cutNetwork(context)
    await page.getByRole('switch', { name: 'Open: Town 04' }).click()
    await page.locator('.row-note').waitFor()
    await mendNetwork(context)
    await page.route(/_key=5/, (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '' }))
    await page.evaluate("dispatchEvent(new CustomEvent('table-row-updated-towns-table-5'))")
    await page.locator('.gone').waitFor()
  },
  'a related record that is searched to filter by': async (page) => {
    await page.goto(`${world.base}/admin/resource/streets/crud?filter[districtId]=1`)
    const sheet = page.locator('.more > summary')
    if (await sheet.isVisible()) await sheet.click()
    await page.locator('.filter > summary', { hasText: 'District' }).click()
    await page.getByRole('combobox', { name: 'District' }).fill('o')
    await page.getByRole('option').first().waitFor()
  },
  'a list sorted by two columns': async (page) => {
    await page.goto(`${world.base}/admin/resource/towns/crud?perPage=10&sort=-people,name`)
    await page.getByRole('button', { name: 'View options' }).click()
    await page.locator('.then > summary').click()
  },
  'a toast': async (page) => {
    await page.evaluate("dispatchEvent(new CustomEvent('toast', { detail: 'Saved' }))")
    await page.locator('.toast').waitFor()
  },
  'a form that is not saved': async (page) => {
    await page.goto(`${world.base}/admin/resource/streets/form-page/1`)
    await page.getByRole('combobox', { name: 'District' }).fill('o')
    await page.getByRole('option').first().waitFor()
    await page.getByLabel('Name').fill('Low Street')
    await page.locator('.unsaved').waitFor()
    await page.getByRole('combobox', { name: 'District' }).press('ArrowDown')
    await page.getByRole('option').first().waitFor()
  },
}

const every = Object.entries(states).flatMap(([name, act]) => (['desktop', 'phone'] as const).map((size) => ({ name, size, act })))

test.each(every)('$name on a $size: axe finds nothing in either theme, nothing scrolls sideways', async ({ size, act }) => {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const refused: string[] = []
  page.on('console', (message) => void (/Content.Security.Policy/i.test(message.text()) && refused.push(message.text())))
  await page.goto(world.base + towns)
  await act(page, context)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await flawsOf(page), colorScheme).toEqual([])
  }
  expect(await page.locator('[style]').count()).toBe(0)
  expect(refused).toEqual([])
  await context.close()
})
