import { belongsTo, date, definePanel, defineResource, hasMany, id, number, switcher, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const products = sqliteTable('products', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', { id: integer().primaryKey(), customer: varchar().notNull() })
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  orderId: integer('order_id')
    .notNull()
    .references(() => orders.id),
  productId: integer('product_id')
    .notNull()
    .references(() => products.id),
  amount: integer().notNull().default(1),
  gift: integer({ mode: 'boolean' }).notNull().default(false),
  due: varchar(),
})
const Lines = defineResource({
  model: lines,
  title: 'Lines',
  fields: {
    id: id(),
    orderId: belongsTo('Order'),
    productId: belongsTo('Product'),
    amount: number('Amount').min(1),
    gift: switcher('Gift'),
    due: date('Delivered'),
  },
})
const Orders = defineResource({
  model: orders,
  title: 'Orders',
  fields: { id: id(), customer: text('Customer') },
  related: [hasMany(Lines, { inForm: ['productId', 'amount', 'gift', 'due'] })],
})
const Products = defineResource({ model: products, title: 'Products', fields: { id: id(), name: text('Name').searchable() } })

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: `create table products (id integer primary key, name text not null);
    create table orders (id integer primary key, customer text not null);
    create table lines (id integer primary key, order_id integer not null references orders (id), product_id integer not null references products (id), amount integer not null default 1, gift integer not null default 0, due text)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Orders, Lines, Products], log: () => {} }),
  before: (client) =>
    client.exec(
      `delete from lines; delete from orders; delete from products; insert into products values (1, 'Pen'), (2, 'Paper');
      insert into orders values (1, 'Ada'); insert into lines (id, order_id, product_id, amount) values (1, 1, 1, 2), (2, 1, 2, 3)`,
    ),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const form = '/admin/resource/orders/form-page'
const stored = () => client.prepare('select order_id as of, product_id as product, amount, gift from lines order by id').all()
const rows = () => page.locator('.nested .repeater-row:visible')
const save = () => page.locator('.actions button.primary').click()
const unsaved = () => page.locator('.unsaved-place').innerText()

test('a record and its lines are entered by keyboard, and saved at once', async () => {
  await page.goto(url + form)
  await page.locator('[name=customer]').fill('Eve')
  expect(await rows().count()).toBe(0)
  await page.getByRole('button', { name: 'Add a row' }).press('Enter')
  // The first control of the row has the focus, and searches.
  await page.keyboard.type('Pap')
  await page.getByRole('option', { name: 'Paper' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('7')
  await page.getByRole('button', { name: 'Add a row' }).press('Enter')
  await page.keyboard.type('pen')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator('[name="lines.3.productId"]').inputValue()).toBe('1')
  expect(await rows().evaluateAll((all) => all.map((row) => row.ariaLabel))).toEqual(['Lines, row 1', 'Lines, row 2'])
  await page.getByRole('button', { name: 'Add a row' }).click()
  await rows().nth(2).getByRole('button', { name: 'Remove' }).click()
  expect(await rows().count()).toBe(2)
  await save()
  await page.waitForURL(/\/crud\/2/)
  expect(stored().slice(2)).toEqual([
    { of: 2, product: 2, amount: 7, gift: 0 },
    { of: 2, product: 1, amount: 1, gift: 0 },
  ])
})

test('rows are changed and deleted, and what is wrong is said at its control', async () => {
  await page.goto(`${url}${form}/1`)
  expect(await unsaved()).toBe('')
  await page.locator('[name="lines.0.amount"]').fill('0')
  await page.keyboard.press('Tab')
  await expect.poll(() => rows().nth(0).locator('.error').innerText()).toBe('Amount must be at least 1')
  await rows().nth(1).getByLabel('Delete').check()
  expect(await unsaved()).toBe('Unsaved changes')
  await page.getByRole('button', { name: 'Add a row' }).click()
  await save()
  await page.locator('.notice.bad').waitFor()
  expect(await page.locator('.notice.bad a').allInnerTexts()).toEqual([
    'Lines, row 1: Amount must be at least 1',
    'Lines, row 3: Product is required',
  ])
  await page.locator('.notice.bad a').nth(1).click()
  expect(await page.evaluate('document.activeElement.closest(".repeater-row").ariaLabel')).toBe('Lines, row 3')
  expect(await rows().nth(1).getByLabel('Delete').isChecked()).toBe(true)
  expect(await flawsOf(page)).toEqual([])
  expect(stored()).toHaveLength(2)
  await rows().nth(2).getByRole('button', { name: 'Remove' }).click()
  await page.locator('[name="lines.0.amount"]').fill('5')
  await page.locator('[name="lines.0.gift"][type=checkbox]').check()
  await save()
  // The refused form is at the URL of the record, too.
  await expect.poll(stored).toEqual([{ of: 1, product: 1, amount: 5, gift: 1 }])
})

test('a product that is not there yet is created from a row', async () => {
  await page.goto(`${url}${form}/1`)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.keyboard.type('Ink')
  await rows().nth(2).getByRole('link', { name: 'New in Products' }).click()
  expect(await page.locator('dialog [name=name]').inputValue()).toBe('Ink')
  await page.locator('dialog button.primary').click()
  // What was typed is the name, too: the key says that it was created, and chosen.
  await expect.poll(() => rows().nth(2).locator('[name$=".productId"]').inputValue()).toBe('3')
  await save()
  await page.waitForURL(/\/crud\/1/)
  expect(stored()[2]).toEqual({ of: 1, product: 3, amount: 1, gift: 0 })
})

test('without script there are blank rows, and a search of their own', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(`${url}${form}/1`)
  expect(await rows().count()).toBe(4)
  await rows().nth(0).getByLabel('Delete').check()
  await rows().nth(2).getByText('Find').click()
  await rows().nth(2).getByLabel('Search Product').fill('Pap')
  await rows().nth(2).getByRole('button', { name: 'Search' }).click()
  await rows().nth(2).getByLabel('Paper').check()
  await rows().nth(2).getByLabel('Amount').fill('9')
  expect(await rows().nth(0).getByLabel('Delete').isChecked()).toBe(true)
  await save()
  await page.waitForURL(/\/crud\/1/)
  expect(stored()).toEqual([
    { of: 1, product: 2, amount: 3, gift: 0 },
    { of: 1, product: 2, amount: 9, gift: 0 },
  ])
})

test('on a phone nothing is wider than the screen', async () => {
  await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.goto(`${url}${form}/1`)
  await page.getByRole('button', { name: 'Add a row' }).tap()
  // What a search offers lies over the controls below it, and the buttons of the form over what is at the end of the window.
  await page.keyboard.press('Escape')
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  expect(await flawsOf(page)).toEqual([])
  // What takes a row away stands beside its fields.
  const [fields, tools] = await Promise.all(['.fields', '.tools'].map((one) => rows().last().locator(one).boundingBox()))
  expect(tools?.x).toBeGreaterThan((fields?.x ?? 0) + (fields?.width ?? 0))
  expect(tools?.y).toBeLessThan((fields?.y ?? 0) + (fields?.height ?? 0))
})
