import { belongsTo, definePanel, defineResource, hasMany, id, number, select, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { beyond } from '../support/browser.js'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const countries = sqliteTable('countries', { id: integer().primaryKey(), name: varchar().notNull() })
const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  countryId: integer('country_id')
    .notNull()
    .references(() => countries.id),
})
const trips = sqliteTable('trips', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  afterId: integer('after_id'),
})
const stops = sqliteTable('stops', {
  id: integer().primaryKey(),
  tripId: integer('trip_id')
    .notNull()
    .references(() => trips.id),
  countryId: integer('country_id')
    .notNull()
    .references(() => countries.id),
  cityId: integer('city_id').references(() => cities.id),
  nights: integer().notNull().default(1),
  state: varchar().notNull(),
})
const Countries = defineResource({ model: countries, title: 'Countries', fields: { id: id(), name: text('Name').searchable() } })
const Cities = defineResource({
  model: cities,
  title: 'Cities',
  fields: { id: id(), name: text('Name').searchable(), countryId: belongsTo('Country', countries) },
})
const Stops = defineResource({
  model: stops,
  title: 'Stops',
  fields: {
    id: id(),
    tripId: belongsTo('Trip', trips),
    countryId: belongsTo('Country', countries),
    cityId: belongsTo('City', cities).matching({ countryId: 'countryId' }),
    nights: number('Nights').min(1),
    state: select('State')
      .options({ open: 'Open', booked: 'Booked', left: 'Left' })
      .transitions({ open: ['booked'], booked: ['left'], left: [] }),
  },
  validate: ({ values }) => (values.nights === 9 ? { tripId: 'Not nine' } : {}),
})
const Trips = defineResource({
  model: trips,
  title: 'Trips',
  fields: { id: id(), name: text('Name').searchable(), afterId: belongsTo('After', trips) },
  related: [hasMany(Stops, { inForm: ['countryId', 'cityId', 'nights', 'state'] })],
})

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: `create table countries (id integer primary key, name text not null);
    create table cities (id integer primary key, name text not null, country_id integer not null references countries (id));
    create table trips (id integer primary key, name text not null, after_id integer);
    create table stops (id integer primary key, trip_id integer not null references trips (id), country_id integer not null references countries (id), city_id integer references cities (id), nights integer not null default 1, state text not null)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Trips, Stops, Cities, Countries], log: () => {} }),
  before: (client) =>
    client.exec(
      `delete from stops; delete from trips; delete from cities; delete from countries;
      insert into countries values (1, 'Italy'), (2, 'Spain');
      insert into cities values (1, 'Rome', 1), (2, 'Milan', 1), (3, 'Madrid', 2);
      insert into trips values (1, 'South', null);
      insert into stops values (1, 1, 1, 1, 2, 'open'), (2, 1, 2, 3, 3, 'booked')`,
    ),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const form = '/admin/resource/trips/form-page'
const stored = () =>
  client.prepare('select trip_id as trip, country_id as country, city_id as city, nights, state from stops order by id').all()
const rows = (within = '') => page.locator(`${within} .nested .repeater-row:visible`)
const box = (row: number, label: string, within = '') => rows(within).nth(row).getByRole('combobox', { name: label })
const options = () => page.locator('.options [role=option]:visible').allInnerTexts()
const save = () => page.locator('.actions button.primary').click()

test('the choices of a row follow the fields of that row, in those that are there and in new ones', async () => {
  await page.goto(`${url}${form}/1`)
  // Each row asks with its own country.
  await box(0, 'City').fill('m')
  await expect.poll(options).toEqual([expect.stringContaining('Milan'), expect.stringContaining('Rome')])
  await page.keyboard.press('Escape')
  await box(1, 'City').fill('m')
  await expect.poll(options).toEqual([expect.stringContaining('Madrid')])
  await page.keyboard.press('Escape')
  // What no longer matches is said at once, and only there.
  await box(0, 'Country').fill('Spain')
  await page.getByRole('option', { name: 'Spain' }).click()
  await expect.poll(() => rows().nth(0).locator('.error').allInnerTexts()).toEqual(['City must be one of the same Country'])
  expect(await rows().nth(1).locator('.error').count()).toBe(0)
  await box(0, 'City').fill('Mad')
  await page.getByRole('option', { name: 'Madrid' }).click()
  await expect.poll(() => rows().nth(0).locator('.error').count()).toBe(0)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await expect.poll(() => rows().nth(2).locator('.hint').allInnerTexts()).toEqual(['Choose Country first'])
  await box(2, 'Country').fill('Italy')
  await page.getByRole('option', { name: 'Italy' }).click()
  await box(2, 'City').fill('m')
  await expect.poll(options).toEqual([expect.stringContaining('Milan'), expect.stringContaining('Rome')])
  await page.getByRole('option', { name: 'Rome' }).click()
  await rows().nth(2).getByLabel('State').selectOption('booked')
  expect(await flawsOf(page)).toEqual([])
  await save()
  await page.waitForURL(/\/crud\/1/)
  expect(stored()).toEqual([
    { trip: 1, country: 2, city: 3, nights: 2, state: 'open' },
    { trip: 1, country: 2, city: 3, nights: 3, state: 'booked' },
    { trip: 1, country: 1, city: 1, nights: 1, state: 'booked' },
  ])
})

test('a state in a row offers what it leads to, and a new row all of them', async () => {
  await page.goto(`${url}${form}/1`)
  const states = (row: number) => rows().nth(row).getByLabel('State').locator('option').allInnerTexts()
  expect(await states(0)).toEqual(['Open', 'Booked'])
  expect(await states(1)).toEqual(['Booked', 'Left'])
  await page.getByRole('button', { name: 'Add a row' }).click()
  expect((await states(2)).filter(Boolean).slice(-3)).toEqual(['Open', 'Booked', 'Left'])
})

test('the summary above the form goes on naming the rows, and what is wrong with a row as a whole', async () => {
  await page.goto(`${url}${form}/1`)
  await page.locator('[name="stops.0.nights"]').fill('9')
  await page.locator('[name="stops.1.nights"]').fill('0')
  await page.locator('[name=name]').fill('')
  await save()
  await page.locator('.notice.bad').waitFor()
  const lines = () => page.locator('.notice.bad li').allInnerTexts()
  expect(await lines()).toEqual(['Name is required', 'Stops, row 1: Not nine', 'Stops, row 2: Nights must be at least 1'])
  await page.locator('[name=name]').fill('North')
  await page.keyboard.press('Tab')
  await expect.poll(lines).toEqual(['Stops, row 1: Not nine', 'Stops, row 2: Nights must be at least 1'])
  expect(await page.locator('.notice.bad p').innerText()).toBe('Check the marked fields (2)')
  await page.locator('.notice.bad a').first().click()
  expect(page.url()).toMatch(/#stops-0$/)
})

test('a form with rows in a dialog has ids of its own, also in rows that are added there', async () => {
  await page.goto(url + form)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.getByRole('link', { name: 'New in Trips' }).click()
  const dialog = page.locator('dialog')
  await dialog.getByRole('button', { name: 'Add a row' }).click()
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
  const twice = ids.filter((one, i) => ids.indexOf(one) !== i)
  expect(twice).toEqual([])
  await dialog.locator('[name=name]').fill('First')
  await box(0, 'Country', 'dialog').fill('Italy')
  await page.getByRole('option', { name: 'Italy' }).click()
  await rows('dialog').nth(0).getByText('Nights').click()
  expect(await page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true)
  await rows('dialog').nth(0).getByLabel('State').selectOption('open')
  await dialog.locator('button.primary').click()
  await expect.poll(() => page.locator('.field:has([name=afterId]) [role=combobox]').inputValue()).toBe('First')
  expect(stored().slice(2)).toEqual([{ trip: 2, country: 1, city: null, nights: 1, state: 'open' }])
})

test('without script, blank rows with a state are not there for who leaves them alone', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(`${url}${form}/1`)
  expect(await rows().count()).toBe(4)
  await page.locator('[name=name]').fill('North')
  await save()
  await page.waitForURL(/\/crud\/1/)
  expect(stored()).toHaveLength(2)
  // The search of a row is narrowed by what is typed there.
  await page.goto(`${url}${form}/1`)
  await page.locator('[name="stops.2.countryId"]').fill('2')
  await rows().nth(2).getByText('Find').nth(1).click()
  await rows().nth(2).getByRole('button', { name: 'Search' }).click()
  expect(await rows().nth(2).locator('.choices label').allInnerTexts()).toEqual([expect.stringContaining('Madrid')])
})

test('on a narrow phone nothing is wider than the screen, and a row that was added and removed leaves nothing unsaved', async () => {
  await open({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
  await page.goto(`${url}${form}/1`)
  const unsaved = () => page.locator('.unsaved-place').innerText()
  expect(await unsaved()).toBe('')
  await page.getByRole('button', { name: 'Add a row' }).tap()
  await page.keyboard.press('Escape')
  expect(await unsaved()).toBe('Unsaved changes')
  expect(await beyond(page)).toBe(0)
  await rows().nth(2).getByRole('button', { name: 'Remove' }).tap()
  expect(await unsaved()).toBe('')
  await rows().nth(0).getByLabel('Delete').check()
  expect(await beyond(page)).toBe(0)
  await page.locator('[name="stops.1.nights"]').fill('0')
  await save()
  await page.locator('.notice.bad').waitFor()
  expect(await flawsOf(page)).toEqual([])
})
