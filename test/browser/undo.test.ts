import { date, definePanel, defineResource, id, number, select, switcher, text, view } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar({ enum: ['open', 'doing', 'done'] }).notNull(),
  hours: integer().notNull(),
  urgent: integer({ mode: 'boolean' }).notNull(),
  due: varchar().notNull(),
})
const Tasks = defineResource({
  model: tasks,
  fields: {
    id: id(),
    name: text('Name'),
    state: select('State')
      .transitions({ open: ['doing'], doing: ['open', 'done'], done: [] })
      .updateOnPreview()
      .event('moved-{row-id}'),
    hours: number('Hours').max(100).updateOnPreview(),
    urgent: switcher('Urgent').updateOnPreview(),
    due: date('Due'),
  },
  pages: { index: ['name', 'state', 'hours', 'urgent', 'due'] },
  filters: ['due', 'state'],
  hooks: { beforeSave: ({ values }) => (values.hours === 13 ? { hours: 1 } : undefined) },
  views: [view.board('state'), view.calendar('due')],
  sortColumn: 'id',
  sortDirection: 'ASC',
})

let page: Page
let url: string
let client: Sqlite
ownBrowser({
  schema:
    'create table tasks (id integer primary key, name text not null, state text not null, hours integer not null, urgent integer not null, due text not null)',
  panel: (database) => definePanel({ auth: 'open', database, resources: [Tasks] }),
  before: (client) => {
    client.exec(
      `delete from tasks; insert into tasks values (1, 'One', 'open', 1, 0, '2026-11-10'), (2, 'Two', 'doing', 2, 1, '2026-11-20')`,
    )
  },
  opened: (all) => {
    ;({ page, url, client } = all)
  },
})
const stored = (key = 1) => client.prepare('select state, hours, urgent, due from tasks where id = ?').get(key) as Record<string, unknown>
const undo = () => page.locator('.toast').getByRole('button', { name: 'Undo' })
const said = () => page.locator('.toast').innerText()
const control = (label: string) => page.getByLabel(`${label}: One`, { exact: true })
const settled = () => page.locator('[aria-busy]').first().waitFor({ state: 'detached' })

/** Opens the list once what undoes is loaded. */
async function open(query = ''): Promise<void> {
  await page.goto(`${url}/admin/resource/tasks/crud${query}`)
  await page.waitForLoadState('networkidle')
}

test('what was chosen, typed or switched in a row is put back, by button and by key, and the row follows', async () => {
  await open()
  const fired: string[] = []
  await page.exposeFunction('fired', (name: string) => fired.push(name))
  await page.evaluate(`addEventListener('moved-1', ({ type }) => fired(type))`)
  await control('State').selectOption('doing')
  await undo().waitFor()
  expect(stored().state).toBe('doing')
  expect(await flawsOf(page)).toEqual([])
  await undo().click()
  await expect.poll(() => stored().state).toBe('open')
  await expect.poll(() => control('State').locator('option').allTextContents()).toEqual(['Open', 'Doing'])
  expect(fired).toEqual(['moved-1', 'moved-1'])
  await expect.poll(() => undo().count()).toBe(0)
  await expect.poll(said).toContain('Saved')

  await control('Hours').fill('40')
  await control('Hours').press('Enter')
  await undo().waitFor()
  await undo().focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => stored().hours).toBe(1)
  await expect.poll(() => control('Hours').inputValue()).toBe('1')
  // The button is gone, and the focus is in the list.
  expect(await page.locator('.listing').evaluate((one) => one.matches(':focus-within'))).toBe(true)

  await control('Urgent').click()
  await undo().waitFor()
  expect(stored().urgent).toBe(1)
  await page.keyboard.press('Control+z')
  await expect.poll(() => stored().urgent).toBe(0)
  await expect.poll(() => control('Urgent').getAttribute('aria-checked')).toBe('false')
  expect(await control('Urgent').evaluate((one) => one.matches(':focus'))).toBe(true)
})

test('somebody who has changed it since is not overwritten, and the row shows that', async () => {
  await open()
  await control('Hours').fill('40')
  await control('Hours').press('Enter')
  await undo().waitFor()
  client.exec('update tasks set hours = 50 where id = 1')
  await undo().click()
  await expect.poll(said).toContain('changed in the meantime')
  expect(stored().hours).toBe(50)
  await expect.poll(() => control('Hours').inputValue()).toBe('50')
})

test('a step that does not lead back, a value that is as it was, and what was refused offer none', async () => {
  await open()
  const state = page.getByLabel('State: Two', { exact: true })
  await state.selectOption('done')
  await expect.poll(() => state.locator('option').allTextContents()).toEqual(['Done'])
  await settled()
  // What the panel has made of it is what was there before.
  await control('Hours').fill('13')
  await control('Hours').press('Enter')
  await expect.poll(() => control('Hours').inputValue()).toBe('1')
  await settled()
  await control('Hours').fill('1000')
  await control('Hours').press('Enter')
  await page.locator('.row-note').waitFor()
  expect(await page.locator('.toast').count()).toBe(0)
})

test('what the network or the server holds back says so, and can be tried again from where the focus is', async () => {
  await open()
  await control('Urgent').click()
  await undo().focus()
  await page.route('**/update-field/**', (route) => route.abort())
  await page.keyboard.press('Enter')
  await expect.poll(said).toContain('cannot be reached')
  expect(stored().urgent).toBe(1)
  await page.route('**/update-field/**', (route) => route.fulfill({ status: 503 }))
  await page.keyboard.press('Enter')
  await expect.poll(said).toContain('That did not work')
  await page.unroute('**/update-field/**')
  await page.keyboard.press('Enter')
  await expect.poll(() => stored().urgent).toBe(0)
  await expect.poll(said).toBe('Saved')
})

test('a message that is dismissed leaves the focus in the page', async () => {
  await open()
  await control('Urgent').click()
  await undo().focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await undo().waitFor({ state: 'detached' })
  expect(await page.locator('main').evaluate((one) => one.matches(':focus-within'))).toBe(true)
})

async function drag(key: number, to: string): Promise<void> {
  const [from, place] = [await page.locator(`li[data-key="${key}"]`).boundingBox(), await page.locator(to).boundingBox()]
  if (!from || !place) throw new Error('There is nothing to drag')
  await page.mouse.move(from.x + 20, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(place.x + 60, place.y + 60, { steps: 6 })
  await page.mouse.up()
}

test('a card that was moved goes back, unless its column leads nowhere', async () => {
  await open('?view=board')
  await drag(1, '.column[data-value=doing]')
  await undo().waitFor()
  expect(stored().state).toBe('doing')
  await undo().click()
  await expect.poll(() => stored().state).toBe('open')
  await page.locator('.column[data-value=open] li[data-key="1"]').waitFor()
  await page.locator('.toast .dismiss').click()
  await drag(2, '.column[data-value=done]')
  await expect.poll(() => stored(2).state).toBe('done')
  await settled()
  expect(await page.locator('.toast').count()).toBe(0)
})

test('an entry of a calendar goes back to its day', async () => {
  await open('?view=calendar&month=2026-11')
  await drag(1, '.calendar td[data-value="2026-11-12"]')
  await undo().waitFor()
  expect(stored().due).toBe('2026-11-12')
  await undo().click()
  await expect.poll(() => stored().due).toBe('2026-11-10')
  await page.locator('td[data-value="2026-11-10"] li[data-key="1"]').waitFor()
})
