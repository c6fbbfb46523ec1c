import { belongsTo, definePanel, defineResource, hasMany, id, number, refuse, text } from 'daymark'
import { integer, real, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const trips = sqliteTable('trips', { id: integer().primaryKey(), name: varchar().notNull() })
const stops = sqliteTable('stops', {
  id: varchar().primaryKey(),
  name: varchar().notNull(),
  tripId: integer('trip_id').references(() => trips.id),
  position: real().notNull().default(0),
})
const words = sqliteTable('words', { id: integer().primaryKey(), word: varchar().notNull(), place: integer().notNull() })

const fields = {
  id: id(),
  name: text('Name').sortable().searchable(),
  tripId: belongsTo('Trip', trips),
  position: number('Position').readOnly(),
}
const shared = {
  model: stops,
  fields,
  pages: { index: ['name', 'tripId'] },
  filters: ['name', 'tripId'],
  reorderable: 'position',
  canRecord: { update: ({ record }: { record: { name: string } }) => record.name !== 'fixed' },
  hooks: {
    beforeSave: ({ before }: { before: { name: string } | null }) => {
      if (before?.name === 'stuck') refuse('name', 'It is stuck')
    },
  },
} as const
const Trips = defineResource({ model: trips, title: 'Trips', fields: { id: id(), name: text('Name') }, related: [hasMany('stops')] })
const Stops = defineResource({ ...shared, title: 'Stops', itemsPerPage: 5 } as never)
const Back = defineResource({ ...shared, uriKey: 'back', sortColumn: 'position', sortDirection: 'DESC', clickAction: 'DETAIL' } as never)
const Plain = defineResource({ ...shared, uriKey: 'plain', isAsync: false } as never)
const Long = defineResource({
  model: words,
  title: 'Words',
  fields: { id: id(), word: text('Word'), place: number('Place') },
  pages: { index: ['word'] },
  reorderable: 'place',
  usePagination: false,
  stickyTable: true,
})

// Keys that an address or an attribute could stumble over.
const keys = ['a/b', 'c d', '"e"', 'ü', '5', '6', '7', '8']
const all = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

let client: Sqlite
let url: string
let context: BrowserContext
let page: Page
const open = ownBrowser({
  schema: `create table trips (id integer primary key, name text not null);
    create table stops (id text primary key, name text not null, trip_id integer references trips (id), position real not null default 0);
    create table words (id integer primary key, word text not null, place integer not null)`,
  panel: (database) =>
    definePanel({
      auth: 'open',
      database,
      resources: [Stops, Back, Plain, Trips, Long],
      log: () => {},
    } as never),
  before: (client) => {
    client.exec(`delete from stops; delete from trips; delete from words; insert into trips values (1, 'North'), (2, 'South')`)
    const stop = client.prepare('insert into stops values (?, ?, ?, ?)')
    for (const [i, name] of all.entries()) stop.run(keys[i], name, 1 + (i % 2), i + 1)
    const word = client.prepare('insert into words values (?, ?, ?)')
    for (let i = 1; i <= 200; i++) word.run(i, `word ${i}`, i)
  },
  opened: (given) => {
    ;({ client, url, context, page } = given)
  },
})

const go = (path: string) => page.goto(url + path)
const crud = (uri: string) => `/admin/resource/${uri}/crud`
const shown = (list = '') => page.locator(`${list} tbody .first`).allTextContents()
const stored = () => (client.prepare('select name from stops order by position, id').all() as { name: string }[]).map(({ name }) => name)
const grip = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
const row = (name: string) => page.locator('tbody tr', { has: page.getByText(name, { exact: true }) })
const loaded = () => page.evaluate(`performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/moves.js')).length`)
const isReady = () => expect.poll(loaded).toBe(1)
const settled = () => expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
const focused = () => page.evaluate('document.activeElement.ariaLabel')

/** Drags a row by its grip, to the upper or the lower half of another one. */
async function drag(name: string, to: string, half: 'upper' | 'lower', drop = true): Promise<void> {
  const [from, over] = [await grip(name).boundingBox(), await row(to).boundingBox()]
  if (!from || !over) throw new Error('There is nothing to drag')
  await page.mouse.move(from.x + 12, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(from.x + 12, over.y + over.height * (half === 'upper' ? 0.25 : 0.75), { steps: 6 })
  if (drop) await page.mouse.up()
}

/** Opens the menu of a row and picks one of its items. */
async function pick(name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('button', { name: item, exact: true }).locator('visible=true').click()
}

test('a row is dragged to another place, where it stays', async () => {
  await go(crud('trips'))
  await settled()
  expect(await loaded()).toBe(0)
  await go(crud('stops'))
  await isReady()
  expect(await shown()).toEqual(['one', 'two', 'three', 'four', 'five'])
  await page.getByRole('checkbox', { name: 'Select two' }).check()
  await drag('one', 'four', 'lower', false)
  expect(await page.locator('[data-drop]').getAttribute('data-drop')).toBe('after')
  expect(await row('one').getAttribute('data-lifted')).toBe('')
  // It is marked under the pointer, too, as what is selected is.
  const ground = (name: string) =>
    row(name)
      .locator('.first')
      .evaluate((cell) => cell.ownerDocument.defaultView?.getComputedStyle(cell).backgroundColor)
  const marked = await ground('two')
  expect(await ground('one')).toBe(marked)
  await row('one').hover()
  expect(await ground('one')).toBe(marked)
  await row('four').hover({ position: { x: 10, y: 30 } })
  await page.mouse.up()
  const expected = ['two', 'three', 'four', 'one', 'five']
  expect(await shown()).toEqual(expected)
  await expect.poll(stored).toEqual([...expected, 'six', 'seven', 'eight'])
  await settled()
  expect(await shown()).toEqual(expected)
  expect(await focused()).toBe('Move one')
  expect(await page.locator('[data-drop], [data-lifted], [data-lifting], .toast, .notice').count()).toBe(0)
  // What is selected has nothing to do with it.
  expect(await page.getByRole('checkbox', { name: 'Select two' }).isChecked()).toBe(true)
  await drag('five', 'two', 'upper')
  await expect.poll(async () => stored().slice(0, 2)).toEqual(['five', 'two'])
  await page.reload()
  expect(await shown()).toEqual(['five', 'two', 'three', 'four', 'one'])
})

test('a drag that ends where it began, or that is given up, moves nothing', async () => {
  await go(crud('stops'))
  await isReady()
  const asked: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && asked.push(request.url()))
  await drag('two', 'one', 'lower')
  await drag('two', 'three', 'upper')
  await drag('two', 'two', 'lower')
  await drag('two', 'five', 'lower', false)
  await page.keyboard.press('Escape')
  expect(await page.locator('[data-drop], [data-lifted], [data-lifting]').count()).toBe(0)
  await page.mouse.up()
  await grip('two').click()
  // Its record was deleted meanwhile, by somebody else, and the list has been refreshed.
  for (const how of ['pointer', 'keyboard']) {
    if (how === 'pointer') await drag('one', 'four', 'lower', false)
    else {
      await grip('one').focus()
      await page.keyboard.press('Space')
    }
    await page.evaluate("document.querySelector('[data-lifted]').remove()")
    if (how === 'pointer') await page.mouse.up()
    else for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    expect(await shown()).toEqual(['two', 'three', 'four', 'five'])
    expect(await page.locator('[data-drop], [data-lifted], [data-lifting]').count()).toBe(0)
    await page.reload()
    await isReady()
  }
  expect([asked, await shown(), stored()]).toEqual([[], all.slice(0, 5), all])
})

test('the keyboard picks a row up, moves it and puts it down, and says where it is', async () => {
  await go(crud('stops'))
  await isReady()
  const said = () => page.evaluate(`[...document.querySelectorAll('[aria-live]')].map(({ textContent }) => textContent.trim()).join()`)
  await grip('two').focus()
  expect(await page.evaluate(`document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent`)).toMatch(
    /^Space/,
  )
  await page.keyboard.press('Space')
  expect(await grip('two').getAttribute('aria-pressed')).toBe('true')
  expect(await said()).toContain('Place 2 of 5')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await said()).toContain('Place 4 of 5')
  expect([await shown(), await focused()]).toEqual([['one', 'three', 'four', 'two', 'five'], 'Move two'])
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  expect(await shown()).toEqual(['two', 'one', 'three', 'four', 'five'])
  expect(stored()).toEqual(all)
  await page.keyboard.press('Enter')
  await expect.poll(() => stored()[0]).toBe('two')
  await settled()
  expect([await focused(), await grip('two').getAttribute('aria-pressed')]).toEqual(['Move two', null])

  // Escape leaves it where it was, and so does the Tab key.
  for (const key of ['Escape', 'Tab']) {
    await grip('three').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowUp')
    expect((await shown())[1]).toBe('three')
    await page.keyboard.press(key)
    expect((await shown())[2]).toBe('three')
    expect(await page.locator('[data-lifted]').count()).toBe(0)
  }
  // Without a row picked up, arrows move between rows as ever.
  await grip('three').focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate(`document.activeElement.dataset.key`)).toBe('ü')
})

