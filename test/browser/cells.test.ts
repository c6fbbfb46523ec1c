import { date, definePage, definePanel, defineResource, id, number, refuse, select, tableBuilder, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  status: varchar({ enum: ['open', 'paid', 'sent'] }).notNull(),
  colour: varchar(),
  amount: real(),
  note: varchar(),
  due: varchar(),
})
const shared = {
  model: orders,
  fields: {
    id: id(),
    name: text('Name').updateOnPreview(),
    status: select('Status').updateOnPreview().event('status-{row-id}'),
    colour: select('Colour').options({ r: 'Red', g: 'Green' }).updateOnPreview(),
    amount: number('Amount').max(1000).updateOnPreview(),
    note: text('Note').updateOnPreview().suggestions(['fragile']),
    due: date('Due').updateOnPreview().updateRow('index-table-orders'),
  },
  computed: { double: { label: 'Double', needs: ['amount'], value: ({ amount }: { amount: number | null }) => (amount ?? 0) * 2 } },
  pages: { index: ['name', 'status', 'colour', 'amount', 'double', 'note', 'due'] },
  filters: ['status'],
  sortColumn: 'id',
  sortDirection: 'ASC',
  canRecord: { update: ({ record }: { record: { name: string } }) => record.name !== 'fixed' },
  hooks: {
    beforeSave: ({ before, values }: { before: object | null; values: { note?: string } }) => {
      if (before && values.note === 'never') refuse('note', 'Never say never')
    },
  },
} as const
const Orders = defineResource({ ...shared, title: 'Orders', summary: { amount: 'sum' } } as never)
const plain = { ...shared.fields, due: date('Due').updateOnPreview() }
const Single = defineResource({ ...shared, fields: plain, uriKey: 'single', isAsync: false, table: { name: 'single-table' } } as never)
const Async = defineResource({
  ...shared,
  fields: plain,
  uriKey: 'async',
  table: { name: 'async-table' },
  canRecord: { update: ({ record }: { record: { status: string } }) => record.status !== 'sent' },
} as never)
const Plain = defineResource({ ...shared, fields: plain, uriKey: 'plain', isAsync: false, table: { name: 'plain-table' } } as never)
// The same records twice on one page.
const Both = definePage({
  uri: 'both',
  title: 'Both',
  components: [tableBuilder('orders', { name: 'upper' }), tableBuilder('orders', { name: 'lower' })],
})
const Long = defineResource({ ...shared, uriKey: 'long', usePagination: false, table: { name: 'long-table' } } as never)

let client: Sqlite
let url: string
let context: BrowserContext
let page: Page
const open = ownBrowser({
  schema:
    'create table orders (id integer primary key, name text not null, status text not null, colour text, amount real, note text, due text)',
  panel: (database) =>
    definePanel({
      auth: 'open',
      database,
      locale: 'de',
      resources: [Orders, Plain, Single, Async, Long],
      pages: [Both],
      log: () => {},
    } as never),
  before: (client) => {
    client.exec(`delete from orders; insert into orders values (1, 'one', 'open', null, 1.5, 'a', '2026-11-27'), (2, 'two', 'paid', 'r', null, null, null),
    (3, 'fixed', 'open', 'g', 3, 'stays', null)`)
  },
  opened: (all) => {
    ;({ client, url, context, page } = all)
  },
  viewport: { width: 1400, height: 800 },
})

const go = (uri = 'orders', query = '') => page.goto(`${url}/admin/resource/${uri}/crud${query}`)
const stored = (key = 1) => client.prepare('select * from orders where id = ?').get(key) as Record<string, unknown>
const control = (label: string, name = 'one') => page.getByLabel(`${label}: ${name}`, { exact: true })
const note = () => page.locator('.row-note')
/** Holds what is saved back, until it is let go. */
async function held(): Promise<readonly Route[]> {
  const routes: Route[] = []
  await page.route('**/update-field/**', (route) => void routes.push(route))
  return routes
}
const cells = (number: number) => page.locator('tbody tr[data-key]').nth(number).locator('td, th').allTextContents()

