import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Panel } from 'daymark'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { beyond, closeContext, launchBrowser } from './browser.js'
import { Sqlite } from './sqlite.js'

/** What a test has of a panel of its own. */
export interface Opened {
  /** A folder of its own, which is removed at the end. */
  readonly place: string
  /** The panel's database, to change it behind its back. */
  readonly client: Sqlite
  /** Where the panel answers. */
  readonly url: string
  readonly context: BrowserContext
  readonly page: Page
}

interface Own {
  /** The statements that make its tables. */
  readonly schema: string
  readonly panel: (database: string, place: string) => Panel | Promise<Panel>
  /** Fills the tables before each test. */
  readonly before: (client: Sqlite) => unknown
  /** Hears of each page: of that of a test, and of those that it opens itself. */
  readonly opened: (all: Opened) => void
  readonly viewport?: BrowserContextOptions['viewport']
}

/** Serves a panel of a test's own over SQLite, and opens a page for each test. Returns what opens another one instead. */
export function ownBrowser({ schema, panel: make, before, opened, viewport = { width: 1280, height: 800 } }: Own) {
  let place: string
  let client: Sqlite
  let panel: Panel
  let listening: Awaited<ReturnType<Panel['listen']>>
  let browser: Browser
  let context: BrowserContext | undefined
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'daymark-browser-'))
    client = new Sqlite(join(place, 'own.db'))
    client.exec(schema)
    panel = await make(`sqlite:${join(place, 'own.db')}`, place)
    ;[listening, browser] = await Promise.all([panel.listen({ port: 0 }), launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await listening?.close()
    await panel?.close()
    client?.close()
    rmSync(place, { recursive: true, force: true })
  })
  beforeEach(async () => {
    await before(client)
    await open()
  })
  afterEach(() => context && closeContext(context))
  return open

  async function open(options: BrowserContextOptions = {}): Promise<void> {
    if (context) await closeContext(context)
    context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    opened({ place, client, url: listening.url, context, page })
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds on a page, and where; how far it scrolls sideways, if it does. */
export async function flawsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  // Only what is wrong: what is well is a report that takes as long as all the rest.
  const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] }
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as AxeResults['violations']
  const wider = await beyond(page)
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  return wider > 0 ? [...found, `scrolls sideways by ${wider}`] : found
}
