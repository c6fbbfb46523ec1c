// What somebody who used a panel for the first time came across.
import { belongsTo, definePanel, defineResource, hasMany, number, select, switcher, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar({ enum: ['paid', 'shipped'] }).notNull(),
  discount: real().notNull(),
  customerId: integer('customer_id').references(() => customers.id),
  urgent: integer({ mode: 'boolean' }).notNull(),
  one: varchar(),
  two: varchar(),
  three: varchar(),
})

let url: string
let page: Page
const open = ownBrowser({
  schema: `create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, name text not null, state text not null, discount real not null,
      customer_id integer references customers (id), urgent integer not null, one text, two text, three text)`,
  panel: (database) => {
    const Orders = defineResource({
      model: orders,
      fields: {
        name: text('Name').required(),
        customerId: belongsTo('Customer', customers),
        state: select('State').options({ paid: 'Paid', shipped: 'Shipped' }).required(),
        discount: number('Discount').updateOnPreview(),
        urgent: switcher('Urgent').updateOnPreview(),
        one: text('A rather long name of a column'),
        two: text('Another rather long name of a column'),
        three: text('And one more name of a column'),
      },
      pages: { index: ['name', 'state', 'discount', 'urgent', 'one', 'two', 'three'] },
      handlers: {
        ship: {
          selection: 'required',
          async run({ selected, update }) {
            for await (const some of selected()) for (const { id } of some) await update(id, { state: 'shipped' })
            return { message: 'Shipped', events: ['shipped'] }
          },
        },
        suggest: { selection: 'required', run: () => ({ fieldsValues: { discount: 5 }, message: 'Suggested' }) },
      },
      buttons: [
        { label: 'Ship', handler: 'ship' },
        { label: 'Suggest', handler: 'suggest' },
      ],
    })
    const Customers = defineResource({ model: customers, pages: { detail: ['name'] }, related: [hasMany(Orders)] })
    return definePanel({ database, auth: 'open', resources: [Customers, Orders] })
  },
  before: (client) =>
    client.exec(`delete from orders; delete from customers; insert into customers values (1, 'Ada');
      insert into orders values (1, 'First', 'paid', 1.5, 1, 0, '${'a'.repeat(40)}', '${'b'.repeat(40)}', '${'c'.repeat(40)}')`),
  opened: (all) => {
    ;({ url, page } = all)
  },
})

const form = '/admin/resource/orders/form-page/1'
const toast = (words: string) => page.locator('.toast').filter({ hasText: words }).waitFor()

test('a form without unsaved changes shows what an action did, and is saved without a conflict', async () => {
  await page.goto(url + form)
  await page.evaluate('addEventListener("shipped", () => sessionStorage.setItem("heard", "yes"))')
  await page.getByRole('button', { name: 'Ship' }).click()
  await toast('Shipped')
  // What the page listens for is heard before it is loaded again.
  expect(await page.evaluate('sessionStorage.getItem("heard")')).toBe('yes')
  await expect.poll(() => page.getByLabel('State').inputValue()).toBe('shipped')
  await page.getByLabel('Discount').fill('3')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'First', level: 1 }).waitFor()
  expect(await page.getByText('Someone else').count()).toBe(0)
  // What was said is said once.
  await page.reload()
  expect(await page.locator('.toast').filter({ hasText: 'Shipped' }).count()).toBe(0)
})

test('a form with unsaved changes keeps them, and so does one that an action fills', async () => {
  await page.goto(url + form)
  await page.locator('#field-name').fill('Second')
  await page.getByRole('button', { name: 'Ship' }).click()
  await toast('Shipped')
  expect(await page.locator('#field-name').inputValue()).toBe('Second')
  await page.goto('about:blank')
  await page.goto(url + form)
  await page.getByRole('button', { name: 'Suggest' }).click()
  await toast('Suggested')
  expect(await page.getByLabel('Discount').inputValue()).toBe('5')
})

test.each([640, 768, 1024, 1280])('a wide list on the page of a record scrolls in itself, at %i px', async (width) => {
  await open({ viewport: { width, height: 800 } })
  await page.goto(`${url}/admin/resource/customers/crud/1`)
  await page.getByRole('row', { name: /First/ }).waitFor()
  expect(await flawsOf(page)).toEqual([])
  const edges =
    'Math.max(...[...document.querySelectorAll(".record .card, .record .listing")].map((one) => one.getBoundingClientRect().right))'
  const heading = 'document.querySelector(".record > .heading").getBoundingClientRect().right'
  expect(Number(await page.evaluate(edges))).toBeLessThanOrEqual(Number(await page.evaluate(heading)) + 1)
})

test('forms that a list of related records leads to lead back to that list', async () => {
  const customer = `${url}/admin/resource/customers/crud/1`
  await page.goto(customer)
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect.poll(() => page.url()).toBe(`${customer}#orders`)
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await page.locator('#field-name').fill('Second')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  // It was refused: the way back is kept.
  await page.getByText('State is required').first().waitFor()
  await page.getByLabel('State').selectOption('paid')
  await page.getByLabel('Discount').fill('1')
  await page.getByRole('button', { name: 'Save and create another' }).click()
  await toast('Second')
  await page.locator('#field-name').fill('Third')
  await page.getByLabel('State').selectOption('paid')
  await page.getByLabel('Discount').fill('1')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.poll(() => page.url()).toBe(`${customer}#orders`)
  await toast('Third')
  await page.getByRole('button', { name: 'Actions for Third' }).click()
  await page.getByRole('region', { name: 'Orders' }).getByRole('link', { name: 'Edit' }).click()
  await page.locator('#field-name').fill('Third, changed')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await toast('Third, changed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => page.url()).toBe(`${customer}#orders`)
  // Whoever comes from elsewhere goes to the record.
  await page.goto(`${url}/admin/resource/orders/crud`)
  await page.goto(url + form)
  await page.locator('#field-name').fill('Fourth')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Fourth', level: 1 }).waitFor()
})

test('without script, the button beside a control of a list reads as one', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(`${url}/admin/resource/orders/crud`)
  const save = page.locator('form.live button.unscripted')
  const { width } = (await save.boundingBox()) ?? { width: 0 }
  expect(width).toBeGreaterThan(40)
  // No switch is drawn over it.
  expect(await page.evaluate('getComputedStyle(document.querySelector("form.live button.unscripted"), "::before").content')).toBe('none')
  await page.getByLabel('Discount').fill('7')
  await save.click()
  await expect.poll(() => page.getByLabel('Discount').inputValue()).toBe('7')
})
