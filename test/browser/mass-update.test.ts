import { belongsTo, definePanel, defineResource, id, number, select, switcher, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const people = sqliteTable('people', { id: integer().primaryKey(), name: varchar().notNull() })
const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  state: varchar().notNull(),
  ownerId: integer('owner_id').references(() => people.id),
  hours: integer(),
  urgent: integer({ mode: 'boolean' }).notNull(),
})
const Tasks = defineResource({
  model: tasks,
  title: 'Tasks',
  fields: {
    id: id(),
    title: text('Title').required(),
    state: select('State').options({ open: 'Open', done: 'Done' }),
    ownerId: belongsTo('Owner'),
    hours: number('Hours').min(0).hint('Whole ones'),
    urgent: switcher('Urgent'),
  },
  massUpdate: ['state', 'ownerId', 'hours', 'urgent'],
  validate: ({ values, before }): Record<string, string> =>
    values.state === 'done' && (values.hours === undefined ? before?.hours : values.hours) === null
      ? { hours: 'Say how long it took' }
      : {},
  sortColumn: 'id',
  sortDirection: 'ASC',
})
const People = defineResource({ model: people, fields: { id: id(), name: text('Name').searchable() }, massUpdate: ['name'] })

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: `create table people (id integer primary key, name text not null);
    create table tasks (id integer primary key, title text not null, state text not null, owner_id integer references people (id), hours integer, urgent integer not null)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Tasks, People], log: () => {} }),
  before: (client) =>
    client.exec(
      `delete from tasks; delete from people; insert into people values (1, 'Ann'), (2, 'Bob');
      insert into tasks select value, 'Task ' || value, 'open', 1, 2, 1 from generate_series(1, 40)`.replace(
        'generate_series(1, 40)',
        '(with recursive i (value) as (select 1 union all select value + 1 from i where value < 40) select value from i)',
      ),
    ),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const list = '/admin/resource/tasks/crud'
const stored = (where = '1') => client.prepare(`select state, owner_id as owner, hours, urgent from tasks where ${where} order by id`).all()
const select2 = async () => {
  await page.goto(url + list)
  const boxes = page.locator('tbody input[name="ids[]"]')
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await page.locator('.bulk').getByRole('button', { name: 'Edit' }).click()
  await page.locator('dialog .change').first().waitFor()
}
const box = (label: string) => page.locator('.change > label', { hasText: label })
const focused = () => page.evaluate('document.activeElement.name + " " + document.activeElement.value')

test('fields are ticked, filled in and saved by keyboard, and the others stay as they are', async () => {
  await select2()
  expect(await page.locator('dialog .change > .field:visible').count()).toBe(0)
  expect(await focused()).toBe('_change state')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('_change ownerId')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await focused()).toBe('_change hours')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('hours ')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.toast').innerText()).toBe('2 saved')
  expect(await page.locator('dialog').count()).toBe(0)
  expect(stored('id < 4')).toEqual([
    { state: 'open', owner: 1, hours: 7, urgent: 1 },
    { state: 'open', owner: 1, hours: 7, urgent: 1 },
    { state: 'open', owner: 1, hours: 2, urgent: 1 },
  ])
  // The list shows it, where it was: a list that is longer than the window does not jump to its head.
  expect(await page.locator('tbody tr').nth(1).innerText()).toContain('7')
  expect(await page.evaluate('[scrollY, document.querySelectorAll("tbody :checked").length]')).toEqual([0, 0])
})

test('what is wrong is said at its field, and what is typed stays', async () => {
  await select2()
  await box('Hours').click()
  await page.fill('[name=hours]', '-1')
  await page.locator('dialog [name=_save]').click()
  await expect.poll(() => page.locator('dialog .change .error').allInnerTexts()).toEqual(['Hours must be at least 0'])
  expect(await focused()).toBe('hours -1')
  expect(await flawsOf(page)).toEqual([])
  await box('Hours').click()
  await page.locator('dialog [name=_save]').click()
  await expect.poll(() => page.locator('dialog .notice').innerText()).toContain('Choose what to change: State, Owner, Hours, Urgent')
  expect(stored('hours <> 2')).toEqual([])
})

test('a related record is searched for, and a switch is turned off', async () => {
  await select2()
  await box('Owner').click()
  await page.locator('dialog [role=combobox]').fill('Bo')
  await page.getByRole('option', { name: 'Bob' }).click()
  await box('Urgent').click()
  await page.locator('dialog [name=_save]').click()
  await expect.poll(() => stored('owner_id = 2')).toEqual(Array(2).fill({ state: 'open', owner: 2, hours: 2, urgent: 0 }))
})

test('without script, on a page of its own, for all that match', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(url + list)
  await page.locator('tbody input[name="ids[]"]').nth(0).check()
  await page.locator('input[name=_all]').check()
  await page.locator('.bulk').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => page.locator('h1').innerText()).toBe('Edit')
  expect(await page.locator('form.action-form .muted').first().innerText()).toBe('For 40 records')
  await box('State').click()
  await page.locator('select[name=state]').selectOption('done')
  await box('Owner').click()
  // The related record is searched for by the form itself, which keeps what was ticked and chosen.
  await page.locator('.find > summary').click()
  await page.fill('[name="_query[ownerId]"]', 'Bob')
  await page.locator('button[name=_search][value=ownerId]').click()
  expect(await page.locator('select[name=state]').inputValue()).toBe('done')
  await page.locator('input[name=ownerId][value="2"]').check()
  await page.locator('form.action-form [name=_save]').click()
  await page.waitForURL(new RegExp(list))
  expect(await page.locator('.toast').innerText()).toContain('40 saved')
  expect(stored(`state = 'done' and owner_id = 2`)).toHaveLength(40)
})

test('has no flaws that axe finds, on a desktop and on a phone', async () => {
  for (const [viewport, colorScheme] of [
    [{ width: 1280, height: 800 }, 'light'],
    [{ width: 360, height: 740 }, 'dark'],
  ] as const) {
    await open({ viewport, colorScheme })
    await select2()
    for (const label of ['State', 'Owner', 'Hours', 'Urgent']) await box(label).click()
    expect(await flawsOf(page)).toEqual([])
  }
})

test('what is wrong with a field that is not ticked is seen beside its box', async () => {
  client.exec("update tasks set hours = null where title = 'Task 2'")
  await select2()
  await box('State').click()
  await page.locator('dialog [name=state]').selectOption('done')
  await page.locator('dialog [name=_save]').click()
  const error = page.locator('dialog .change .error', { hasText: 'Task 2: Say how long it took' })
  await error.waitFor()
  expect(await page.locator('dialog [name=hours]').isVisible()).toBe(false)
  expect(await focused()).toBe('_change hours')
  expect(await flawsOf(page)).toEqual([])
  await page.keyboard.press('Space')
  await page.fill('dialog [name=hours]', '3')
  await page.locator('dialog [name=_save]').click()
  await expect.poll(() => page.locator('.toast').innerText()).toBe('2 saved')
})

test('a single field is ticked, and its control has the focus', async () => {
  await page.goto(`${url}/admin/resource/people/crud`)
  await page.locator('tbody input[name="ids[]"]').first().check()
  await page.locator('.bulk').getByRole('button', { name: 'Edit' }).click()
  await page.locator('dialog .change').waitFor()
  expect(await focused()).toBe('name ')
})
