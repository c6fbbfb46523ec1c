import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePage, definePanel, defineResource, formBuilder, id, type Panel, select, switcher, tableBuilder, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { launchBrowser } from '../support/browser.js'
import { Sqlite } from '../support/sqlite.js'

// Client events of the kinds that have no test of their own elsewhere, the fields that depend on others, and pages without a count.
const table = sqliteTable('applications', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar().notNull().default('open'),
  reason: varchar(),
  appealed: integer({ mode: 'boolean' }).notNull().default(false),
  court: varchar(),
  grounds: varchar({ mode: 'json' }).$type<string[]>(),
  other: varchar(),
})
const Applications = defineResource({
  model: table,
  fields: {
    id: id(),
    name: text('Name').required(),
    state: select('State').options({ open: 'Open', granted: 'Granted', refused: 'Refused' }),
    reason: text('Reason').showWhen('state', 'refused', 'granted'),
    appealed: switcher('Appealed').showWhen('state', 'refused'),
    court: text('Court')
      .showWhen('appealed', true)
      .rule(z.enum(['Upper', 'Lower'])),
    grounds: select('Grounds').options({ late: 'Late', other: 'Another one' }).multiple(),
    other: text('Which other').showWhen('grounds', 'other'),
  },
})
const Walks = defineResource({
  model: table,
  uriKey: 'walks',
  title: 'Walks',
  fields: { id: id(), name: text('Name').sortable() },
  simplePaginate: true,
  itemsPerPage: 5,
})
const desk = definePage({
  uri: 'desk',
  title: 'Desk',
  components: [
    tableBuilder(Applications, { name: 'latest' }),
    formBuilder(Applications, { name: 'quick', fields: ['name', 'state', 'reason'] }),
  ],
})

let folder: string
let db: Sqlite
let panel: Panel
let base: string
let close: () => Promise<void>
let browser: Browser
let page: Page

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'daymark-events-'))
  db = new Sqlite(join(folder, 'own.db'))
  db.exec(
    "create table applications (id integer primary key, name text not null, state text not null default 'open', reason text, appealed integer not null default 0, court text, grounds text, other text)",
  )
  panel = definePanel({
    auth: 'open',
    database: `sqlite:${join(folder, 'own.db')}`,
    secret: 'of these tests',
    resources: [Applications, Walks],
    pages: [desk],
  })
  const listening = await panel.listen({ port: 0 })
  base = listening.url
  close = () => listening.close()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await close?.()
  await panel?.close()
  db?.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  db.exec("delete from applications; insert into applications (id, name, reason) values (1, 'First', 'Because')")
  await page?.context().close()
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  page.setDefaultTimeout(10_000)
})

const dispatch = (name: string) => page.evaluate(`window.dispatchEvent(new CustomEvent(${JSON.stringify(name)}))`)
const control = (label: string) => page.getByLabel(label, { exact: true })
const stored = () => db.prepare('select state, reason, appealed, court from applications where id = 1').raw().get()
const edit = () => page.goto(`${base}${panel.route('resource.page', { resource: Applications, page: 'form-page', resourceItem: 1 })}`)

test.each(['table-updated-latest', 'table-reindex-latest', 'table-row-added-latest'])(
  '%s: the table of the page shows what is there now',
  async (event) => {
    await page.goto(`${base}/admin/page/desk`)
    await page.locator('#latest tbody tr').waitFor()
    db.exec("insert into applications (id, name) values (2, 'Second')")
    await dispatch(event)
    await page.locator('#latest tbody tr', { hasText: 'Second' }).waitFor()
  },
)

test('form-reset and form-submit do so to the form that they name', async () => {
  await page.goto(`${base}/admin/page/desk`)
  await page.locator('#quick-name').fill('Typed')
  await dispatch('form-reset-quick')
  await expect.poll(() => page.locator('#quick-name').inputValue()).toBe('')
  await page.locator('#quick-name').fill('By an event')
  await dispatch('form-submit-quick')
  await page.locator('.toast').waitFor()
  await expect.poll(() => db.prepare("select count(*) as n from applications where name = 'By an event'").raw().get()).toEqual([1])
})