test('the menu moves a row by one, to the ends, and beyond the page', async () => {
  await go(crud('stops'))
  await isReady()
  await pick('two', 'Move up')
  await expect.poll(() => stored().slice(0, 2)).toEqual(['two', 'one'])
  await settled()
  await page.getByRole('button', { name: 'Actions for two' }).click()
  expect(await page.locator('.menu:popover-open button:has-text("Move")').allTextContents()).toEqual(['Move down', 'Move to the end'])
  await page.keyboard.press('Escape')
  await pick('five', 'Move down')
  await expect.poll(() => stored().slice(4, 6)).toEqual(['six', 'five'])
  await settled()
  expect(await shown()).toEqual(['two', 'one', 'three', 'four', 'six'])
  await go(`${crud('stops')}?page=2`)
  expect(await shown()).toEqual(['five', 'seven', 'eight'])
  await pick('five', 'Move up')
  await expect.poll(() => stored().slice(4, 6)).toEqual(['five', 'six'])
  await settled()
  await pick('eight', 'Move to the top')
  await expect.poll(() => stored()[0]).toBe('eight')
  await settled()
  await page.getByRole('button', { name: 'Actions for seven' }).click()
  expect(await page.locator('.menu:popover-open button:has-text("Move")').allTextContents()).toEqual(['Move up', 'Move to the top'])
})

