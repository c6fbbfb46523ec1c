import { authenticate, definePanel, defineResource, id, password, switcher, text, usersResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  done: integer({ mode: 'boolean' }).notNull(),
})
const secret = 'correct horse battery'

let url: string
let page: Page
let stored: () => unknown
const open = ownBrowser({
  schema: 'create table notes (id integer primary key, name text not null, done integer not null)',
  panel: async (database) => {
    const panel = definePanel({
      database,
      resources: [
        defineResource({
          model: notes,
          fields: { id: id(), name: text('Name'), done: switcher('Done').updateOnPreview() },
          stickyTable: true,
        }),
        usersResource({ roles: ['admin', 'clerk'] }),
      ],
      auth: { middleware: authenticate(), pipelines: [password()], viewAs: ['admin'] },
    })
    await panel.ensureUser({ username: 'ada', name: 'Ada', roles: ['admin'], password: secret })
    await panel.ensureUser({ username: 'carla', name: 'Carla', roles: ['clerk'], password: secret })
    return panel
  },
  before: (client) => {
    client.exec(`delete from notes; insert into notes values ${Array.from({ length: 40 }, (_, i) => `(${i + 1}, 'Note', 0)`)}`)
    stored = () => (client.prepare('select done from notes where id = 40').get() as { done: number }).done
  },
  opened: (all) => {
    ;({ url, page } = all)
  },
})

async function openUsers(): Promise<void> {
  await page.goto(`${url}/admin/resource/users/crud`)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function viewAsCarla(): Promise<void> {
  await openUsers()
  await page.getByRole('link', { name: 'carla', exact: true }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'View as Carla' }).click()
}
const bar = () => page.getByText('You see the panel as Carla does, and can change nothing')

test('every page says as whom it is seen, fits the window, and leads back to the same page', async () => {
  await viewAsCarla()
  await bar().waitFor()
  expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
  await page.getByRole('navigation').getByRole('link', { name: 'Notes' }).click()
  await page.getByRole('row').nth(1).waitFor()
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
  expect(await flawsOf(page)).toEqual([])
  const toggle = page.getByLabel('Done: Note').first()
  await toggle.click()
  await page.getByText('You look at the panel as Carla and can change nothing').waitFor()
  expect(await toggle.isChecked()).toBe(false)
  expect(stored()).toBe(0)
  await page.getByRole('button', { name: 'Back to Ada' }).click()
  await page.getByRole('link', { name: 'Users' }).waitFor()
  expect(page.url()).toBe(`${url}/admin/resource/notes/crud`)
  expect(await bar().count()).toBe(0)
  await toggle.click()
  await expect.poll(stored).toBe(1)
})

test('the menu of a row leads to what its user sees', async () => {
  await openUsers()
  await page.getByRole('button', { name: 'Actions for carla' }).click()
  await page.getByRole('button', { name: 'View as Carla' }).click()
  await bar().waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin')
})

test('on a phone, without script', async () => {
  await open({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  await viewAsCarla()
  await bar().waitFor()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Notes' }).click()
  await page.getByRole('button', { name: 'Back to Ada' }).click()
  await page.getByRole('heading', { name: 'Notes' }).waitFor()
  expect(await bar().count()).toBe(0)
})
