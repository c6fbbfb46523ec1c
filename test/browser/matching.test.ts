import { belongsTo, belongsToMany, definePanel, defineResource, id, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const countries = sqliteTable('countries', { id: integer().primaryKey(), name: varchar().notNull() })
const cities = sqliteTable('cities', { id: integer().primaryKey(), name: varchar().notNull(), countryId: integer() })
const shops = sqliteTable('shops', { id: integer().primaryKey(), name: varchar().notNull(), countryId: integer(), cityId: integer() })
const branches = sqliteTable('branches', { shopId: integer().notNull(), cityId: integer().notNull() })

const Countries = defineResource({ model: countries, title: 'Countries', fields: { id: id(), name: text('Name') } })
const Cities = defineResource({
  model: cities,
  title: 'Cities',
  fields: { id: id(), name: text('Name').required(), countryId: belongsTo('Country', countries) },
})
const Shops = defineResource({
  model: shops,
  title: 'Shops',
  fields: {
    id: id(),
    name: text('Name').required(),
    countryId: belongsTo('Country', countries),
    cityId: belongsTo('City', cities).matching({ countryId: 'countryId' }).hint('Where its customers are'),
    branchIds: belongsToMany('Branches', branches.cityId).to(cities).from(branches.shopId).matching({ countryId: 'countryId' }),
  },
  filters: ['cityId'],
  handlers: {
    relocate: {
      label: 'Relocate',
      fields: {
        countryId: belongsTo('Country', countries),
        cityId: belongsTo('City', cities).matching({ countryId: 'countryId' }),
        big: belongsTo('Big city', cities).where({ name: { in: ['Paris', 'Madrid'] } }),
      },
      run: ({ input: { countryId, cityId, big } }) => `To ${cityId} of ${countryId}, ${big}`,
    },
  },
  indexButtons: [{ label: 'Relocate', handler: 'relocate', at: 'toolbar' }],
  isAsync: true,
})

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: `create table countries (id integer primary key, name text not null);
    create table cities (id integer primary key, name text not null, "countryId" integer);
    create table shops (id integer primary key, name text not null, "countryId" integer, "cityId" integer);
    create table branches ("shopId" integer not null, "cityId" integer not null)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Shops, Countries, Cities], log: () => {} }),
  before: (client) => {
    client.exec(`delete from branches; delete from shops; delete from cities; delete from countries;
    insert into countries values (1, 'France'), (2, 'Spain');
    insert into cities values (1, 'Paris', 1), (2, 'Lyon', 1), (3, 'Madrid', 2);
    insert into shops values (1, 'One', 1, 1); insert into branches values (1, 1), (1, 2)`)
  },
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const fresh = '/admin/resource/shops/form-page'
const go = (path: string) => page.goto(url + path)
const combo = (label: string) => page.getByRole('combobox', { name: label, exact: true })
const field = (key: string) => page.locator(`.field:has([name="${key}"])`)
const error = async (key: string) => ((await field(key).locator('> .error').allTextContents())[0] ?? '').trim()
const hint = async (key: string) => (await field(key).locator('> .hint').innerText()).trim()
const described = async (label: string) => {
  const ids = ((await combo(label).getAttribute('aria-describedby')) ?? '').split(' ')
  const texts = await Promise.all(ids.map((one) => page.locator(`[id="${one}"]`).textContent()))
  return texts.map((text) => text?.trim()).join(' ')
}
const options = (key: string) => field(key).locator('[role=option]')
/** Chooses by the keyboard alone. */
const choose = async (label: string, name: string) => {
  await combo(label).fill(name)
  await page.keyboard.press('Enter')
  await expect.poll(() => combo(label).getAttribute('aria-expanded')).toBe('false')
}
// Asked again and again from here: the page itself evaluates no text (its Content-Security-Policy), so that a function that waits there fails.
const ready = () =>
  expect.poll(() => page.evaluate("performance.getEntriesByType('resource').some(({ name }) => name.endsWith('matching.js'))")).toBe(true)
const wrong = 'City must be one of the same Country'

test('what to choose first is said; then the search finds what matches, and what no longer does is said at once and kept', async () => {
  await go(fresh)
  await ready()
  expect(await hint('cityId')).toBe('Choose Country first')
  expect(await described('City')).toBe('Choose Country first')
  await combo('City').click()
  await expect.poll(() => options('cityId').allTextContents()).toEqual(['Choose Country first'])
  await page.keyboard.press('Escape')
  await choose('Country', 'France')
  await expect.poll(() => hint('cityId')).toBe('Where its customers are')
  await combo('City').click()
  await expect.poll(() => options('cityId').allTextContents()).toEqual(['Lyon', 'Paris'])
  await choose('City', 'par')
  expect(await combo('City').inputValue()).toBe('Paris')
  await choose('Country', 'Spain')
  await expect.poll(() => error('cityId')).toBe(wrong)
  expect(await combo('City').inputValue()).toBe('Paris')
  expect(await combo('City').getAttribute('aria-invalid')).toBe('true')
  expect(await described('City')).toContain(wrong)
  // Chosen by mistake: nothing is lost.
  await choose('Country', 'France')
  await expect.poll(() => error('cityId')).toBe('')
  await choose('Country', 'Spain')
  await expect.poll(() => error('cityId')).toBe(wrong)
  await choose('City', 'mad')
  await expect.poll(() => error('cityId')).toBe('')
  await combo('Country').fill('')
  await combo('City').focus()
  await expect.poll(() => error('cityId')).toBe('Choose Country first')
  expect(await hint('cityId')).toBe('Choose Country first')
  expect(await flawsOf(page)).toEqual([])
})

test('what is looked for while the other field is still being chosen is looked for again', async () => {
  await go(fresh)
  await ready()
  const held: Route[] = []
  const byCountry = /async-search\/shops\/countryId/
  await page.route(byCountry, (route) => void held.push(route))
  await combo('Country').fill('France')
  await expect.poll(() => held.length).toBe(1)
  // Leaving it has its name found, too.
  await combo('City').fill('par')
  await expect.poll(() => options('cityId').allTextContents()).toEqual(['Choose Country first'])
  await expect.poll(() => held.length).toBe(2)
  await held[1]?.continue()
  await expect.poll(() => options('cityId').allTextContents()).toEqual(['Paris'])
  await page.keyboard.press('Enter')
  expect(await combo('City').inputValue()).toBe('Paris')
  await page.unroute(byCountry)
})

test('typing the whole name of one that does not match chooses nothing', async () => {
  await go('/admin/resource/shops/form-page/1')
  await ready()
  await combo('City').fill('Madrid')
  await combo('Country').focus()
  await expect.poll(() => error('cityId')).toBe('Choose a record from the list, or clear the field')
  expect(await page.locator('[name=cityId]').inputValue()).toBe('1')
})

test('what the browser did not say, the answer does, at the same place', async () => {
  await go('/admin/resource/shops/form-page/1')
  await ready()
  await choose('Country', 'Spain')
  await expect.poll(() => error('cityId')).toBe(wrong)
  // Of several, each must match.
  await expect.poll(() => error('branchIds')).toBe('Branches must all be of the same Country')
  await page.keyboard.press('Control+s')
  // The refused form is a page of its own.
  await page.locator('.notice.bad').waitFor()
  await ready()
  expect(await error('cityId')).toBe(wrong)
  expect(client.prepare('select "countryId" as country from shops').all()).toEqual([{ country: 1 }])
  await choose('City', 'Madrid')
  for (const name of ['Paris', 'Lyon']) await page.getByRole('checkbox', { name }).uncheck()
  await expect.poll(() => error('branchIds')).toBe('')
  await page.keyboard.press('Control+s')
  await page.locator('.toast').waitFor()
  expect(client.prepare('select "countryId" as country, "cityId" as city from shops').all()).toEqual([{ country: 2, city: 3 }])
})

test('a reset takes back what was said', async () => {
  await go('/admin/resource/shops/form-page/1')
  await ready()
  await choose('Country', 'Spain')
  await expect.poll(() => error('cityId')).toBe(wrong)
  await page.evaluate('document.querySelector("form.form-page").reset()')
  await expect.poll(() => error('cityId')).toBe('')
  await combo('City').click()
  await expect.poll(() => options('cityId').allTextContents()).toEqual(['Lyon', 'Paris'])
})

test('a record created on the spot begins with what it must match, and is chosen', async () => {
  await go(fresh)
  await ready()
  await page.getByLabel('Name').fill('New')
  await choose('Country', 'Spain')
  await expect.poll(() => page.locator('[name=countryId]').inputValue()).toBe('2')
  await combo('City').fill('Sevilla')
  await field('cityId').getByRole('link', { name: 'New in Cities' }).click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByRole('heading', { name: 'New in Cities' }).waitFor()
  // Its name has to be found first.
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('Spain')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Sevilla')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  expect(client.prepare('select name, "countryId" as country from cities where id = 4').all()).toEqual([{ name: 'Sevilla', country: 2 }])
  await expect.poll(() => page.locator('[name=cityId]').inputValue()).toBe('4')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/shops\/crud\/2$/)
  expect(client.prepare('select "cityId" as city from shops where id = 2').all()).toEqual([{ city: 4 }])
})

test('a filter finds every record', async () => {
  await go('/admin/resource/shops/crud?filter[cityId]=1')
  await page.locator('.filter > summary', { hasText: 'City' }).click()
  const input = page.locator('.filter [role=combobox]')
  await input.fill('mad')
  await expect.poll(() => page.locator('.filter [role=option]').allTextContents()).toEqual(['Madrid'])
})

test('without script, the form searches by what is typed in it, and says what to choose first', async () => {
  await open({ javaScriptEnabled: false })
  await go(fresh)
  expect(await hint('cityId')).toBe('Choose Country first')
  await page.getByLabel('Name').fill('New')
  await page.getByLabel('Country', { exact: true }).fill('2')
  await field('cityId').locator('summary').click()
  await field('cityId').getByRole('button', { name: 'Search' }).click()
  expect((await field('cityId').locator('.choices label').allTextContents()).map((one) => one.trim())).toEqual(['Madrid'])
  expect(await hint('cityId')).toBe('Where its customers are')
  await page.getByRole('radio', { name: 'Madrid' }).check()
  await page.getByLabel('Country', { exact: true }).fill('1')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  expect(await error('cityId')).toBe(wrong)
  await page.getByLabel('Country', { exact: true }).fill('2')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/shops\/crud\/2$/)
  expect(client.prepare('select "countryId" as country, "cityId" as city from shops where id = 2').all()).toEqual([{ country: 2, city: 3 }])
})

test('on a phone', async () => {
  await open({ viewport: { width: 390, height: 844 } })
  await go('/admin/resource/shops/form-page/1')
  await ready()
  await choose('Country', 'Spain')
  await expect.poll(() => error('cityId')).toBe(wrong)
  expect(await flawsOf(page)).toEqual([])
})

test('in the form of an action they are searched as one types, by what the form says', async () => {
  await go('/admin/resource/shops/crud')
  const posted: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posted.push(request.postData() ?? ''))
  await page.getByRole('button', { name: 'Relocate' }).click()
  await page.locator('dialog').waitFor()
  await ready()
  // No button to search by is left.
  expect(await page.locator('dialog .finder').count()).toBe(0)
  expect(await hint('cityId')).toBe('Choose Country first')
  await combo('City').click()
  await expect.poll(() => options('cityId').allTextContents()).toEqual(['Choose Country first'])
  await page.keyboard.press('Escape')
  await choose('Country', 'France')
  await combo('City').click()
  await expect.poll(() => options('cityId').allTextContents()).toEqual(['Lyon', 'Paris'])
  await choose('City', 'par')
  expect(await combo('City').inputValue()).toBe('Paris')
  // What no longer matches is said at once, and kept.
  await choose('Country', 'Spain')
  await expect.poll(() => error('cityId')).toBe(wrong)
  expect(await combo('City').inputValue()).toBe('Paris')
  await choose('City', 'mad')
  await expect.poll(() => error('cityId')).toBe('')
  // Not all of its records can be chosen.
  await combo('Big city').click()
  await expect.poll(() => options('big').allTextContents()).toEqual(['Madrid', 'Paris'])
  await combo('Big city').fill('lyon')
  await expect.poll(() => options('big').allTextContents()).toEqual(['Nothing found'])
  await choose('Big city', 'Paris')
  expect(await flawsOf(page)).toEqual([])
  // Nothing has been done so far.
  expect(posted.every((body) => /(^|&)(_search|_ask)=/.test(body) || !body.includes('_save'))).toBe(true)
  await page.locator('dialog [name=_save]').click()
  await page.getByText('To 3 of 2, 1').waitFor()
})

test('a search in the form of an action says why it fails', async () => {
  await go('/admin/resource/shops/crud')
  await page.getByRole('button', { name: 'Relocate' }).click()
  await page.locator('dialog').waitFor()
  await page.route('**/handler/**', (route) => route.abort())
  await combo('Big city').fill('par')
  await expect.poll(() => options('big').allTextContents()).toEqual(['The panel cannot be reached'])
})