test('a list that is filtered or read from its end moves rows as it shows them', async () => {
  await go(`${crud('stops')}?filter[tripId]=1`)
  await isReady()
  expect(await shown()).toEqual(['one', 'three', 'five', 'seven'])
  await drag('seven', 'three', 'upper')
  await expect.poll(stored).toEqual(['one', 'two', 'seven', 'three', 'four', 'five', 'six', 'eight'])
  await settled()
  expect(await shown()).toEqual(['one', 'seven', 'three', 'five'])

  await go(crud('back'))
  await isReady()
  expect((await shown()).slice(0, 3)).toEqual(['eight', 'six', 'five'])
  await drag('eight', 'five', 'lower')
  await expect.poll(() => stored().slice(-3)).toEqual(['eight', 'five', 'six'])
  await settled()
  expect((await shown()).slice(0, 3)).toEqual(['six', 'five', 'eight'])
  await pick('five', 'Move to the top')
  await expect.poll(() => stored().at(-1)).toBe('five')
  await settled()
  await pick('six', 'Move down')
  await expect.poll(() => stored().slice(-3)).toEqual(['six', 'eight', 'five'])
  await settled()

  // In another order there is nothing to take hold of, but a way back.
  await go(`${crud('stops')}?sort=-name&page=2`)
  expect(await page.locator('.grip').count()).toBe(0)
  await page.locator('[popovertarget$="-options"]').click()
  await page.getByRole('link', { name: 'Order of the records' }).click()
  await page.locator('.grip').first().waitFor()
  expect(new URL(page.url()).search).toBe('')
  // The script came with the list.
  await isReady()
  await drag('two', 'one', 'upper')
  await expect.poll(() => stored()[0]).toBe('two')
})

