import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, hasMany, id, number, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'
import { Sqlite } from '../support/sqlite.js'

const orders = sqliteTable('orders', { id: integer().primaryKey(), name: varchar() })
const lines = sqliteTable('lines', { id: integer().primaryKey(), orderId: integer('order_id'), amount: integer() })

const folder = mkdtempSync(join(tmpdir(), 'daymark-singular-'))
const file = join(folder, 'orders.db')
beforeAll(() => {
  const client = new Sqlite(file)
  client.exec(`create table orders (id integer primary key, name text);
    create table lines (id integer primary key, order_id integer, amount integer)`)
  client.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const panelIn = (locale: string) =>
  definePanel({
    auth: 'open',
    locale,
    database: `sqlite:${file}`,
    resources: [
      defineResource({
        model: orders,
        title: 'Orders',
        singular: 'order',
        fields: { id: id(), name: text('Name') },
        related: [hasMany('lines', { inForm: true })],
      }),
      defineResource({
        model: lines,
        title: 'Lines',
        singular: 'line',
        fields: { id: id(), orderId: belongsTo('Order', orders), amount: number('Amount') },
      }),
    ],
  })

test('a resource that says what one record is called has it in its buttons, titles and rows', async () => {
  const panel = panelIn('en')
  const browser = testPanel(panel).html
  const list = (await browser.get('/admin/resource/orders/crud')).text
  // In the heading, and where there is nothing yet.
  expect(list.match(/>New order</g)).toHaveLength(2)
  expect(list).not.toContain('>New<')
  const form = (await browser.get('/admin/resource/orders/form-page')).text
  expect(form).toMatch(/<title>New order\b/)
  expect(form).toContain('aria-label="Line 1"')
  expect(form).toContain('>New line</button>')
  for (const not of ['New in', 'Lines, row', 'Add a row']) expect(form).not.toContain(not)
  const labels = async (search: string) =>
    ((await testPanel(panel).get(`/admin/palette?query=${search}`)).json() as { data: readonly { label: string }[] }).data.map(
      ({ label }) => label,
    )
  // By what the list is called, too.
  expect(await labels('lines')).toContain('New line')
  expect(await labels('new+line')).toEqual(['New line'])
  await panel.close()
})

test('in another language it stands where that one has it', async () => {
  const panel = panelIn('de')
  expect((await testPanel(panel).html.get('/admin/resource/orders/form-page')).text).toMatch(/<title>order anlegen\b/)
  await panel.close()
})
