// What a form says that was refused, where, and where it leads once it is not.
import { belongsTo, date, definePage, definePanel, defineResource, formBuilder, hasMany, modal, number, select, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar({ enum: ['draft', 'cancelled'] }).notNull(),
  reason: varchar(),
  score: integer(),
  customerId: integer('customer_id').references(() => customers.id),
  checkedBy: varchar('checked_by'),
  due: varchar(),
})
const lines = sqliteTable('lines', {
  id: integer().primaryKey(),
  what: varchar().notNull(),
  orderId: integer('order_id')
    .notNull()
    .references(() => orders.id),
})
const Customers = defineResource({ model: customers, title: 'Customers', fields: { name: text('Name').required().searchable() } })
const Orders = defineResource({
  model: orders,
  title: 'Orders',
  column: 'title',
  fields: {
    title: text('Title').required(),
    state: select('State').required(),
    reason: text('Reason'),
    score: number('Score').rule(z.number().max(100, 'Too much of it')),
    customerId: belongsTo('Customer', customers).required(),
    due: date('Due'),
  },
  pages: { form: ['title', 'state', 'reason', 'score', 'customerId', 'due'] },
  filters: ['due'],
  related: [hasMany('lines', { columns: ['what'], perPage: 40 })],
  validate({ values }) {
    if (values.reason === 'unchecked') return { title: 'Say more', checkedBy: 'Nobody has checked it' }
    return values.state === 'cancelled' && !values.reason ? { reason: 'Say why' } : null
  },
})
const Lines = defineResource({
  model: lines,
  title: 'Lines',
  fields: { what: text('What').required(), orderId: belongsTo('Order', orders) },
})
const Desk = definePage({
  uri: 'desk',
  title: 'Desk',
  components: [
    formBuilder(Customers, { name: 'other-customer', title: 'Another customer' }),
    modal('window', [formBuilder(Customers, { name: 'new-customer' })], { label: 'New in a dialog', title: 'A customer' }),
  ],
})

let url: string
let page: Page
const open = ownBrowser({
  schema: `create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, title text not null, state text not null, reason text, score integer,
      customer_id integer references customers (id), checked_by text, due text);
    create table lines (id integer primary key, what text not null, order_id integer not null references orders (id))`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Customers, Orders, Lines], pages: [Desk] }),
  before: (client) => {
    client.exec(`delete from lines; delete from orders; delete from customers; insert into customers values (1, 'France');
      insert into orders values (1, 'One', 'draft', null, null, 1, null, '2026-11-27')`)
    const line = client.prepare('insert into lines values (?, ?, 1)')
    for (let i = 1; i <= 30; i++) line.run(i, `Line ${i}`)
  },
  opened: (all) => {
    ;({ url, page } = all)
  },
})

const go = (path: string) => page.goto(`${url}/admin/${path}`)
const newOrder = 'resource/orders/form-page'
const summary = () => page.locator('.notices .notice')
const said = () => summary().locator('li').allInnerTexts()
const unsaved = () => page.locator('.unsaved').count()
const create = () => page.getByRole('button', { name: 'Create', exact: true }).click()

describe('the summary of a form that was refused', () => {
  test('names the fields, follows what is corrected, and goes with the last of it', async () => {
    await go(newOrder)
    await page.getByLabel('State').selectOption('cancelled')
    await page.getByLabel('Score').fill('200')
    await create()
    await expect.poll(said).toEqual(['Title is required', 'Score: Too much of it', 'Customer is required'])
    expect(await summary().locator('p').innerText()).toBe('Check the marked fields (3)')
    await page.getByLabel('Title').fill('Two')
    await page.getByLabel('Title').blur()
    await expect.poll(said).toEqual(['Score: Too much of it', 'Customer is required'])
    expect(await summary().locator('p').innerText()).toBe('Check the marked fields (2)')
    // What is wrong since is said, too, in its place.
    await page.getByLabel('Title').fill('')
    await page.getByLabel('Title').blur()
    await expect.poll(said).toEqual(['Title is required', 'Score: Too much of it', 'Customer is required'])
    await summary().getByRole('link', { name: 'Score' }).click()
    expect(await page.evaluate('document.activeElement.name')).toBe('score')
    expect(await flawsOf(page)).toEqual([])
    await page.getByLabel('Score').fill('20')
    await page.getByLabel('Title').fill('Two')
    await page.getByRole('combobox', { name: 'Customer' }).fill('france')
    await page.getByRole('option', { name: /^France/ }).click()
    await expect.poll(() => summary().count()).toBe(0)
    // What the resource says of a field does not name it, either.
    await create()
    await expect.poll(said).toEqual(['Reason: Say why'])
  })

  test('a date that is half typed holds the form back, and says so', async () => {
    await go('resource/orders/form-page/1')
    const due = page.getByLabel('Due')
    await due.focus()
    await page.keyboard.press('Backspace')
    expect(await due.inputValue()).toBe('')
    await page.getByLabel('Reason').focus()
    const sent: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && request.url().includes('/crud/') && sent.push(request.url())))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('due')
    // In front of it, the browser says what is missing.
    await page.keyboard.type('12')
    expect([await due.inputValue(), sent]).toEqual(['2026-12-27', []])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/crud/1')
    expect(await page.getByText('Dec 27, 2026').count()).toBe(1)
  })

  test('keeps what belongs to no field, and follows on beside it', async () => {
    await go('resource/orders/form-page/1')
    await page.getByLabel('Reason').fill('unchecked')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const unchecked = 'Nobody has checked it'
    await expect.poll(said).toEqual(['Title: Say more', unchecked])
    await page.getByLabel('Reason').fill('')
    await page.getByLabel('Title').fill('Two')
    await page.getByLabel('Title').blur()
    await expect.poll(said).toEqual([unchecked])
    await page.getByLabel('Score').fill('200')
    await page.getByLabel('Score').blur()
    await expect.poll(said).toEqual(['Score: Too much of it', unchecked])
    expect(await summary().locator('p').innerText()).toBe('Check the marked fields (2)')
    await page.getByLabel('Score').fill('20')
    await page.getByLabel('Score').blur()
    await expect.poll(said).toEqual([unchecked])
  })
})