test('a row that may not be moved goes back, and the page says why', async () => {
  client.exec(`update stops set name = 'stuck' where name = 'three'; update stops set name = 'fixed' where name = 'four'`)
  await go(crud('stops'))
  await isReady()
  expect(await grip('fixed').count()).toBe(0)
  await drag('stuck', 'one', 'upper')
  await page.locator('.listing > .notice', { hasText: 'It is stuck' }).waitFor()
  expect([await shown(), await focused()]).toEqual([['one', 'two', 'stuck', 'fixed', 'five'], 'Move stuck'])

  // Where the session has ended, the way to sign in is beside the reason, and back to here.
  await page.evaluate("document.body.dataset.login = '/admin/login'")
  await page.route('**/place', (route) =>
    route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"message":"Sign in first"}' }),
  )
  await drag('two', 'one', 'upper')
  const way = page.locator('.listing > .notice').getByRole('link', { name: 'Sign in' })
  expect(await way.getAttribute('href')).toBe(`/admin/login?to=${encodeURIComponent(crud('stops'))}`)
  expect((await shown()).slice(0, 2)).toEqual(['one', 'two'])
  await page.unroute('**/place')

  await context.setOffline(true)
  await drag('two', 'one', 'upper')
  await page.locator('.listing > .notice', { hasText: 'cannot be reached' }).waitFor()
  expect(await shown()).toEqual(['one', 'two', 'stuck', 'fixed', 'five'])
  await context.setOffline(false)
  await drag('two', 'one', 'upper')
  await expect.poll(() => stored()[0]).toBe('two')
  await settled()
  expect(await page.locator('.listing > .notice').count()).toBe(0)
})

test('lists of related records, and lists without script of their own, are moved too', async () => {
  await go(`${crud('trips')}/2`)
  await isReady()
  const list = '.listing:has(.grip)'
  expect(await shown(list)).toEqual(['two', 'four', 'six', 'eight'])
  await drag('eight', 'four', 'upper')
  await expect.poll(stored).toEqual(['one', 'two', 'three', 'eight', 'four', 'five', 'six', 'seven'])
  await settled()
  expect(await shown(list)).toEqual(['two', 'eight', 'four', 'six'])
  await pick('six', 'Move up')
  await expect.poll(stored).toEqual(['one', 'two', 'three', 'eight', 'six', 'four', 'five', 'seven'])

  await go(crud('plain'))
  await isReady()
  await drag('seven', 'one', 'upper')
  await page.getByText('seven saved').waitFor()
  expect((await shown())[0]).toBe('seven')
})

test('a finger drags a row, and scrolls nothing', async () => {
  await open({ viewport: { width: 390, height: 600 }, hasTouch: true, isMobile: true })
  await go(crud('stops'))
  await isReady()
  const devtools = await context.newCDPSession(page)
  const [from, over] = [await grip('five').boundingBox(), await row('two').boundingBox()]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: (from?.x ?? 0) + 15, y }] })
  const [start, end] = [(from?.y ?? 0) + 20, (over?.y ?? 0) + 10]
  await touch('touchStart', start)
  for (let i = 1; i <= 6; i++) await touch('touchMove', start + ((end - start) * i) / 6)
  await expect.poll(() => row('two').getAttribute('data-drop')).toBe('before')
  await touch('touchEnd', end)
  await expect.poll(() => stored().slice(0, 3)).toEqual(['one', 'five', 'two'])
  expect(await page.evaluate('scrollY')).toBe(0)
})

