// What somebody who worked with a list for a day came across.
import { belongsTo, definePanel, defineResource, number, refuse, select, switcher, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const customers = sqliteTable('customers', { id: integer().primaryKey(), name: varchar().notNull() })
const orders = sqliteTable('orders', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  state: varchar({ enum: ['draft', 'paid', 'sent'] }).notNull(),
  total: real().notNull(),
  customerId: integer('customer_id').references(() => customers.id),
  agentId: integer('agent_id').references(() => customers.id),
  rush: integer({ mode: 'boolean' }).notNull(),
  one: varchar(),
  two: varchar(),
  three: varchar(),
  four: varchar(),
})

let url: string
let page: Page
const open = ownBrowser({
  schema: `create table customers (id integer primary key, name text not null);
    create table orders (id integer primary key, name text not null, state text not null, total real not null,
      customer_id integer references customers (id), agent_id integer references customers (id), rush integer not null,
      one text, two text, three text, four text)`,
  panel: (database) => {
    const Orders = defineResource({
      model: orders,
      title: 'Orders',
      fields: {
        name: text('Name').required().searchable().sortable(),
        state: select('State').options({ draft: 'Draft', paid: 'Paid', sent: 'Sent' }).updateOnPreview().required(),
        total: number('Total').updateOnPreview().sortable(),
        customerId: belongsTo('Customer', customers),
        agentId: belongsTo('Agent', customers),
        rush: switcher('Rush'),
        one: text('A rather long name of a column').updateOnPreview(),
        two: text('Another rather long name of a column').updateOnPreview(),
        three: text('And one more name of a column').updateOnPreview(),
        four: text('The last rather long name of a column').updateOnPreview(),
      },
      pages: { index: ['name', 'state', 'total', 'customerId', 'rush', 'one', 'two', 'three', 'four'] },
      filters: ['customerId', 'total', 'state', 'rush', 'agentId'],
      sortColumn: 'name',
      sortDirection: 'DESC',
      clickAction: 'DETAIL',
      columnSelection: true,
      hooks: {
        beforeSave: ({ values }) => {
          if (values.four === 'never') refuse('four', 'Never say never')
        },
      },
      handlers: {
        estimate: {
          label: 'Estimate',
          selection: 'required',
          fields: { days: number('Days').default(2) },
          run: async ({ input }) => `${input.days} days`,
        },
      },
      indexButtons: [{ label: 'Estimate…', handler: 'estimate', bulk: true }],
    })
    const Customers = defineResource({
      model: customers,
      title: 'Customers',
      fields: { name: text('Name').required().searchable() },
      clickAction: 'SELECT',
    })
    return definePanel({ auth: 'open', database, resources: [Orders, Customers] })
  },
  before: (client) =>
    client.exec(`delete from orders; delete from customers; insert into customers values (1, 'France'), (2, 'Germany');
    insert into orders values (1, 'Order 1', 'draft', 100000, 1, null, 0, 'a value as long as its column is wide', 'b', 'c', 'and another one that is rather long'), (2, 'Order 2', 'paid', 5, 2, null, 1, 'a value as long as its column is wide', 'b', 'c', 'and another one that is rather long'),
      (3, 'Order 3', 'sent', 7, null, null, 0, 'a value as long as its column is wide', 'b', 'c', 'and another one that is rather long')`),
  opened: (all) => {
    ;({ url, page } = all)
  },
})

const list = '/admin/resource/orders/crud'
const go = (path = list) => page.goto(url + path)
const chips = () => page.locator('.chip').allInnerTexts()
const filter = (name: string) => page.locator('.filter', { hasText: name })
const row = (name: string) => page.locator('tr[data-key]', { has: page.getByRole('rowheader', { name, exact: true }) })
const empty = () => row('Order 1').locator('td').filter({ hasText: 'France' })