test('what is chosen or typed is saved at once, and the row shows what became of it', async () => {
  await go()
  const fired: string[] = []
  await page.exposeFunction('fired', (name: string) => fired.push(name))
  await page.evaluate(`addEventListener('status-1', ({ type }) => fired(type))`)
  await control('Status').selectOption('paid')
  await expect.poll(() => stored().status).toBe('paid')
  await expect.poll(() => fired).toEqual(['status-1'])
  // A number as the language writes it; what is computed from it, and the sum of all, follow.
  await control('Amount').fill('2,50')
  await control('Amount').press('Enter')
  await expect.poll(() => stored().amount).toBe(2.5)
  await expect.poll(() => page.locator('tfoot .summary .end').textContent()).toBe('5,5')
  expect(await cells(0)).toContain('5')
  await page.keyboard.press('Tab')
  await expect.poll(() => control('Amount').inputValue()).toBe('2,5')
  await control('Note').fill('two words')
  await control('Due').click()
  await expect.poll(() => stored().note).toBe('two words')
  await control('Due').fill('2027-01-02')
  await control('Due').blur()
  await expect.poll(() => stored().due).toBe('2027-01-02')
  // Of nothing something, and back; what must have a value offers none.
  await control('Colour', 'two').selectOption({ label: 'Green' })
  await expect.poll(() => stored(2).colour).toBe('g')
  await control('Colour', 'two').selectOption('')
  await expect.poll(() => stored(2).colour).toBeNull()
  expect(await control('Status').locator('option').allTextContents()).toEqual(['Open', 'Paid', 'Sent'])
  expect(await note().count()).toBe(0)
  await page.reload()
  expect([await control('Status').inputValue(), await control('Note').inputValue(), await control('Amount').inputValue()]).toEqual([
    'paid',
    'two words',
    '2,5',
  ])
})

test('a date that is half typed is not saved as none', async () => {
  await go()
  const due = control('Due')
  const asked: string[] = []
  page.on('request', (request) => void (request.method() === 'PUT' && asked.push(request.postData() ?? '')))
  await due.focus()
  // The browser has no value for a date without a month.
  await page.keyboard.press('Backspace')
  await expect.poll(() => due.inputValue()).toBe('')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect.poll(() => note().count()).toBe(1)
  expect(await due.getAttribute('aria-invalid')).toBe('true')
  expect([asked, stored().due]).toEqual([[], '2026-11-27'])
  await due.focus()
  await page.keyboard.press('Escape')
  expect([await due.inputValue(), await note().count()]).toEqual(['2026-11-27', 0])
  // Who takes all of it away means it.
  await due.fill('')
  await due.blur()
  await expect.poll(() => stored().due).toBeNull()
})

test('the label, and what may not be changed, has no control', async () => {
  await go()
  expect(await page.locator('form.typed').count()).toBe(2 * 5)
  expect(await page.locator('tbody .first a').allTextContents()).toEqual(['one', 'two', 'fixed'])
  expect(await page.locator('tbody tr').nth(2).locator('form, input:not([type=checkbox]), select').count()).toBe(0)
})

test('what is refused stays as it was typed, with the reason, until it is right or given up', async () => {
  await go()
  await page.locator('tbody input[name="ids[]"]').nth(1).check()
  await control('Amount').fill('9999')
  await control('Amount').press('Enter')
  await note().waitFor()
  expect([await control('Amount').inputValue(), await control('Amount').getAttribute('aria-invalid'), stored().amount]).toEqual([
    '9999',
    'true',
    1.5,
  ])
  // What is stored is right, and nothing is said against it any more, though nothing had to be saved.
  await control('Amount').fill('1,5')
  await control('Amount').press('Enter')
  expect([await control('Amount').getAttribute('aria-invalid'), await note().count()]).toEqual([null, 0])
  await control('Amount').fill('9999')
  await control('Amount').press('Enter')
  await note().waitFor()
  await control('Amount').press('Escape')
  expect(await control('Amount').inputValue()).toBe('1,5')
  expect(await page.locator('tbody input[name="ids[]"]').nth(1).isChecked()).toBe(true)
  await control('Note').fill('never')
  await control('Amount').focus()
  await note().getByText('Never say never').waitFor()
  expect(await control('Note').inputValue()).toBe('never')
  await control('Note').fill('ever')
  await control('Note').press('Enter')
  await expect.poll(() => stored().note).toBe('ever')
  await expect.poll(() => note().count()).toBe(0)

  await context.setOffline(true)
  await control('Note').fill('away')
  await control('Note').press('Enter')
  await note().waitFor()
  expect(await control('Note').inputValue()).toBe('away')
  await context.setOffline(false)
  await note().getByRole('button').click()
  await expect.poll(() => stored().note).toBe('away')
})

