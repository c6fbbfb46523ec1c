import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, id, number, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: varchar().notNull() })
const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: varchar().notNull().unique(),
  price: real(),
  makerId: integer('maker_id').references(() => makers.id),
})
const Products = defineResource({
  model: products,
  title: 'Products',
  fields: {
    id: id(),
    name: text('Name').required().max(20),
    price: number('Price').min(0),
    makerId: belongsTo('Maker', makers).resource('makers'),
  },
  import: true,
})
const Makers = defineResource({ model: makers, title: 'Makers', column: 'name' })
const Priced = defineResource({
  model: products,
  uriKey: 'priced',
  title: 'Priced',
  fields: { id: id(), name: text('Name').required(), price: number('Price').min(0) },
  import: { match: 'name' },
})
const Peopled = defineResource({
  model: products,
  uriKey: 'peopled',
  fields: { id: id(), name: text('Name').required(), price: number('Population') },
  import: true,
})

let client: Sqlite
let url: string
let page: Page
let place: string
const open = ownBrowser({
  schema: `create table makers (id integer primary key, name text not null); insert into makers values (1, 'Acme'), (2, 'Zenith');
    create table products (id integer primary key, name text not null unique, price real, maker_id integer references makers)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Products, Makers, Priced, Peopled], log: () => {} }),
  before: (client) => {
    client.exec("delete from products; insert into products values (1, 'Bolt', 1.5, 1)")
  },
  opened: (all) => {
    ;({ client, url, page, place } = all)
  },
})

const list = '/admin/resource/products/crud'
const go = (path: string) => page.goto(url + path)
const stored = () => client.prepare('select name, price, maker_id as maker from products order by id').all()
const file = () => page.getByLabel('CSV file')
const said = () => page.locator('#import-said')
let files = 0
const choose = (text: string) => {
  const path = join(place, `products-${++files}.csv`)
  writeFileSync(path, text)
  return file().setInputFiles(path)
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const faults = () => said().locator('.faults tbody tr').allInnerTexts()
const notice = () => said().locator('.notice').innerText()
const flaws = () => flawsOf(page)

test('a file is checked, corrected and imported; it stays chosen until it is in', async () => {
  await go(list)
  await page.getByRole('link', { name: 'Import CSV' }).click()
  await page.getByRole('heading', { name: 'Import into Products' }).waitFor()
  await choose('name,price,maker\nNut,-1,Acme\n,2,Nobody\n')
  await press('Import')
  await expect
    .poll(faults)
    .toEqual(['2\tPrice\tPrice must be at least 0', '3\tName\tName is required', '3\tMaker\tMaker: no record is called “Nobody”'])
  expect(await said().locator('.notice').innerText()).toBe('Nothing was imported. Rows to correct: 2')
  expect(await page.evaluate('document.activeElement.className')).toContain('notice')
  expect(await page.evaluate("document.getElementById('import-file').files.length")).toBe(1)
  expect(await flaws()).toEqual([])
  // It is corrected where it is, and sent again: the browser does not have it any more.
  writeFileSync(join(place, `products-${files}.csv`), 'name\nNut, much longer than before\n')
  await press('Import')
  await expect.poll(() => said().innerText()).toBe('The file has changed since it was chosen. Choose it again.')

  await choose('name,price,maker,ID\nNut,1,Acme,\n"Two, three",2,Zenith,9\n')
  // What was said was of the other file.
  await expect.poll(() => said().innerHTML()).toBe('')
  await press('Check only')
  await expect
    .poll(notice)
    .toBe('Nothing is wrong. Records to create: 2, to update: 0, unchanged: 0\n\nColumns: Name, Price, Maker\nNot imported: ID')
  expect(stored()).toHaveLength(1)
  expect(await flaws()).toEqual([])
  await press('Import')
  await page.waitForURL(url + list)
  await page.getByText('Records created: 2, updated: 0, unchanged: 0').waitFor()
  expect(stored()).toEqual([
    { name: 'Bolt', price: 1.5, maker: 1 },
    { name: 'Nut', price: 1, maker: 1 },
    { name: 'Two, three', price: 2, maker: 2 },
  ])
})

test('records are found by another column, which the page says before and after', async () => {
  await go('/admin/resource/priced/import')
  await page.getByText('Lines whose Name no record has become new records, the others change theirs. ID goes first').waitFor()
  await page.getByRole('radio', { name: 'Update records' }).check()
  await choose('Price;Name\n2;Bolt\n3;Nut\n4;Bolt\n')
  await press('Check only')
  await expect.poll(faults).toEqual(['3\tName\tThere is no such record', '4\tName\tName: the same as in line 2'])
  expect(await flaws()).toEqual([])
  await page.getByRole('radio', { name: 'Update and create' }).check()
  await choose('Price;Name\n2;Bolt\n3;Nut\n')
  await press('Check only')
  await expect
    .poll(notice)
    .toBe('Nothing is wrong. Records to create: 1, to update: 1, unchanged: 0\n\nColumns: Price, Name\nRecords are found by: Name')
  await press('Import')
  await page.getByText('Records created: 1, updated: 1, unchanged: 0').waitFor()
  expect(stored()).toEqual([
    { name: 'Bolt', price: 2, maker: 1 },
    { name: 'Nut', price: 3, maker: null },
  ])
})

test('records are updated by keyboard alone, and what no script could send is said where the file is', async () => {
  await go('/admin/resource/products/import')
  await page.getByRole('radio', { name: 'Create records' }).focus()
  await page.keyboard.press('ArrowDown')
  await choose('ID;Preis\n1;2\n')
  await file().focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(notice).toBe('There is no column “Preis”. Valid: Name, Price, Maker')
  await choose('ID;Price\n1;2\n')
  await page.route('**/import', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await press('Import')
  await expect.poll(() => said().innerText()).toBe('The panel cannot be reached')
  await page.unroute('**/import')
  await press('Import')
  await page.waitForURL(url + list)
  expect(stored()).toEqual([{ name: 'Bolt', price: 2, maker: 1 }])
})

test('without script, a refused file is told, too, and a good one imported', async () => {
  await open({ javaScriptEnabled: false })
  await go('/admin/resource/products/import')
  await choose('name,price\nNut,x\n')
  await press('Import')
  await page.waitForURL(/import$/)
  expect(await faults()).toEqual(['2\tPrice\tPrice must be a number'])
  await choose('name\n')
  await press('Check only')
  expect(await page.locator('#import-file-error').innerText()).toBe('The file has no lines below its head')
  await page.getByRole('radio', { name: 'Update and create' }).check()
  await choose('id,name\n1,Screw\n,Nut\n')
  await press('Check only')
  expect(await notice()).toContain('Records to create: 1, to update: 1, unchanged: 0')
  expect(await page.getByRole('radio', { name: 'Update and create' }).isChecked()).toBe(true)
  await choose('id,name\n1,Screw\n,Nut\n')
  await press('Import')
  await page.waitForURL(url + list)
  expect((stored() as { name: string }[]).map(({ name }) => name)).toEqual(['Screw', 'Nut'])
})

const assigned = () => said().locator('.assigned')
const becomes = (column: string) => page.getByLabel(`What column ${column} becomes`)
const chosen = (column: string) => becomes(column).locator('option:checked').textContent()

test('columns with other names are assigned, those alike by themselves, and others are left out', async () => {
  await go('/admin/resource/products/import')
  await choose('N-ame,Preis,Hersteller,Farbe\nNut,2,Zenith,red\n')
  await press('Import')
  await expect.poll(notice).toBe('There is no column “N-ame”, “Preis”, “Hersteller”, “Farbe”. Valid: Name, Price, Maker')
  expect(await assigned().getAttribute('open')).toBe('')
  expect(await assigned().locator('tbody tr').first().locator('td').first().innerText()).toBe('Nut')
  // What sounds alike is suggested, and nothing is dropped unless somebody says so.
  expect([await chosen('N-ame'), await chosen('Preis'), await chosen('Farbe')]).toEqual(['Name', 'Choose …', 'Choose …'])
  expect(await becomes('Preis').locator('option').allInnerTexts()).toEqual([
    'Choose …',
    'Leave out',
    'ID',
    'Name',
    'Price',
    'Maker',
    'Maker (key)',
  ])
  expect(await flaws()).toEqual([])
  await press('Import')
  await expect.poll(notice).toBe('There is no column “Preis”, “Hersteller”, “Farbe”. Valid: Name, Price, Maker')
  await becomes('Preis').selectOption('Price')
  // Another thing to do with the file leaves what its columns are.
  await page.getByRole('radio', { name: 'Update and create' }).check()
  expect([await chosen('Preis'), await said().locator('.notice').count()]).toEqual(['Price', 0])
  await page.getByRole('radio', { name: 'Create records' }).check()
  await becomes('Hersteller').selectOption('Maker')
  await becomes('Farbe').selectOption('Leave out')
  // And so does the file once it is corrected.
  await choose('N-ame,Preis,Hersteller,Farbe\nNut,2,Zenith,blue\n')
  expect([await chosen('Preis'), await chosen('Farbe'), await said().locator('.notice').count()]).toEqual(['Price', 'Leave out', 0])
  await press('Check only')
  await expect.poll(notice).toContain('Columns: Name, Price, Maker\nNot imported: Farbe')
  expect(await assigned().getAttribute('open')).toBe(null)
  expect([await chosen('Preis'), await chosen('Farbe')]).toEqual(['Price', 'Leave out'])
  expect(await flaws()).toEqual([])
  await press('Import')
  await page.waitForURL(url + list)
  expect(stored()).toEqual([
    { name: 'Bolt', price: 1.5, maker: 1 },
    { name: 'Nut', price: 2, maker: 2 },
  ])
})

test('without script, columns are assigned once the file is chosen again, and not those of another file', async () => {
  await open({ javaScriptEnabled: false })
  await go('/admin/resource/products/import')
  await choose('Titel\nNut\n')
  await press('Import')
  await page.waitForURL(/import$/)
  await becomes('Titel').selectOption('Name')
  await choose('Price,Name\n3,Screw\n')
  await press('Check only')
  expect(await notice()).toContain('Columns: Price, Name')
  await choose('Titel\nNut\n')
  await press('Import')
  await becomes('Titel').selectOption('Name')
  await choose('Titel\nNut\n')
  await press('Import')
  await page.waitForURL(url + list)
  expect((stored() as { name: string }[]).map(({ name }) => name)).toEqual(['Bolt', 'Nut'])
})

test('a phone has the import in the options of the list, and a page that fits', async () => {
  await open({ viewport: { width: 360, height: 740 }, hasTouch: true })
  await go(list)
  await page.getByRole('button', { name: 'View options' }).click()
  await page.getByRole('link', { name: 'Import CSV' }).click()
  await page.waitForURL(/import$/)
  await choose(`name,price\n${'x'.repeat(40)},${'9'.repeat(60)}x\n`)
  await press('Import')
  await expect.poll(faults).toHaveLength(2)
  expect(await flaws()).toEqual([])
})

test('a name of a column is not broken within a word, 320 wide', async () => {
  await open({ viewport: { width: 320, height: 740 }, hasTouch: true })
  await go('/admin/resource/peopled/import')
  await choose('name,price\nNut,x\n')
  await press('Import')
  await expect.poll(faults).toEqual(['2\tPopulation\tPopulation must be a number'])
  const lines = `(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector('.faults td'))
    return range.getClientRects().length
  })()`
  expect(await page.evaluate(lines)).toBe(1)
  expect(await flaws()).toEqual([])
})

test('an empty file of the columns can be downloaded', async () => {
  await page.goto(`${url}/admin/resource/products/import`)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Template as CSV').click()])
  expect(download.suggestedFilename()).toBe('products.csv')
  expect(readFileSync(await download.path(), 'utf8')).toBe('\ufeffID,Name,Price,Maker\r\n')
})