test('a long list scrolls while a row is dragged to its edge', async () => {
  await go(crud('words'))
  await isReady()
  // Its cells lie side by side, though none is pinned.
  const sides = `(() => { const [a, b] = document.querySelectorAll('tbody tr:nth-child(2) > :is(.move, .pick, .first)'); return [a, b].map((one) => one.getBoundingClientRect()) })()`
  const [left, right] = (await page.evaluate(sides)) as readonly { left: number; right: number }[]
  expect([left?.right, (left?.right ?? 0) - (left?.left ?? 0)]).toEqual([right?.left, 36])
  const from = await grip('word 2').boundingBox()
  const box = await page.locator('.scroller').boundingBox()
  if (!from || !box) throw new Error('There is no list')
  await page.mouse.move(from.x + 12, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(from.x + 12, box.y + box.height - 10, { steps: 5 })
  await expect.poll(() => page.evaluate(`document.querySelector('.scroller').scrollTop`)).toBeGreaterThan(1500)
  await page.mouse.move(from.x + 12, box.y + box.height / 2)
  await page.waitForTimeout(100)
  const before = await page.locator('[data-drop]').getAttribute('data-key')
  const side = await page.locator('[data-drop]').getAttribute('data-drop')
  expect(Number(before)).toBeGreaterThan(30)
  await page.mouse.up()
  const near = () => {
    const order = (client.prepare('select id from words order by place, id').all() as { id: number }[]).map(({ id }) => id)
    return order[order.indexOf(2) + (side === 'before' ? 1 : -1)]
  }
  await expect.poll(near).toBe(Number(before))
})

test('in a long list, the row that is put back or moved by its menu stays in view, and so does the focus', async () => {
  await go(crud('words'))
  await isReady()
  const inView = `(() => { const [box, row] = [document.querySelector('.scroller'), document.activeElement.closest('tr')].map((one) => one?.getBoundingClientRect()); return row !== undefined && row.top >= box.top + 36 && row.bottom <= box.bottom })()`
  await grip('word 4').focus()
  for (const key of ['Space', 'End']) await page.keyboard.press(key)
  expect(await page.evaluate(`document.querySelector('.scroller').scrollTop`)).toBeGreaterThan(1500)
  await page.keyboard.press('Escape')
  expect([await focused(), await page.evaluate(inView)]).toEqual(['Move word 4', true])
  await page.getByRole('link', { name: 'Actions for word 4', exact: true }).click()
  await page.getByRole('button', { name: 'Move up', exact: true }).click()
  await expect.poll(async () => (await shown()).slice(0, 4)).toEqual(['word 1', 'word 2', 'word 4', 'word 3'])
  await settled()
  expect([await focused(), await page.evaluate(inView)]).toEqual(['Actions for word 4', true])
})

test('without script, the menus move rows, and there is nothing to take hold of', async () => {
  await open({ javaScriptEnabled: false })
  await go(crud('stops'))
  expect(await page.locator('.grip').first().isVisible()).toBe(false)
  await pick('three', 'Move up')
  await page.getByText('three saved').waitFor()
  expect(stored().slice(0, 3)).toEqual(['one', 'three', 'two'])
  await go(`${crud('stops')}?page=2`)
  await pick('six', 'Move up')
  await page.getByText('six saved').waitFor()
  expect([await shown(), stored().slice(4, 6)]).toEqual([
    ['five', 'seven', 'eight'],
    ['six', 'five'],
  ])
})

test.each([
  ['in the light', { colorScheme: 'light' }],
  ['in the dark', { colorScheme: 'dark' }],
  ['on a phone', { viewport: { width: 360, height: 740 } }],
  ['in forced colours', { forcedColors: 'active' }],
] as const)('axe finds nothing %s', async (_, options) => {
  await open(options as BrowserContextOptions)
  await go(crud('stops'))
  await isReady()
  await grip('two').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  expect(await flawsOf(page)).toEqual([])
})
