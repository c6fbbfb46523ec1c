import { belongsTo, definePage, definePanel, defineResource, formBuilder, hasMany, id, number, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  price: real(),
  note: varchar(),
  unit: varchar(),
  likeId: integer('like_id'),
})
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  customer: varchar().notNull(),
  shipping: real().notNull().default(0),
  discount: integer().notNull().default(0),
})
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  orderId: integer('order_id').notNull(),
  productId: integer('product_id').notNull(),
  amount: integer().notNull().default(1),
  price: real().notNull(),
  note: varchar(),
  unit: varchar(),
})
const Products = defineResource({
  model: products,
  title: 'Products',
  fields: {
    id: id(),
    name: text('Name').required().searchable(),
    likeId: belongsTo('Like', products).fills({ price: 'price' }),
    price: number('Price').currency('EUR'),
    note: text('Note'),
  },
})
const Lines = defineResource({
  model: lines,
  title: 'Lines',
  fields: {
    id: id(),
    orderId: belongsTo('Order', orders),
    productId: belongsTo('Product', products).fills({ price: 'price', note: 'note', unit: 'unit' }),
    amount: number('Amount').min(1),
    price: number('Price').min(0).currency('EUR'),
    note: text('Note'),
    unit: text('Unit').readOnly(),
  },
  computed: { total: { label: 'Total', needs: ['amount', 'price'], currency: 'EUR', value: ({ amount, price }) => amount * price } },
})
const Orders = defineResource({
  model: orders,
  title: 'Orders',
  fields: {
    id: id(),
    customer: text('Customer').required(),
    shipping: number('Shipping').currency('EUR'),
    discount: number('Discount').min(0).max(50),
  },
  computed: {
    due: {
      label: 'Shipping due',
      needs: ['shipping', 'discount'],
      currency: 'EUR',
      value: ({ shipping, discount }) => (shipping * (100 - discount)) / 100,
    },
  },
  pages: { form: ['customer', 'shipping', 'discount', 'due'] },
  related: [hasMany(Lines, { inForm: ['productId', 'amount', 'price', 'total', 'note', 'unit'] })],
})

const Desk = definePage({
  uri: 'desk',
  title: 'Desk',
  components: [formBuilder(Orders, { name: 'quick', fields: ['customer', 'shipping', 'due'] }), formBuilder(Lines, { name: 'line' })],
})

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: `create table products (id integer primary key, name text not null, price real, note text, unit text, like_id integer);
    create table orders (id integer primary key, customer text not null, shipping real not null default 0, discount integer not null default 0);
    create table lines (id integer primary key, order_id integer not null, product_id integer not null, amount integer not null default 1, price real not null, note text, unit text)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Orders, Lines, Products], pages: [Desk], log: () => {} }),
  before: (client) =>
    client.exec(
      `delete from lines; delete from orders; delete from products;
      insert into products (id, name, price, note, unit) values (1, 'Pen', 2, 'blue', 'piece'), (2, 'Paper', 4.5, null, 'ream'), (3, 'Free', null, null, null);
      insert into orders values (1, 'Ada', 5, 10);
      insert into lines values (1, 1, 1, 2, 3, null, 'box')`,
    ),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const form = '/admin/resource/orders/form-page'
const stored = () => client.prepare('select product_id as product, amount, price, note from lines order by id').all()
const rows = () => page.locator('.nested .repeater-row:visible')
const inRow = (row: number, label: string) => rows().nth(row).getByRole('textbox', { name: label, exact: true })
const total = (row: number) => rows().nth(row).locator('output[name$=total]').innerText()
const unit = (row: number) => rows().nth(row).locator('output[name$=unit]').innerText()
const due = () => page.locator('#field-due').innerText()
const save = () => page.locator('.actions button.primary').click()
const product = (row: number) => rows().nth(row).getByRole('combobox', { name: 'Product' })
/** Chooses by keys alone. */
const choose = async (row: number, name: string) => {
  await product(row).fill(name)
  await page.getByRole('option', { name }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
const checks = () => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/validate')) sent.push(request.postData() ?? '')
  })
  return sent
}

test('values of a row and of the record follow while somebody types', async () => {
  await page.goto(`${url}${form}/1`)
  expect([await total(0), await due()]).toEqual(['€6.00', '€4.50'])
  await inRow(0, 'Amount').fill('4')
  await expect.poll(() => total(0)).toBe('€12.00')
  await inRow(0, 'Price').fill('much')
  await expect.poll(() => total(0)).toBe('—')
  await inRow(0, 'Price').fill('1.5')
  await expect.poll(() => total(0)).toBe('€6.00')
  await page.getByLabel('Shipping', { exact: true }).fill('10')
  await expect.poll(due).toBe('€9.00')
  // What is wrong elsewhere is in nobody's way.
  await page.getByLabel('Customer').fill('')
  await page.getByLabel('Discount').fill('60')
  await expect.poll(due).toBe('€4.00')
  expect(client.prepare('select customer, shipping from orders').all()).toEqual([{ customer: 'Ada', shipping: 5 }])
  expect(await page.locator('#field-due').getAttribute('aria-live')).toBe('polite')
  expect(await rows().nth(0).locator('output').first().getAttribute('aria-live')).toBe('off')
  expect(await flawsOf(page)).toEqual([])
})

test('the currency stands beside the control in a row, however narrow that is', async () => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}${form}/1`)
    const [control, sign] = await Promise.all([
      inRow(0, 'Price').boundingBox(),
      rows().nth(0).getByText('€', { exact: true }).boundingBox(),
    ])
    expect(sign?.y).toBeGreaterThan(control?.y ?? 0)
    expect((sign?.y ?? 0) + (sign?.height ?? 0)).toBeLessThan((control?.y ?? 0) + (control?.height ?? 0))
  }
})