describe('a click beside what is open only closes it:', () => {
  const opened = {
    'a filter': async () => {
      await filter('Total').locator('summary').click()
      await page.getByLabel('From', { exact: true }).filter({ visible: true }).fill('1000000')
    },
    'the menu of a row': () => page.getByRole('button', { name: 'Actions for Order 3' }).click(),
    'the saved views': async () => {
      await page.getByRole('button', { name: 'Saved views' }).click()
      await page.locator('.menu:popover-open [name=_view]').fill('Mine')
    },
    'the view options': () => page.getByRole('button', { name: 'View options' }).click(),
  }
  test.each(Object.keys(opened) as (keyof typeof opened)[])('%s', async (what) => {
    await go()
    await opened[what]()
    const shown = page.locator('.filter[open], .menu:popover-open')
    expect(await shown.count()).toBe(1)
    await empty().click({ position: { x: 2, y: 8 } })
    await expect.poll(() => shown.count()).toBe(0)
    // A page that was to come would be there by the second click.
    await row('Order 2')
      .locator('td')
      .filter({ hasText: 'Germany' })
      .click({ position: { x: 2, y: 8 } })
    await expect.poll(() => page.url()).toBe(`${url}${list}/2`)
  })

  test('where it is on the link of a record, too', async () => {
    await go()
    await opened['a filter']()
    await row('Order 1').getByRole('link', { name: 'Order 1' }).click()
    await expect.poll(() => page.locator('.filter[open]').count()).toBe(0)
    await row('Order 2').getByRole('link', { name: 'Order 2' }).click()
    await expect.poll(() => page.url()).toBe(`${url}${list}/2`)
  })
})

