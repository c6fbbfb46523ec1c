import { definePanel, defineResource, id, select, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const invoices = sqliteTable('invoices', { id: integer().primaryKey(), name: varchar().notNull(), state: varchar().notNull() })
const Invoices = defineResource({
  model: invoices,
  fields: {
    id: id(),
    name: text('Name'),
    state: select('State')
      .options({ draft: 'Draft', sent: 'Sent', paid: 'Paid', void: 'Void' })
      .tones({ paid: 'good' })
      .transitions({ draft: ['sent'], sent: ['paid', 'void'], paid: [], void: [] })
      .updateOnPreview(),
  },
  massUpdate: ['state'],
})

let page: Page
let url: string
let client: Sqlite
ownBrowser({
  schema: 'create table invoices (id integer primary key, name text not null, state text not null)',
  panel: (database) => definePanel({ auth: 'open', database, resources: [Invoices] }),
  before: (client) => client.exec(`delete from invoices; insert into invoices values (1, 'One', 'draft'), (2, 'Two', 'paid')`),
  opened: (all) => {
    ;({ page, url, client } = all)
  },
})
const stored = (key: number) => (client.prepare('select state from invoices where id = ?').get(key) as { state: string }).state
const offered = () => page.getByLabel('State: One').locator('option').allTextContents()

test('a cell offers where the record may go, from each state that it has come to', async () => {
  await page.goto(`${url}/admin/resource/invoices/crud`)
  expect(await offered()).toEqual(['Draft', 'Sent'])
  await page.getByLabel('State: One').selectOption('sent')
  await expect.poll(offered).toEqual(['Sent', 'Paid', 'Void'])
  await page.getByLabel('State: One').selectOption('void')
  await expect.poll(offered).toEqual(['Void'])
  expect(stored(1)).toBe('void')
})

test('a choice that has been refused is said at the field, and what was chosen stays', async () => {
  await page.goto(`${url}/admin/resource/invoices/form-page/1`)
  client.exec(`update invoices set state = 'sent' where id = 1`)
  await page.getByLabel('State').selectOption('sent')
  await page.evaluate(`document.querySelector('[name=_version]').remove()`)
  client.exec(`update invoices set state = 'paid' where id = 1`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const said = 'State cannot go from Paid to Sent. From Paid it goes nowhere'
  await expect.poll(() => page.locator('#field-state-error').textContent()).toContain(said)
  expect(await page.getByLabel('State').inputValue()).toBe('sent')
  expect(stored(1)).toBe('paid')
})
