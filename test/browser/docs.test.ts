import { definePanel, defineResource, memoryStore } from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, tokenMode } from '../auth/world.js'
import { beyond, launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'

const things = sqliteTable('things', { id: integer().primaryKey(), name: text().notNull() })
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

// The viewer is millions of characters of script, and this machine may have others to run.
const patience = { timeout: 240_000 }
const wait = 120_000

/** What a page must not do: ask another host, break its policy, or fail. */
async function watch(page: Page, base: string): Promise<{ readonly foreign: string[]; readonly wrong: string[] }> {
  page.setDefaultTimeout(wait)
  const [foreign, wrong]: [string[], string[]] = [[], []]
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`) && !/^(?:data|blob):/.test(request.url())) foreign.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().startsWith('CSP ')) wrong.push(message.text())
  })
  page.on('pageerror', (error) => wrong.push(String(error)))
  await page.addInitScript(
    'addEventListener("securitypolicyviolation", (broken) => console.log("CSP " + broken.violatedDirective + " " + broken.blockedURI))',
  )
  return { foreign, wrong }
}

test.each(['light', 'dark'] as const)(
  'the documentation is shown in the %s theme, and asks no other host',
  patience,
  async (colorScheme) => {
    const panel = definePanel({
      title: 'Store',
      auth: 'open',
      resources: [defineResource({ model: memoryStore(things) })],
      plugins: [oag({ title: 'Things of ours' })],
    })
    const { url, close } = await panel.listen({ port: 0 })
    const page = await browser.newPage({ colorScheme })
    try {
      const seen = await watch(page, url)
      await page.goto(`${url}/docs`)
      await page.getByRole('heading', { name: 'Things of ours' }).waitFor()
      await page.getByText('/admin/resource/things/crud').first().waitFor()
      expect(await page.locator('body').getAttribute('class')).toContain(`${colorScheme}-mode`)
      expect(seen).toEqual({ foreign: [], wrong: [] })
      await expect.poll(() => flawsOf(page), patience).toEqual([])
      await page.getByRole('link', { name: 'Store', exact: true }).click()
      await page.waitForURL(`${url}/admin`)
    } finally {
      await page.close()
      await close()
      await panel.close()
    }
  },
)

test('on a narrow screen nothing has to be scrolled to the side', patience, async () => {
  const panel = definePanel({ auth: 'open', resources: [defineResource({ model: memoryStore(things) })], plugins: [oag()] })
  const { url, close } = await panel.listen({ port: 0 })
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  try {
    await watch(page, url)
    await page.goto(`${url}/docs`)
    await page.getByText('/admin/resource/things/crud').first().waitFor()
    expect(await beyond(page)).toBe(0)
  } finally {
    await page.close()
    await close()
    await panel.close()
  }
})

test('a request is tried out from the page, with a token, against the panel itself', patience, async () => {
  const world = await openWorld({ ...tokenMode(), plugins: [oag({ title: 'Cities of ours' })] })
  const { url, close } = await world.panel.listen({ port: 0 })
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  try {
    const seen = await watch(page, url)
    const { authorization = '' } = await world.as('reader')
    await page.goto(`${url}/docs`)
    await page.getByRole('heading', { name: 'Cities of ours' }).waitFor()
    // There is no panel to go to: a browser has no token.
    expect(await page.locator('.docs-head').count()).toBe(0)
    await page.getByPlaceholder('Token').first().click()
    await page.keyboard.insertText(authorization.replace('Bearer ', ''))
    await page.goto(`${url}/docs#tag/cities/GET/admin/resource/cities/crud`)
    await page
      .getByRole('button', { name: /^Test Request.*\/admin\/resource\/cities\/crud\)$/ })
      .first()
      .click()
    const answered = page.waitForResponse((response) => response.url() === `${url}/admin/resource/cities/crud`)
    await page.getByRole('button', { name: /^Send/ }).first().click()
    const answer = await answered
    expect([answer.status(), answer.headers()['content-type'], answer.request().headers().authorization]).toEqual([
      200,
      'application/json',
      authorization,
    ])
    await page.getByText('200 OK').waitFor()
    await page.getByText('"Berlin"').waitFor()
    expect(seen).toEqual({ foreign: [], wrong: [] })
  } finally {
    await page.close()
    await close()
    await world.close()
  }
})
