import { setTimeout } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser that `npm test` found. Close it in `afterAll`. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set: run the tests with npm test, which finds or installs a browser.')
  return chromium.launch({ executablePath, args: flags })
}

/**
 * Closes a context. While one of its pages is being replaced by the next, as by the answer to a form, Chromium may never say that it is
 * closed: it then ends with the browser.
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.race([context.close(), setTimeout(5_000, undefined, { ref: false })])
}

/** How far a page scrolls sideways. Not by `innerWidth`: a phone that has to show more than its width says that it is wider. */
export const beyond = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth')) - (page.viewportSize()?.width ?? 0)