test('a field that depends on another is shown while that has one of its values, and sent only then', async () => {
  await edit()
  await control('Reason').waitFor({ state: 'hidden' })
  await control('Court').waitFor({ state: 'hidden' })
  expect(await page.getByText('Not saved yet').count()).toBe(0)
  await control('State').selectOption('refused')
  await control('Reason').fill('Too late')
  await control('Appealed').check()
  await control('Court').fill('Upper')
  await control('State').selectOption('granted')
  // The court depends on the appeal, and that on the state.
  await control('Court').waitFor({ state: 'hidden' })
  await control('Reason').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.toast', { hasText: 'Saved' }).waitFor()
  expect(stored()).toEqual(['granted', 'Too late', 0, null])
})

test('one that depends on a choice of several is shown while that is among them', async () => {
  await edit()
  await control('Which other').waitFor({ state: 'hidden' })
  await control('Late').check()
  await control('Another one').check()
  await control('Which other').fill('Lost')
  await control('Late').uncheck()
  await control('Which other').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.toast', { hasText: 'Saved' }).waitFor()
  expect(db.prepare('select grounds, other from applications where id = 1').raw().get()).toEqual(['["other"]', 'Lost'])
  await edit()
  await control('Another one').uncheck()
  await control('Which other').waitFor({ state: 'hidden' })
})

test('what is not shown stays as it is', async () => {
  await edit()
  await page.locator('#field-name').fill('Renamed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.toast', { hasText: 'Saved' }).waitFor()
  expect(stored()).toEqual(['open', 'Because', 0, null])
})

test('what was refused is shown with its error, and show-when-refresh looks again', async () => {
  await edit()
  await control('State').selectOption('refused')
  await control('Appealed').check()
  await control('Court').fill('Nowhere')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('#field-court-error').waitFor()
  await control('Court').waitFor()
  expect(await control('Court').inputValue()).toBe('Nowhere')
  await page.evaluate("document.querySelector('#field-state').value = 'open'")
  await dispatch('show-when-refresh')
  await control('Reason').waitFor({ state: 'hidden' })
})

test('the form of a record answers to events by the name of its resource', async () => {
  await edit()
  const before = await page.locator('#field-name').inputValue()
  await page.locator('#field-name').fill('Typed')
  await dispatch('form-reset-form-applications')
  await expect.poll(() => page.locator('#field-name').inputValue()).toBe(before)
  await page.locator('#field-name').fill('Sent by an event')
  await dispatch('form-submit-form-applications')
  await page.locator('.toast', { hasText: 'saved' }).waitFor()
  expect(stored()).toEqual(['open', 'Because', 0, null])
})

test('without script every field is there', async () => {
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await plain.goto(`${base}${panel.route('resource.page', { resource: Applications, page: 'form-page', resourceItem: 1 })}`)
  await plain.getByLabel('Court', { exact: true }).waitFor()
  await plain.context().close()
})

test('a list with simple pagination goes on and back, and never says how many there are', async () => {
  db.exec(
    "delete from applications; with recursive n (i) as (select 1 union all select i + 1 from n where i < 12) insert into applications (id, name) select i, 'Walk ' || i from n",
  )
  await page.goto(`${base}/admin/resource/walks/crud`)
  const first = () => page.locator('tbody tr .label').first().innerText()
  const pager = page.getByRole('navigation', { name: 'Pages' })
  expect(await first()).toBe('Walk 12')
  await pager.getByRole('link', { name: 'Next' }).click()
  await expect.poll(first).toBe('Walk 7')
  await pager.getByRole('link', { name: 'Next' }).click()
  await expect.poll(first).toBe('Walk 2')
  expect(await page.locator('tbody tr').count()).toBe(2)
  expect(await pager.locator('.near:last-child a[href]').count()).toBe(0)
  await pager.getByRole('link', { name: 'Previous' }).click()
  await expect.poll(first).toBe('Walk 7')
  expect(await page.locator('main').innerText()).not.toMatch(/of 12|\b12 /)
})
