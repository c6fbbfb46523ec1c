import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  date,
  dateTime,
  definePanel,
  defineResource,
  email,
  id,
  json,
  number,
  type Panel,
  select,
  switcher,
  text,
  textarea,
  url,
} from 'daymark'
import { integer, numeric, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { Sqlite } from '../support/sqlite.js'

const samples = sqliteTable('samples', {
  id: integer('id').primaryKey(),
  line: varchar('line'),
  area: varchar('area'),
  whole: integer('whole'),
  real: real('real'),
  exact: numeric('exact'),
  on: integer('on', { mode: 'boolean' }).notNull(),
  maybe: integer('maybe', { mode: 'boolean' }),
  choice: varchar('choice'),
  choices: varchar('choices', { mode: 'json' }).$type<string[]>(),
  day: varchar('day'),
  at: integer('at', { mode: 'timestamp_ms' }),
  mail: varchar('mail'),
  link: varchar('link'),
  data: varchar('data', { mode: 'json' }).$type<unknown>(),
})

const Samples = defineResource({
  model: samples,
  fields: {
    id: id(),
    line: text(),
    area: textarea(),
    whole: number(),
    real: number(),
    exact: number(),
    on: switcher(),
    maybe: switcher(),
    choice: select().options({ a: 'A', b: 'B' }),
    choices: select().options(['x', 'y', 'z']).multiple(),
    day: date(),
    at: dateTime(),
    mail: email(),
    link: url(),
    data: json(),
  },
})

const folder = mkdtempSync(join(tmpdir(), 'daymark-'))
const db = new Sqlite(join(folder, 'samples.db'))
let panel: Panel
let base: string
let stop: () => Promise<void>
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  db.exec(
    'CREATE TABLE samples (id INTEGER PRIMARY KEY, line TEXT, area TEXT, whole INTEGER, real REAL, exact NUMERIC, "on" INTEGER NOT NULL, maybe INTEGER, choice TEXT, choices TEXT, day TEXT, at INTEGER, mail TEXT, link TEXT, data TEXT)',
  )
  panel = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'samples.db')}`, resources: [Samples], timeZone: 'Europe/Berlin' })
  const listening = await panel.listen({ port: 0 })
  base = listening.url
  stop = async () => {
    await listening.close()
    await panel.close()
  }
  browser = await launchBrowser()
  // Without JavaScript: what counts is what a browser itself makes of a control.
  context = await browser.newContext({ javaScriptEnabled: false })
})

afterAll(async () => {
  await browser?.close()
  await stop?.()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const hostile = fc.constantFrom(
  '',
  ' ',
  '  spaces around  ',
  'two\nlines',
  '\nleading',
  'trailing\n',
  'carriage\rreturn',
  'both\r\nends',
  '\t\ttabs',
  '"quoted" \'too\' & <b>bold</b> </textarea><script>alert(1)</script>',
  '&amp;lt;',
  '﻿bom',
  '\u0001\u007f\u0085\u2028\u2029',
  'עברית العربية',
  '👩‍👩‍👧‍👦 e\u0301',
  '{row-id} $& $x',
  'x'.repeat(3000),
)
const words = fc
  .oneof(hostile, fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }))
  .filter((one) => !one.includes('\0') && one.isWellFormed())
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 8 })
const sample = fc.record({
  line: maybe(words),
  area: maybe(words),
  whole: maybe(fc.maxSafeInteger()),
  real: maybe(fc.double({ noNaN: true, noDefaultInfinity: true })),
  exact: maybe(fc.constantFrom('0', '1.5', '12345678901234567890.123', '-7')),
  on: fc.integer({ min: 0, max: 1 }),
  maybe: maybe(fc.integer({ min: 0, max: 1 })),
  choice: maybe(fc.oneof(fc.constantFrom('a', 'b'), words)),
  choices: maybe(fc.array(fc.oneof(fc.constantFrom('x', 'y', 'z'), fc.constant('gone "now"'))).map((all) => JSON.stringify(all))),
  day: maybe(fc.oneof(fc.constantFrom('2026-02-29', 'tomorrow', '2026-02-28', '0099-01-01'), words)),
  at: maybe(
    fc.oneof(
      fc.constantFrom(
        Date.parse('2026-10-25T00:30:00Z'),
        Date.parse('2026-10-25T01:30:00.120Z'),
        Date.parse('2026-03-29T01:00:00Z'),
        0,
        -1,
        Date.parse('9999-12-31T23:59:59.999Z'),
      ),
      fc.date({ min: new Date('1890-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }).map(Number),
    ),
  ),
  mail: maybe(fc.oneof(fc.constantFrom('a@example.com', ' a@example.com', 'not an address', 'a\nb@example.com'), words)),
  link: maybe(fc.oneof(fc.constantFrom('https://example.com/?a=1&b="', 'javascript:alert(1)', ' https://example.com '), words)),
  data: maybe(
    fc
      .oneof(fc.jsonValue(), words)
      .filter((one) => one !== null)
      .map((one) => JSON.stringify(one)),
  ),
})
type Sample = typeof sample extends fc.Arbitrary<infer S> ? S : never

const insert = () =>
  db.prepare(
    'INSERT INTO samples (line, area, whole, real, exact, "on", maybe, choice, choices, day, at, mail, link, data) VALUES (@line, @area, @whole, @real, @exact, @on, @maybe, @choice, @choices, @day, @at, @mail, @link, @data)',
  )

test('opening a form and saving it untouched changes nothing, whatever is stored', async () => {
  const page = await context.newPage()
  page.setDefaultTimeout(5000)
  await fc.assert(
    fc.asyncProperty(sample, async (row: Sample) => {
      const key = insert().run(row).lastInsertRowid
      const stored = () => db.prepare('SELECT * FROM samples WHERE id = ?').raw().get(key)
      const before = stored()
      await page.goto(`${base}${panel.route('resource.page', { resource: 'samples', page: 'form-page', resourceItem: String(key) })}`)
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.request().method() === 'POST'),
        page.locator('.actions button').last().click(),
      ])
      expect(response.status(), (await page.locator('main').textContent()) ?? '').toBe(303)
      expect(stored()).toEqual(before)
      await page.waitForLoadState()
      expect(await page.locator('h1').count(), 'the page of the record').toBe(1)
    }),
    { numRuns: 40 },
  )
}, 120_000)