test.each(['orders', 'twice'])('what was refused, and is not saved yet, outlives the save of another cell of its row: %s', async (uri) => {
  await (uri === 'orders' ? go() : page.goto(`${url}/admin/page/both`))
  const at = (label: string) => control(label).first()
  await at('Amount').fill('9999')
  await at('Amount').press('Enter')
  await note().first().waitFor()
  await at('Note').fill('kept')
  await at('Note').press('Enter')
  await expect.poll(() => stored().note).toBe('kept')
  await expect.poll(() => page.locator('tr[aria-busy=true], .listing[aria-busy=true]').count()).toBe(0)
  expect([await at('Amount').inputValue(), await at('Amount').getAttribute('aria-invalid'), stored().amount]).toEqual(['9999', 'true', 1.5])
  // Its reason stands below it, and below no other.
  expect(await page.locator('tbody tr[data-key="1"] + .row-note').count()).toBe(1)
  expect(await note().count()).toBe(1)
  // What is typed and taken back leaves nothing behind.
  await at('Note').press('x')
  await at('Note').press('Backspace')
  await at('Note').blur()
  expect(await page.locator('form[data-seen] [name=value]').count()).toBe(1)
  await at('Amount').press('Escape')
  expect([await at('Amount').inputValue(), await at('Amount').getAttribute('aria-invalid'), await note().count()]).toEqual(['1,5', null, 0])
})

test('only what was left or entered is saved: not the half of a number that is typed while another is being saved', async () => {
  await go()
  const routes = await held()
  await control('Amount').fill('5')
  await control('Amount').press('Enter')
  await expect.poll(() => routes.length).toBe(1)
  await control('Amount').fill('12')
  await routes[0]?.continue()
  await expect.poll(() => stored().amount).toBe(5)
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  expect([await control('Amount').inputValue(), routes.length]).toEqual(['12', 1])
  await control('Amount').fill('120')
  await control('Amount').press('Enter')
  await expect.poll(() => routes.length).toBe(2)
  // What is entered meanwhile is saved afterwards.
  await control('Amount').fill('130')
  await control('Amount').press('Enter')
  await routes[1]?.continue()
  await expect.poll(() => routes.length).toBe(3)
  await routes[2]?.continue()
  await expect.poll(() => stored().amount).toBe(130)
  await expect.poll(() => note().count()).toBe(0)
})

test('what is entered while the same number is being saved in other words is saved, too', async () => {
  await go()
  const routes = await held()
  await control('Amount').fill('2,50')
  await control('Amount').press('Enter')
  await expect.poll(() => routes.length).toBe(1)
  await control('Amount').fill('3')
  await control('Amount').press('Enter')
  await routes[0]?.continue()
  await expect.poll(() => routes.length).toBe(2)
  await routes[1]?.continue()
  await expect.poll(() => stored().amount).toBe(3)
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  expect([await control('Amount').inputValue(), await note().count()]).toEqual(['3', 0])
})

test('a save after which the record may not be changed any more leaves its value, and says nothing of a lost network', async () => {
  await go('async')
  await control('Status').selectOption('sent')
  await expect.poll(() => stored().status).toBe('sent')
  await expect.poll(() => page.locator('tbody tr[data-key="1"] form').count()).toBe(0)
  expect(await page.locator('tbody tr[data-key="1"]').innerText()).toContain('Sent')
  expect([await note().count(), await page.locator('[aria-busy=true]').count()]).toEqual([0, 0])
})

test('a control that has the focus shows what others have saved meanwhile, unless something is typed in it', async () => {
  await go('async')
  await control('Note').fill('a1')
  await control('Note').press('Enter')
  await expect.poll(() => stored().note).toBe('a1')
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  client.exec(`update orders set note = 'theirs' where id = 1`)
  await page.evaluate(`dispatchEvent(new Event('table-row-updated-async-table-1'))`)
  await expect.poll(() => control('Note').inputValue()).toBe('theirs')
  await control('Note').fill('mine')
  client.exec(`update orders set note = 'theirs again' where id = 1`)
  await page.evaluate(`dispatchEvent(new Event('table-row-updated-async-table-1'))`)
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  expect(await control('Note').inputValue()).toBe('mine')
  await control('Note').press('Enter')
  await note().waitFor()
  expect(stored().note).toBe('theirs again')
})

test('what is refused after its row has left the page is told all the same', async () => {
  await go('async', '?perPage=1')
  const routes = await held()
  await control('Note').fill('never')
  await control('Note').press('Enter')
  await expect.poll(() => routes.length).toBe(1)
  await page.locator('.pager a').last().click()
  await page.locator('tbody tr[data-key="2"]').waitFor()
  await routes[0]?.continue()
  await page.locator('.toast.error').getByText('Never say never').waitFor()
  expect(stored().note).toBe('a')
})

test('in a list whose controls are plain, a value that fires an event is saved in its row, which stays', async () => {
  await go('single')
  await control('Status').selectOption('paid')
  await expect.poll(() => stored().status).toBe('paid')
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  expect(await page.locator('tbody tr.gone').count()).toBe(0)
  expect(await control('Status').inputValue()).toBe('paid')
})