describe('what is typed into a control that was given the focus replaces what was in it:', () => {
  test('in a filter', async () => {
    await go(`${list}?filter[total][from]=100000`)
    await filter('Total').locator('summary').click()
    await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('input')
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await expect.poll(chips).toEqual(['Total ≥ 5'])
  })

  test('in a filter by a related record', async () => {
    await go(`${list}?filter[customerId]=2`)
    await filter('Customer').locator('summary').click()
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('Germany')
    await page.keyboard.type('fra')
    expect(await page.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe('fra')
  })

  test('in the dialog of an action', async () => {
    await go()
    await page.getByRole('checkbox', { name: 'Select Order 1' }).check()
    await page.locator('.bulk').getByRole('button', { name: 'Estimate…' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('1')
    expect(await page.getByLabel('Days').inputValue()).toBe('1')
  })
})

describe('in a table that is wider than the page', () => {
  test('controls in cells widen the table alone', async () => {
    await go()
    const beyond = "document.querySelector('.scroller').scrollWidth - document.querySelector('.scroller').clientWidth"
    expect(await page.evaluate(beyond)).toBeGreaterThan(300)
    expect(await flawsOf(page)).toEqual([])
  })

  test.each(['ltr', 'rtl'])('the reason why a cell is refused is seen however far it is scrolled: %s', async (dir) => {
    await go()
    await page.evaluate(`document.documentElement.dir = '${dir}'`)
    const cell = page.getByLabel('The last rather long name of a column: Order 1', { exact: true })
    await cell.fill('never')
    await cell.press('Enter')
    const notice = page.locator('.row-note .notice', { hasText: 'Never say never' })
    await notice.waitFor()
    for (const by of [0, 10_000]) {
      await page.evaluate(`document.querySelector('.scroller').scrollTo({ left: ${dir === 'rtl' ? -by : by} })`)
      const { x, width } = (await notice.locator('p').boundingBox()) ?? { x: -1, width: 0 }
      const { x: start, width: room } = (await page.locator('.scroller').boundingBox()) ?? { x: 0, width: 0 }
      expect([x >= start, x + width <= start + room], `${by}`).toEqual([true, true])
    }
  })
})

test('a click beside the label of a record selects it, where a click on a row does that', async () => {
  await go('/admin/resource/customers/crud')
  const cell = page.getByRole('rowheader', { name: 'France' })
  const { width = 0 } = (await cell.boundingBox()) ?? {}
  await cell.click({ position: { x: width - 20, y: 20 } })
  expect(await page.getByRole('checkbox', { name: 'Select France' }).isChecked()).toBe(true)
  const all = page.locator('.pick-all')
  // Some are selected: a dash, which is no tick.
  const head = "document.querySelector('.pick-all')"
  const mark = async () =>
    (await page.evaluate(`[getComputedStyle(${head}).backgroundColor, getComputedStyle(${head}, '::before').rotate]`)) as string[]
  const some = await mark()
  await all.check()
  const every = await mark()
  await all.uncheck()
  const none = await mark()
  expect([some[0] === every[0], some[0] === none[0], some[1] === every[1]]).toEqual([true, false, false])
  await cell.getByRole('link', { name: 'France' }).click()
  await expect.poll(() => page.url()).toBe(`${url}/admin/resource/customers/crud/1`)
})

describe('the view options', () => {
  const heads = () => page.locator('thead th').allInnerTexts()
  test('show and hide columns as they are ticked, and stay open', async () => {
    await go()
    await page.getByRole('button', { name: 'View options' }).click()
    const menu = page.locator('.menu:popover-open')
    for (const name of ['Customer', 'Rush', 'State']) await menu.getByRole('checkbox', { name, exact: true }).uncheck()
    await expect.poll(async () => (await heads()).slice(0, 3)).toEqual(['Name', 'Total', 'A rather long name of a column'])
    expect(await menu.getByRole('button', { name: 'Apply' }).isVisible()).toBe(false)
    await menu.getByRole('checkbox', { name: 'Rush', exact: true }).check()
    await expect.poll(async () => (await heads()).slice(0, 3)).toEqual(['Name', 'Total', 'Rush'])
    await menu.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(async () => (await heads()).slice(0, 3)).toEqual(['Name', 'State', 'Total'])
    await page.getByRole('button', { name: 'View options' }).click()
    expect(await menu.getByRole('checkbox', { name: 'State' }).isChecked()).toBe(true)
  })

  test('without script, once they are applied', async () => {
    await open({ javaScriptEnabled: false })
    await go()
    await page.getByRole('button', { name: 'View options' }).click()
    const menu = page.locator('.menu:popover-open')
    await menu.getByRole('checkbox', { name: 'State' }).uncheck()
    await menu.getByRole('button', { name: 'Apply' }).click()
    expect((await heads()).slice(0, 2)).toEqual(['Name', 'Total'])
  })
})

test('the name of the first saved view can be typed at once', async () => {
  await go()
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.keyboard.type('Mine')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.locator('.menu:popover-open').getByRole('link', { name: 'Mine' }).waitFor()
})

test('a name of a view that is too long stays as it was typed, and is said to be', async () => {
  await go()
  await page.getByRole('button', { name: 'Saved views' }).click()
  const name = page.locator('.menu:popover-open [name=_view]')
  const long = 'A name of a view with more than sixty letters, which nobody can read in a menu'
  await name.focus()
  // As a paste would.
  await page.keyboard.insertText(long)
  await page.keyboard.press('Enter')
  expect(await name.inputValue()).toBe(long)
  expect(await page.evaluate('[document.activeElement.title, document.activeElement.validity.patternMismatch]')).toEqual([
    'The name of a view must have 1 to 60 characters',
    true,
  ])
  // An emoji is one character, and what is around a name is none of it.
  await name.fill(`  ${'😀'.repeat(60)} `)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page
    .locator('.menu:popover-open')
    .getByRole('link', { name: '😀'.repeat(60) })
    .waitFor()
})

describe('a filter by one of several values', () => {
  const query = () => decodeURIComponent(new URL(page.url()).search)
  const rows = () => page.locator('tbody [scope=row]').allInnerTexts()

  test('takes several, at once, and its chip says them', async () => {
    await go()
    await filter('State').locator('summary').click()
    const panel = filter('State').locator('.panel')
    expect(await panel.getByRole('button', { name: 'Apply' }).isVisible()).toBe(false)
    await panel.getByRole('checkbox', { name: 'Draft' }).check()
    await expect.poll(chips).toEqual(['State: Draft'])
    await panel.getByRole('checkbox', { name: 'Sent' }).check()
    await expect.poll(chips).toEqual(['State: Draft, Sent'])
    expect([query(), await rows()]).toEqual(['?filter[state][]=draft&filter[state][]=sent', ['Order 3', 'Order 1']])
    await panel.getByRole('checkbox', { name: 'Draft' }).uncheck()
    await expect.poll(chips).toEqual(['State: Sent'])
    expect(await panel.isVisible()).toBe(true)
    expect(await flawsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Remove the filter State: Sent' }).click()
    await expect.poll(chips).toEqual([])
    await page.goBack()
    await expect.poll(chips).toEqual(['State: Sent'])
    // As links said it so far.
    await go(`${list}?filter[state]=paid`)
    await filter('State').locator('summary').click()
    expect(await panel.locator(':checked').count()).toBe(1)
    // A filter of another kind keeps it.
    await page.getByRole('searchbox').first().fill('Order')
    await expect.poll(query).toBe('?search=Order&filter[state][]=paid')
  })

  test('takes several without script, once they are applied', async () => {
    await open({ javaScriptEnabled: false })
    await go(`${list}?filter[state][]=draft&filter[state][]=paid`)
    expect(await chips()).toEqual(['State: Draft, Paid'])
    await filter('State').locator('summary').click()
    await filter('State').getByRole('checkbox', { name: 'Draft' }).uncheck()
    await filter('State').getByRole('checkbox', { name: 'Sent' }).check()
    await filter('State').getByRole('button', { name: 'Apply' }).click()
    expect([await chips(), await rows()]).toEqual([['State: Paid, Sent'], ['Order 3', 'Order 2']])
  })

  test('takes several on a phone, which are applied as a whole', async () => {
    await open({ viewport: { width: 360, height: 740 } })
    await go()
    await page.locator('.more > summary').click()
    await filter('State').locator('summary').click()
    await filter('State').getByRole('checkbox', { name: 'Draft' }).check()
    await filter('State').getByRole('checkbox', { name: 'Paid' }).check()
    await page.getByRole('button', { name: 'Show 2' }).click()
    await expect.poll(chips).toEqual(['State: Draft, Paid'])
    expect(await flawsOf(page)).toEqual([])
  })
})

describe('a filter whose value cannot be read', () => {
  const wrong = 'Total must be a number'
  const said = () => page.locator('.listing .control-group .error').allInnerTexts()
  const notice = () => page.locator('main > .notice').innerText()

  test('stays open with what was typed, and says what is wrong', async () => {
    await go()
    await filter('Total').locator('summary').click()
    await page.getByLabel('To', { exact: true }).filter({ visible: true }).fill('many')
    await page.keyboard.press('Enter')
    await expect.poll(said).toEqual([wrong])
    expect(await page.evaluate('[document.activeElement.value, document.activeElement.ariaInvalid]')).toEqual(['many', 'true'])
    expect(await notice()).toBe(`Not filtered by what cannot be read\n\n${wrong}`)
    expect(await flawsOf(page)).toEqual([])
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await expect.poll(chips).toEqual(['Total ≤ 5'])
    expect([await said(), await page.locator('main > .notice').count(), await page.locator('.filter[open]').count()]).toEqual([[], 0, 0])
  })

  test('does so on a phone', async () => {
    await open({ viewport: { width: 360, height: 740 } })
    await go()
    await page.locator('.more > summary').click()
    await filter('Total').locator('summary').click()
    await page.getByLabel('From', { exact: true }).filter({ visible: true }).fill('many')
    await page.keyboard.press('Enter')
    await expect.poll(said).toEqual([wrong])
    expect(await page.locator('.listing .control-group .error').isVisible()).toBe(true)
  })

  test('does so without script', async () => {
    await open({ javaScriptEnabled: false })
    await go(`${list}?filter[total][from]=many`)
    expect([await said(), await notice()]).toEqual([[wrong], `Not filtered by what cannot be read\n\n${wrong}`])
    expect(await page.getByLabel('From', { exact: true }).filter({ visible: true }).inputValue()).toBe('many')
    await go(`${list}?filter[total][from]=many&sort=nope`)
    expect(await notice()).toMatch(/^Part of this address was ignored/)
  })
})

test('an empty filter by a related record says that it is by any', async () => {
  await go()
  await page.locator('.more > summary').click()
  expect(await page.getByRole('combobox', { name: 'Agent' }).getAttribute('placeholder')).toBe('Any')
})