test('fast typing asks once, and the last answer wins', async () => {
  const sent = checks()
  let late = 0
  await page.route(/\/validate\/1\b/, async (route) => {
    // The first answer comes last.
    if (route.request().postData()?.includes('shipping=11&')) {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      late++
    }
    await route.continue().catch(() => {})
  })
  await page.goto(`${url}${form}/1`)
  const shipping = page.getByLabel('Shipping', { exact: true })
  // In one go: how fast a machine presses keys decides nothing.
  await shipping.evaluate((one) => {
    const input = one as unknown as { value: string; dispatchEvent(event: Event): void }
    for (const text of ['', '1', '11']) {
      input.value = text
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]).toContain('shipping=11&')
  await shipping.fill('20')
  await expect.poll(due).toBe('€18.00')
  await expect.poll(() => late).toBe(1)
  await page.waitForTimeout(200)
  expect(await due()).toBe('€18.00')
})

test('a chosen product fills a new row, by keys alone, and what is typed stays', async () => {
  await page.goto(`${url}${form}`)
  await page.getByLabel('Customer').fill('Eve')
  await page.getByRole('button', { name: 'Add a row' }).click()
  expect(await total(0)).toBe('—')
  await choose(0, 'Pen')
  await expect.poll(() => inRow(0, 'Price').inputValue()).toBe('2.00')
  expect(await inRow(0, 'Note').inputValue()).toBe('blue')
  await expect.poll(() => total(0)).toBe('€2.00')
  // What nobody types is filled, too.
  expect(await unit(0)).toBe('piece')
  // It still holds what the last choice filled in.
  await choose(0, 'Paper')
  await expect.poll(() => inRow(0, 'Price').inputValue()).toBe('4.50')
  expect(await inRow(0, 'Note').inputValue()).toBe('')
  await inRow(0, 'Price').fill('9')
  await choose(0, 'Pen')
  await expect.poll(() => inRow(0, 'Note').inputValue()).toBe('blue')
  expect(await inRow(0, 'Price').inputValue()).toBe('9')
  await expect.poll(() => total(0)).toBe('€9.00')
  // The second row knows nothing of the first.
  await page.getByRole('button', { name: 'Add a row' }).click()
  await choose(1, 'Free')
  await inRow(1, 'Amount').fill('3')
  await expect.poll(() => total(1)).toBe('—')
  await choose(1, 'Paper')
  await expect.poll(() => total(1)).toBe('€13.50')
  expect(await flawsOf(page)).toEqual([])
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/crud/)
  expect(stored().slice(1)).toEqual([
    { product: 1, amount: 1, price: 9, note: 'blue' },
    { product: 2, amount: 3, price: 4.5, note: null },
  ])
})