test('nobody else is overwritten: their value is shown', async () => {
  await go()
  client.exec(`update orders set note = 'theirs' where id = 1`)
  await control('Note').fill('mine')
  await control('Amount').focus()
  await note().waitFor()
  expect(stored().note).toBe('theirs')
  await expect.poll(() => control('Note').inputValue()).toBe('theirs')
  // What was typed is not lost.
  expect(await note().innerText()).toContain('mine')
  // Nor is it when the focus goes on.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await note().innerText()).toContain('mine')
  // Also to whom stays in the control: who presses Enter once more has seen it.
  client.exec(`update orders set note = 'theirs again' where id = 1`)
  await control('Note').fill('mine')
  await control('Note').press('Enter')
  await expect.poll(() => control('Note').inputValue()).toBe('theirs again')
  await control('Note').press('Enter')
  // Nor by a row or a list that is refreshed while somebody types.
  await control('Note').fill('mine')
  client.exec(`update orders set note = 'theirs at last', amount = 77 where id = 1`)
  await page.evaluate("dispatchEvent(new Event('table-updated-index-table-orders'))")
  await expect.poll(() => control('Amount').inputValue()).toBe('77')
  expect(await control('Note').inputValue()).toBe('mine')
  await control('Note').press('Enter')
  await expect.poll(() => control('Note').inputValue()).toBe('theirs at last')
  expect(stored().note).toBe('theirs at last')
  await control('Note').fill('mine')
  await control('Note').press('Enter')
  await expect.poll(() => stored().note).toBe('mine')
})

test('what was saved is what the next value replaces, also where the row cannot be refreshed', async () => {
  await go()
  await page.route('**/resource/orders/crud*', (route) => route.abort())
  for (const text of ['first', 'second']) {
    await control('Note').fill(text)
    await control('Note').press('Enter')
    await expect.poll(() => stored().note).toBe(text)
    await page.locator('.listing > .notice').waitFor()
  }
  expect([await note().count(), await control('Note').inputValue()]).toEqual([0, 'second'])
})

test('what is typed while a value is being saved is saved after it', async () => {
  await go()
  await page.route('**/update-field/**', async (route) => {
    await new Promise((done) => setTimeout(done, 300))
    await route.continue()
  })
  await control('Note').fill('first')
  await control('Note').press('Enter')
  await control('Note').fill('second')
  await control('Note').press('Enter')
  await expect.poll(() => stored().note).toBe('second')
  expect(await note().count()).toBe(0)
})

test('without script each control is a form with a button, in plain lists its change loads the page', async () => {
  await go('plain')
  await control('Colour').selectOption('g')
  await expect.poll(() => stored().colour).toBe('g')
  await expect.poll(() => control('Colour').inputValue()).toBe('g')
  // One that fires an event needs its page.
  await page.evaluate('window.same = true')
  await control('Status').selectOption('sent')
  await expect.poll(() => stored().status).toBe('sent')
  expect(await page.evaluate('window.same')).toBe(true)

  await open({ javaScriptEnabled: false })
  await go()
  await control('Status').selectOption('open')
  await page
    .locator('form.typed', { has: control('Status') })
    .getByRole('button')
    .click()
  expect(stored().status).toBe('open')
  await control('Note', 'two').fill('by hand')
  await control('Note', 'two').press('Enter')
  expect(stored(2).note).toBe('by hand')
  expect(new URL(page.url()).pathname).toBe('/admin/resource/orders/crud')
})

test('two lists of the same records have controls of their own', async () => {
  await page.goto(`${url}/admin/page/both`)
  expect(
    await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, i, all) => all.indexOf(id) !== i)`),
  ).toEqual([])
  await page.locator('#lower').getByLabel('Note: one', { exact: true }).fill('below')
  await page.keyboard.press('Enter')
  await expect.poll(() => stored().note).toBe('below')
  await expect.poll(() => page.locator('#upper').getByLabel('Note: one', { exact: true }).inputValue()).toBe('a')
})

test('a list of all rows shows values', async () => {
  await go('long')
  expect(await page.locator('form.typed').count()).toBe(0)
  expect((await cells(0)).join()).toContain('Open')
})

test.each([
  ['in the light', { colorScheme: 'light' }],
  ['in the dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 360, height: 740 } }],
] as const)('axe finds nothing %s', async (_, options) => {
  await open(options as BrowserContextOptions)
  await go()
  expect(await flawsOf(page)).toEqual([])
})