describe('a new form', () => {
  test('begins in its first field, which that of an existing record does not', async () => {
    await go(newOrder)
    expect(await page.evaluate('[document.activeElement.name, scrollY]')).toEqual(['title', 0])
    await go('resource/orders/form-page/1')
    expect(await page.evaluate('document.activeElement.localName')).toBe('body')
  })

  test('that nobody has filled in has nothing unsaved, refused or not', async () => {
    await go(newOrder)
    await create()
    await expect.poll(() => summary().count()).toBe(1)
    expect(await unsaved()).toBe(0)
    await page.getByLabel('Title').fill('Two')
    expect(await unsaved()).toBe(1)
    // What was said of the title goes before the answer has come.
    await Promise.all([page.waitForEvent('load'), create()])
    expect(await said()).toEqual(['State is required', 'Customer is required'])
    expect(await unsaved()).toBe(1)
  })

  test('says below a relation that nothing is called so, and covers that with no list', async () => {
    await go(newOrder)
    await page.getByRole('combobox', { name: 'Customer' }).fill('nowhere')
    await page.getByRole('option', { name: 'Nothing found' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('#field-customerId-error').waitFor()
    await expect.poll(() => page.locator('.options').isVisible()).toBe(false)
  })
})

test('a form in a dialog is refused there', async () => {
  await go('page/desk')
  const opener = page.getByRole('button', { name: 'New in a dialog' })
  const dialog = page.getByRole('dialog', { name: 'A customer' })
  for (const _ of [1, 2]) {
    await opener.click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => dialog.locator('.field .error').innerText()).toBe('Name is required')
    // The second time, the error of the first is there until the answer comes.
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
    expect(page.url()).toBe(`${url}/admin/page/desk`)
    expect(await flawsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  await opener.click()
  await dialog.getByLabel('Name').fill('Germany')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.locator('.toast', { hasText: 'Germany' }).waitFor()
  expect(page.url()).toBe(`${url}/admin/page/desk`)
})

describe('a form that a list of another record led to leads back to that list', () => {
  const isInView = () => page.evaluate("document.querySelector('#lines').getBoundingClientRect().top < innerHeight / 2")
  const edit = async () => {
    await page.locator('#lines').getByRole('button', { name: 'Actions for Line 1', exact: true }).click()
    await page.getByRole('link', { name: 'Edit' }).and(page.locator('#lines a')).first().click()
    await page.getByLabel('What').waitFor()
  }
  test.each([true, false])('once a record of it is changed, or is not to be; with script: %s', async (javaScriptEnabled) => {
    await open({ javaScriptEnabled, viewport: { width: 1280, height: 400 } })
    await go('resource/orders/crud/1?lines[sort]=what')
    const list = `${page.url()}#lines`
    await edit()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect.poll(() => page.url()).toBe(list)
    await expect.poll(isInView).toBe(true)
    await edit()
    await page.getByLabel('What').fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(said).toEqual(['What is required'])
    await page.getByLabel('What').fill('Another')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => page.url()).toBe(list)
    await expect.poll(isInView).toBe(true)
  })
  test.each([true, false])('once one is added to it; with script: %s', async (javaScriptEnabled) => {
    await open({ javaScriptEnabled, viewport: { width: 1280, height: 400 } })
    await go('resource/orders/crud/1')
    expect(await isInView()).toBe(false)
    await page.locator('#lines').getByRole('link', { name: 'New' }).click()
    await page.getByLabel('What').fill('Another')
    await create()
    await expect.poll(() => page.url()).toBe(`${url}/admin/resource/orders/crud/1#lines`)
    await expect.poll(isInView).toBe(true)
    expect(await page.evaluate("document.activeElement.closest('#lines') !== null")).toBe(true)
  })
})
