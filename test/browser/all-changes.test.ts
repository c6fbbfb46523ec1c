import { definePanel, defineResource, historyResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const towns = sqliteTable('towns', { id: integer().primaryKey(), name: varchar().notNull() })
const lands = sqliteTable('lands', { id: integer().primaryKey(), name: varchar().notNull() })
const secret = 'correct horse battery'

let url: string
let page: Page
ownBrowser({
  schema:
    'create table towns (id integer primary key, name text not null); create table lands (id integer primary key, name text not null)',
  panel: async (database) => {
    const panel = definePanel({
      database,
      resources: [
        defineResource({ model: towns, singular: 'town', history: true }),
        defineResource({ model: lands, singular: 'land', history: true }),
        historyResource(),
      ],
    })
    await panel.ensureUser({ username: 'ada', name: 'Ada', roles: ['admin'], password: secret })
    return panel
  },
  before: (client) => client.exec('delete from towns; delete from lands'),
  opened: (all) => {
    ;({ url, page } = all)
  },
  viewport: { width: 390, height: 800 },
})

test('on a phone, the list of all changes says in each row what was changed, and filters by the titles of resources', async () => {
  await page.goto(`${url}/admin/resource/towns/form-page`)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'New town' }).waitFor()
  for (const [resource, name] of [
    ['towns', 'Ghent'],
    ['lands', 'Belgium'],
  ]) {
    await page.goto(`${url}/admin/resource/${resource}/form-page`)
    await page.locator('[name=name]').fill(name as string)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${name} created`).waitFor()
  }
  await page.goto(`${url}/admin/resource/history/crud`)
  const rows = page.locator('tbody tr')
  expect(await rows.count()).toBe(2)
  expect(await page.getByRole('link', { name: 'Belgium', exact: true }).isVisible()).toBe(true)
  await rows
    .first()
    .getByRole('button', { name: /^Actions for Land Belgium, / })
    .waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.locator('.more > summary').click()
  const table = page.getByLabel('Table', { exact: true })
  expect(await table.locator('option').allTextContents()).toEqual(['Any', 'Towns', 'Lands'])
  expect(await flawsOf(page)).toEqual([])
  await table.selectOption('Towns')
  await page.getByRole('button', { name: /^Show/ }).click()
  await page.getByText('Table: Towns').waitFor()
  expect(await rows.count()).toBe(1)
  expect(await flawsOf(page)).toEqual([])
})