test('a stored row keeps its price, and one that is emptied takes that of the product', async () => {
  await page.goto(`${url}${form}/1`)
  await choose(0, 'Paper')
  await page.waitForTimeout(600)
  expect(await inRow(0, 'Price').inputValue()).toBe('3.00')
  expect(await unit(0)).toBe('box')
  await inRow(0, 'Price').fill('')
  await expect.poll(() => total(0)).toBe('€9.00')
  await save()
  await page.waitForURL(/\/crud\/1/)
  expect(stored()).toEqual([{ product: 2, amount: 2, price: 4.5, note: null }])
})

test('a refused form keeps what was typed and what was filled in, and shows what it would be', async () => {
  await page.goto(`${url}${form}`)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await choose(0, 'Pen')
  await expect.poll(() => inRow(0, 'Price').inputValue()).toBe('2.00')
  await inRow(0, 'Amount').fill('6')
  await page.getByLabel('Discount').fill('60')
  await save()
  await page.locator('.notices').waitFor()
  expect(await product(0).inputValue()).toBe('Pen')
  expect([await inRow(0, 'Price').inputValue(), await inRow(0, 'Amount').inputValue()]).toEqual(['2.00', '6'])
  expect([await total(0), await due()]).toEqual(['€12.00', '€0.00'])
  await page.getByLabel('Customer').fill('Eve')
  await page.getByLabel('Discount').fill('50')
  await page.getByLabel('Shipping', { exact: true }).fill('3')
  await expect.poll(due).toBe('€1.50')
  await save()
  // The refused form has that address already.
  await expect.poll(() => stored().slice(1)).toEqual([{ product: 1, amount: 6, price: 2, note: 'blue' }])
})

test('a product that is created in a dialog fills the row, and the dialog fills its own fields', async () => {
  await page.goto(`${url}${form}/1`)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await rows().nth(1).locator('a.create').click()
  const dialog = page.locator('dialog[open]')
  await dialog.getByLabel('Name').fill('Ink')
  await dialog.getByRole('combobox', { name: 'Like' }).fill('Paper')
  await page.getByRole('option', { name: 'Paper' }).click()
  await expect.poll(() => dialog.getByLabel('Price').inputValue()).toBe('4.50')
  await dialog.getByLabel('Note').fill('black')
  await dialog.locator('button.primary').click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => inRow(1, 'Price').inputValue()).toBe('4.50')
  expect(await inRow(1, 'Note').inputValue()).toBe('black')
  await expect.poll(() => total(1)).toBe('€4.50')
})

test('forms on a page of your own follow, too, each for itself', async () => {
  await page.goto(`${url}/admin/page/desk`)
  await page.locator('#quick').getByLabel('Shipping', { exact: true }).fill('7')
  await expect.poll(() => page.locator('#quick-due').innerText()).toBe('€7.00')
  const line = page.locator('#line')
  await line.getByRole('combobox', { name: 'Product' }).fill('Pen')
  await page.getByRole('option', { name: 'Pen' }).click()
  await expect.poll(() => line.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('2.00')
  expect(await page.locator('#quick-due').innerText()).toBe('€7.00')
  expect(await flawsOf(page)).toEqual([])
})

test('a form that is reset shows what it began with', async () => {
  await page.goto(`${url}${form}/1`)
  await page.getByLabel('Shipping', { exact: true }).fill('50')
  await expect.poll(due).toBe('€45.00')
  await page.evaluate('document.querySelector("form.form-page").reset()')
  await expect.poll(due).toBe('€4.50')
})

test('without network the last values stay, and a row to be deleted keeps its own', async () => {
  await page.goto(`${url}${form}/1`)
  await rows()
    .nth(0)
    .getByRole('checkbox', { name: /Delete/ })
    .check()
  await page.getByLabel('Shipping', { exact: true }).fill('20')
  await expect.poll(due).toBe('€18.00')
  expect(await total(0)).toBe('€6.00')
  await page.route(/\/validate\/1\b/, (route) => route.abort())
  await page.getByLabel('Shipping', { exact: true }).fill('30')
  await page.waitForTimeout(600)
  expect(await due()).toBe('€18.00')
})

test('without script the page shows what is stored, and blank controls are filled when it is saved', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(`${url}${form}/1`)
  expect([await total(0), await due()]).toEqual(['€6.00', '€4.50'])
  await page.locator('input[name="lines.1.productId"]').fill('1')
  await page.locator('input[name="lines.1.amount"]').fill('3')
  await save()
  await page.waitForURL(/\/crud\/1/)
  expect(stored()[1]).toEqual({ product: 1, amount: 3, price: 2, note: 'blue' })
})
