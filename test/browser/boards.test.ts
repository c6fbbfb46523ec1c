import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'
import { fill, panelOver, schema } from './boards-world.js'

let client: Sqlite
let url: string
let context: BrowserContext
let page: Page
const openAgain = ownBrowser({
  schema,
  panel: panelOver,
  before: fill,
  opened: (given) => {
    ;({ client, url, context, page } = given)
  },
})

const go = (query = '?view=board', uri = 'tasks') => page.goto(`${url}/admin/resource/${uri}/crud${query}`)
const column = (name: string) => page.locator('.column', { has: page.locator('h2 .badge', { hasText: name }) })
const cards = (name: string) => column(name).locator('.name > :first-child').allTextContents()
const card = (title: string) => page.locator('.board li', { hasText: title })
const stored = (title: string) => (client.prepare('select status from tasks where title = ?').get(title) as { status: string }).status
const settled = () => expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
const toast = () => page.locator('.toast').innerText()
const loaded = () => page.evaluate(`performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/dragging.js')).length`)
const isReady = () => expect.poll(loaded).toBe(1)

/** Takes hold of a card and moves it over the head of a column, without letting go. */
async function drag(title: string, to: string, at = 'dl'): Promise<void> {
  await card(title).scrollIntoViewIfNeeded()
  const [from, over] = [await card(title).locator(at).boundingBox(), await column(to).locator('h2').boundingBox()]
  if (!from || !over) throw new Error('They are not on the page')
  await page.mouse.move(from.x + 4, from.y + 4)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.move(over.x + 40, over.y + 10, { steps: 4 })
}

describe('a board', () => {
  test('is drawn by the server, with links to its records and to the rest of a column', async () => {
    for (let i = 0; i < 9; i++) client.exec(`insert into tasks (title, status) values ('Dive ${i}', 'open')`)
    await go()
    expect(await page.locator('.column h2').allInnerTexts()).toEqual(['Open\n12', 'In work\n2', 'Under review\n0', 'Done\n1'])
    expect(await cards('Open')).toEqual(['Answer letters', 'Dive 0', 'Dive 1', 'Dive 2', 'Dive 3'])
    await column('Open').getByRole('link', { name: 'Show 7 more' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(12)
    expect(new URL(page.url()).search).toBe('?filter%5Bstatus%5D=open')
    await page.goBack()
    await expect.poll(() => cards('Done')).toEqual(['Sound the harbour'])
    await page.getByRole('link', { name: 'Sound the harbour' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sound the harbour' }).waitFor()
  })

  test('a card is dragged to a column, which saves it', async () => {
    await go()
    await isReady()
    await drag('Answer letters', 'In work')
    expect(await page.locator('.dragged').count()).toBe(1)
    expect(await page.locator('[data-takes]').count()).toBe(1)
    expect(await column('In work').getAttribute('data-drop')).toBe('')
    await page.mouse.up()
    await expect.poll(() => stored('Answer letters')).toBe('doing')
    await settled()
    expect(await cards('In work')).toHaveLength(3)
    expect(await column('In work').locator('.total').innerText()).toBe('3')
    expect(await page.locator('.dragged').count()).toBe(0)
    // It goes on from there: what its menu offers is new.
    await drag('Answer letters', 'Under review')
    await page.mouse.up()
    await expect.poll(() => stored('Answer letters')).toBe('review')
  })

  test('where a record does not lead, it cannot be dropped; nor can one that may not be changed be lifted', async () => {
    await go()
    await isReady()
    await drag('Answer letters', 'Done')
    expect(await page.locator('[data-drop]').count()).toBe(0)
    await page.mouse.up()
    expect(await cards('Open')).toContain('Answer letters')
    await drag('Sound the harbour', 'Open')
    expect(await page.locator('.dragged').count()).toBe(0)
    await page.mouse.up()
    await drag('Fixed', 'In work', '.name')
    expect(await page.locator('.dragged').count()).toBe(0)
    await page.mouse.up()
    expect(await card('Fixed').locator('.menu button').allTextContents()).toEqual(['Delete'])
    // Neither was a click on a link.
    expect(new URL(page.url()).search).toBe('?view=board')
    expect(stored('Answer letters')).toBe('open')
  })

  test('Escape lets go of a card, and a click on its link after a drag opens nothing', async () => {
    await go()
    await isReady()
    await drag('Answer letters', 'In work')
    await page.keyboard.press('Escape')
    expect(await page.locator('.dragged, [data-takes], [data-lifted]').count()).toBe(0)
    await page.mouse.up()
    expect(stored('Answer letters')).toBe('open')
    const from = await card('Answer letters').getByRole('link', { name: 'Answer letters' }).boundingBox()
    await page.mouse.move((from?.x ?? 0) + 4, (from?.y ?? 0) + 4)
    await page.mouse.down()
    await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) + 14, { steps: 3 })
    await page.mouse.up()
    expect(await page.locator('.board').count()).toBe(1)
  })

  test('a move that is refused says why, and the card is back', async () => {
    await go()
    await isReady()
    await drag('Stuck', 'In work')
    await page.mouse.up()
    await expect.poll(toast).toContain('It is stuck')
    await settled()
    expect(await cards('Open')).toContain('Stuck')
    expect(stored('Stuck')).toBe('open')
  })

  test('what somebody else has moved meanwhile is shown where it is', async () => {
    await go()
    await isReady()
    client.exec(`update tasks set status = 'done' where title = 'Answer letters'`)
    await drag('Answer letters', 'In work')
    await page.mouse.up()
    await expect.poll(toast).toContain('changed')
    await expect.poll(() => cards('Done')).toEqual(['Answer letters', 'Sound the harbour'])
    expect(stored('Answer letters')).toBe('done')
  })

  test('without network, a card goes back, and the page says why', async () => {
    await go()
    await isReady()
    await context.route('**/update-field/**', (route) => route.abort())
    await drag('Answer letters', 'In work')
    await page.mouse.up()
    await expect.poll(toast).not.toBe('')
    await expect.poll(() => cards('Open')).toContain('Answer letters')
  })

  test('a move fires the events of the field, once it is saved, and events read cards again', async () => {
    await go()
    await isReady()
    const key = (title: string) => (client.prepare('select id from tasks where title = ?').get(title) as { id: number }).id
    const [letters, stuck] = [key('Answer letters'), key('Stuck')]
    await page.evaluate(
      `window.heard = []; for (const one of [${letters}, ${stuck}]) addEventListener('moved-' + one, ({ type }) => heard.push(type))`,
    )
    await drag('Stuck', 'In work')
    await page.mouse.up()
    await expect.poll(toast).toContain('It is stuck')
    await settled()
    await drag('Answer letters', 'In work')
    await page.mouse.up()
    await expect.poll(() => page.evaluate('heard')).toEqual([`moved-${letters}`])
    client.exec(`update tasks set title = 'Answer all letters' where id = ${letters}`)
    await page.evaluate(`dispatchEvent(new CustomEvent('table-row-updated-index-table-tasks-${letters}'))`)
    await expect.poll(() => cards('In work')).toContain('Answer all letters')
  })

  test('the keyboard moves a card by its menu, and stays with it', async () => {
    await go()
    await isReady()
    await page.getByRole('button', { name: 'Actions for Paint the beacon' }).focus()
    await page.keyboard.press('Enter')
    for (const name of ['View', 'Edit', 'Open', 'Under review']) {
      await page.keyboard.press('ArrowDown')
      expect(await page.evaluate('document.activeElement.textContent')).toBe(name)
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => stored('Paint the beacon')).toBe('review')
    await settled()
    expect(await cards('Under review')).toEqual(['Paint the beacon'])
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Actions for Paint the beacon')
    await expect.poll(toast).toContain('Saved')
  })

  test('a card that is moved is in view where its column has sorted it, by pointer and by keyboard', async () => {
    for (let i = 10; i < 40; i++) client.exec(`insert into tasks (title, status) values ('Dive ${i}', 'doing')`)
    const add = (title: string) => client.prepare("insert into tasks (title, status) values (?, 'open')").run(title)
    for (const title of ['Yachts', 'Zenith']) add(title)
    await go('?view=long')
    await isReady()
    const isInView = (title: string) =>
      card(title).evaluate((one) => {
        const [{ top, bottom }, column] = [one.getBoundingClientRect(), one.closest('.column')?.getBoundingClientRect()]
        return top >= (column?.top ?? 0) && bottom <= (column?.bottom ?? 0) + 1
      })
    await drag('Yachts', 'In work', '.name')
    await page.mouse.up()
    await expect.poll(() => stored('Yachts')).toBe('doing')
    await settled()
    expect((await cards('In work')).at(-1)).toBe('Yachts')
    await expect.poll(() => isInView('Yachts')).toBe(true)
    await column('In work').evaluate((one) => {
      one.scrollTop = 0
    })
    await page.getByRole('button', { name: 'Actions for Zenith' }).press('Enter')
    await card('Zenith').getByRole('button', { name: 'In work' }).press('Enter')
    await expect.poll(() => stored('Zenith')).toBe('doing')
    await settled()
    await expect.poll(() => isInView('Zenith')).toBe(true)
  })

  test('a finger that moves at once drags nothing, and one that holds a card does', async () => {
    // As high as the page, which then stays where it is.
    await openAgain({ hasTouch: true, viewport: { width: 1000, height: 1200 } })
    await go()
    await isReady()
    const session = await context.newCDPSession(page)
    const [from, over] = [await card('Answer letters').locator('dl').boundingBox(), await column('In work').locator('h2').boundingBox()]
    if (!from || !over) throw new Error('They are not on the page')
    const touch = (type: string, x: number, y: number) =>
      session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    await touch('touchStart', from.x + 9, from.y + 9)
    await touch('touchMove', from.x + 9, from.y - 20)
    expect(await page.locator('.dragged').count()).toBe(0)
    await touch('touchEnd', 0, 0)
    // A finger that comes while a column glides on only stops it.
    await page.waitForTimeout(500)
    await touch('touchStart', from.x + 9, from.y + 9)
    await page.locator('.dragged').waitFor()
    for (const part of [0.3, 0.6, 1])
      await touch('touchMove', from.x + part * (over.x + 30 - from.x), from.y + part * (over.y + 9 - from.y))
    await touch('touchEnd', 0, 0)
    await expect.poll(() => stored('Answer letters')).toBe('doing')
  })

  test('searches and filters without a page load, and stays a board', async () => {
    await go()
    await page.evaluate('window.same = true')
    await page.getByRole('searchbox').fill('beacon')
    await expect.poll(() => cards('In work')).toEqual(['Paint the beacon'])
    expect(new URL(page.url()).searchParams.get('view')).toBe('board')
    await page.getByRole('link', { name: 'With a day' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('query-tag')).toBe('dated')
    expect(await cards('In work')).toEqual(['Paint the beacon'])
    expect(await page.evaluate('window.same')).toBe(true)
    await page.getByRole('link', { name: 'Table', exact: true }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  })

  test('a list whose controls are plain links is moved by page loads', async () => {
    await go('?view=board', 'plain')
    expect(await loaded()).toBe(0)
    await page.getByRole('button', { name: 'Actions for Answer letters' }).click()
    await page.getByRole('button', { name: 'In work' }).click()
    await expect.poll(() => cards('In work')).toContain('Answer letters')
    expect(new URL(page.url()).search).toBe('?view=board')
  })
})

describe('a long board', () => {
  beforeEach(async () => {
    for (let i = 0; i < 60; i++)
      client.exec(
        `insert into tasks (title, status, hours) values ('Dive ${String(i).padStart(2, '0')}', '${i % 2 ? 'open' : 'doing'}', 1)`,
      )
  })
  const scrolled = (number: number) => page.evaluate(`document.querySelectorAll('.column')[${number}].scrollTop`)
  const isInView = () => page.evaluate('document.documentElement.scrollHeight <= innerHeight')

  test('is as high as the window, and the heads of its columns stay', async () => {
    await go('?view=long')
    expect(await isInView()).toBe(true)
    const head = await column('Open').locator('h2').boundingBox()
    await column('Open').hover()
    await page.mouse.wheel(0, 600)
    await expect.poll(() => scrolled(0)).toBeGreaterThan(400)
    expect(await column('Open').locator('h2').boundingBox()).toEqual(head)
    expect(await scrolled(1)).toBe(0)
    expect(await flawsOf(page)).toEqual([])
  })

  test('scrolls while a card is held near an edge: the column below it, and the board sideways', async () => {
    await page.setViewportSize({ width: 800, height: 700 })
    await go('?view=long')
    await isReady()
    const box = await column('In work').boundingBox()
    await drag('Answer letters', 'In work', '.name')
    if (!box) throw new Error('It is not on the page')
    await page.mouse.move(box.x + 80, box.y + box.height - 20, { steps: 3 })
    await expect.poll(() => scrolled(1)).toBeGreaterThan(200)
    expect(await scrolled(0)).toBe(0)
    await page.mouse.move(box.x + 80, box.y + 20, { steps: 3 })
    await expect.poll(() => scrolled(1)).toBe(0)
    await page.mouse.move(770, box.y + 200, { steps: 3 })
    await expect.poll(() => page.evaluate(`document.querySelector('.board').scrollLeft`)).toBeGreaterThan(100)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(stored('Answer letters')).toBe('open')
  })

  test('on a phone, columns snap, and scroll below their heads', async () => {
    await openAgain({ viewport: { width: 390, height: 740 } })
    await go('?view=long')
    expect(await isInView()).toBe(true)
    await page.evaluate(`document.querySelector('.board').scrollTo(250, 0)`)
    await expect.poll(async () => Math.round((await column('In work').boundingBox())?.x ?? 0)).toBe(8)
  })
})

describe('the menu of a card', () => {
  const menuOf = (title: string) => card(title).locator('.menu')
  const opened = async (title: string) => {
    await page.getByRole('button', { name: `Actions for ${title}` }).click()
    return menuOf(title)
  }

  test('has what a row of the table has, beside the moves', async () => {
    await go()
    const menu = await opened('Answer letters')
    expect(await menu.locator(':scope :is(a, button)').allTextContents()).toEqual(['View', 'Edit', 'In work', 'Delete'])
    await menu.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { level: 1, name: 'Answer letters' }).waitFor()
    await page.goBack()
    await (await opened('Answer letters')).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => cards('Open')).toEqual(['Fixed', 'Stuck'])
    await settled()
    expect(new URL(page.url()).search).toBe('?view=board')
    expect(client.prepare(`select count(*) as n from tasks where title = 'Answer letters'`).get()).toMatchObject({ n: 0 })
  })

  test('of many columns, a script has the moves from their heads', async () => {
    await go('', 'floors')
    expect(await page.locator('form button[name=value]').count()).toBe(0)
    const menu = await opened('Answer letters')
    expect(await menu.locator('form button').allTextContents()).toHaveLength(20)
    await menu.getByRole('button', { name: 'Floor 12', exact: true }).click()
    await expect.poll(() => client.prepare(`select hours from tasks where title = 'Answer letters'`).get()).toMatchObject({ hours: 12 })
  })
})

describe('a new record', () => {
  test('is created in a column, and the same board comes back', async () => {
    await go('?view=board&search=letter')
    await page.getByRole('link', { name: 'New: Under review' }).click()
    expect(await page.getByLabel('Status').inputValue()).toBe('review')
    await page.getByLabel('Title').fill('Read letters')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL('**/crud?view=board&search=letter')
    expect(await cards('Under review')).toEqual(['Read letters'])
  })

  test('is created on a day of a calendar, in the morning', async () => {
    await go('?view=hours&month=2026-11')
    await page.locator('td', { has: page.locator('time[datetime="2026-11-18"]') }).hover()
    await page.getByRole('link', { name: 'New: Wednesday, November 18' }).click()
    expect(await page.getByLabel('Starts').inputValue()).toBe('2026-11-18T09:00')
    await page.getByLabel('Title').fill('Read letters')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL('**/crud?view=hours&month=2026-11')
    expect(await entriesOf('2026-11-18')).toEqual(['9:00 AM Read letters'])
  })
})

const day = (text: string) => page.locator('td', { has: page.locator(`time[datetime="${text}"]`) })
const entriesOf = (text: string) => day(text).locator('.entry').allInnerTexts()
const due = (title: string) =>
  client.prepare('select due, starts_at from tasks where title = ?').get(title) as { due: string; starts_at: number }

/** Takes hold of an entry and moves it over a day, without letting go. */
async function dragTo(title: string, to: string): Promise<void> {
  const [from, over] = [await page.locator('.entry', { hasText: title }).boundingBox(), await day(to).boundingBox()]
  if (!from || !over) throw new Error('They are not on the page')
  await page.mouse.move(from.x + 8, from.y + 6)
  await page.mouse.down()
  await page.mouse.move(from.x + 24, from.y + 10)
  await page.mouse.move(over.x + 30, over.y + 50, { steps: 4 })
}

describe('a calendar', () => {
  test('the only record of a day has two lines for its name, and one among others one', async () => {
    const long = 'Answer all of the letters that nobody has answered so far'
    client.exec(`update tasks set title = '${long}' where title = 'Answer letters'`)
    await go('?view=calendar&month=2026-11')
    const entry = page.locator('.calendar .entry', { hasText: long })
    const height = async () => (await entry.boundingBox())?.height ?? 0
    expect(await entry.getAttribute('title')).toBe(long)
    expect(await height()).toBeGreaterThan(36)
    expect(await height()).toBeLessThan(48)
    client.exec(`update tasks set due = '2026-11-03'`)
    await page.reload()
    expect(await height()).toBeLessThan(28)
  })

  test('a record is dragged to another day, which saves it', async () => {
    await go('?view=calendar&month=2026-11')
    await isReady()
    await dragTo('Answer letters', '2026-11-05')
    expect(await page.locator('[data-drop]').count()).toBe(1)
    await page.mouse.up()
    await expect.poll(() => due('Answer letters').due).toBe('2026-11-05')
    await settled()
    expect(await entriesOf('2026-11-05')).toEqual(['Answer letters'])
    expect(await entriesOf('2026-11-03')).toEqual([])
    expect(await page.locator('.dragged, form[hidden]').count()).toBe(0)
    // To where it is already, it is not moved.
    await dragTo('Answer letters', '2026-11-05')
    expect(await page.locator('[data-drop]').count()).toBe(0)
    await page.mouse.up()
    expect(new URL(page.url()).search).toBe('?view=calendar&month=2026-11')
  })

  test('a time keeps its time of day, also where the clocks have changed between', async () => {
    client.exec(`update tasks set starts_at = unixepoch('2026-10-22T12:30:20Z') where title = 'Answer letters'`)
    await go('?view=hours&month=2026-10')
    await isReady()
    await dragTo('Answer letters', '2026-10-27')
    await page.mouse.up()
    await expect.poll(() => due('Answer letters').starts_at).toBe(Date.parse('2026-10-27T13:30:20Z') / 1000)
    await settled()
    expect(await entriesOf('2026-10-27')).toEqual(['2:30 PM Answer letters'])
  })

  test('to where the clocks skip its time of day, it is not moved, and a message says why', async () => {
    client.exec(`update tasks set starts_at = unixepoch('2026-03-24T01:30:00Z') where title = 'Answer letters'`)
    await go('?view=hours&month=2026-03')
    await isReady()
    await dragTo('Answer letters', '2026-03-29')
    await page.mouse.up()
    await expect.poll(toast).toContain('Europe/Berlin')
    await settled()
    expect(await entriesOf('2026-03-24')).toEqual(['2:30 AM Answer letters'])
  })

  test('what somebody else has moved meanwhile is shown where it is, and who may not change it cannot drag it', async () => {
    client.exec(`update tasks set due = '2026-11-10' where title = 'Fixed'`)
    await go('?view=calendar&month=2026-11')
    await isReady()
    client.exec(`update tasks set due = '2026-11-20' where title = 'Answer letters'`)
    await dragTo('Answer letters', '2026-11-05')
    await page.mouse.up()
    await expect.poll(toast).toContain('changed')
    await expect.poll(() => entriesOf('2026-11-20')).toEqual(['Answer letters'])
    await settled()
    await dragTo('Fixed', '2026-11-05')
    expect(await page.locator('.dragged').count()).toBe(0)
    await page.mouse.up()
  })

  test('without network, a record goes back to its day', async () => {
    await go('?view=calendar&month=2026-11')
    await isReady()
    await context.route('**/update-field/**', (route) => route.abort())
    await dragTo('Answer letters', '2026-11-05')
    await page.mouse.up()
    await expect.poll(toast).not.toBe('')
    await expect.poll(() => entriesOf('2026-11-03')).toEqual(['Answer letters'])
    expect(due('Answer letters').due).toBe('2026-11-03')
  })

  test('of a week, which day it is stays in view while its records scroll', async () => {
    for (let i = 1; i <= 40; i++) client.exec(`insert into tasks (title, due) values ('Dive ${i}', '2026-11-03')`)
    await go('?view=calendar&week=2026-11-03')
    const number = day('2026-11-03').locator('.day')
    await number.hover()
    await page.mouse.wheel(0, 700)
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(400)
    const weekday = await page.locator('.calendar thead th').first().boundingBox()
    expect(weekday?.y).toBe(0)
    expect((await number.boundingBox())?.y).toBe(weekday?.height)
  })

  test('on a phone, it begins with today', async () => {
    const today = new Date()
    const month = today.toISOString().slice(0, 7)
    for (let i = 1; i <= 28; i++)
      client.exec(`insert into tasks (title, due) values ('Dive ${i}', '${month}-${String(i).padStart(2, '0')}')`)
    await openAgain({ viewport: { width: 390, height: 500 } })
    for (const query of ['?view=calendar', '?view=calendar#today']) {
      await go(query)
      expect(await page.evaluate(`document.querySelector('#today').getBoundingClientRect().top < innerHeight`), query).toBe(true)
    }
    // On a desktop, the page begins with its heading.
    await openAgain()
    await go('?view=calendar#today')
    expect(await page.evaluate('scrollY')).toBe(0)
  })
})

describe('without script', () => {
  beforeEach(() => openAgain({ javaScriptEnabled: false }))

  test('a card is moved by its menu, and the board comes back', async () => {
    await go('?view=board&search=a')
    await page.getByRole('button', { name: 'Actions for Answer letters' }).click()
    await page.locator('.menu:popover-open').getByRole('button', { name: 'In work' }).click()
    await page.waitForURL('**/crud?view=board&search=a')
    expect(await cards('In work')).toContain('Answer letters')
    expect(stored('Answer letters')).toBe('doing')
  })

  test('today is marked in forced colours, too', async () => {
    await openAgain({ forcedColors: 'active' })
    await go('?view=calendar')
    const [today, current] = (await page.evaluate(
      "['.today .number', '.view-switch [aria-current]'].map((one) => getComputedStyle(document.querySelector(one)).backgroundColor)",
    )) as [string, string]
    expect(today).toBe(current)
    const other = "getComputedStyle(document.querySelector('td:not(.today) .number')).backgroundColor"
    expect(await page.evaluate(other)).not.toBe(current)
  })

  test('on a phone, Tab goes from the title to what stands beside it, and then to the views below', async () => {
    await openAgain({ viewport: { width: 390, height: 740 } })
    await go()
    const [add, views] = await Promise.all(['.heading .primary', '.view-switch'].map((one) => page.locator(one).boundingBox()))
    expect(views?.y).toBeGreaterThanOrEqual((add?.y ?? 0) + (add?.height ?? 0))
    await page.locator('.heading .primary').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.matches('.view-switch a:first-child')")).toBe(true)
  })

  test('a calendar goes to other months, to its records and to the rest of a day', async () => {
    for (let i = 0; i < 6; i++) client.exec(`insert into tasks (title, status, due) values ('Dive ${i}', 'open', '2026-11-24')`)
    await go('?view=calendar&month=2026-11')
    await page.getByRole('link', { name: 'Previous month' }).click()
    expect(await page.locator('.entry').allInnerTexts()).toEqual(['Sound the harbour'])
    expect(await page.locator('.months h2').innerText()).toBe('October 2026')
    await page.getByRole('link', { name: 'Next month' }).click()
    await page.getByRole('link', { name: 'Tuesday, November 24: 3 more' }).click()
    expect(await page.locator('tbody tr').count()).toBe(6)
    await page.goBack()
    await page.getByRole('link', { name: 'Dive 0' }).click()
    expect(await page.locator('h1').innerText()).toContain('Dive 0')
  })
})

describe('looks', () => {
  const views = [
    '?view=board',
    '?view=board&search=nothing',
    '?view=calendar&month=2026-11',
    '?view=hours&month=2026-11',
    '?view=calendar&month=2020-02',
  ]
  test.each(['light', 'dark'] as const)(
    'no view has a flaw, in %s, however wide',
    async (colorScheme) => {
      for (const width of [1280, 800, 360]) {
        await openAgain({ colorScheme, viewport: { width, height: 740 } })
        for (const view of views) {
          await go(view)
          expect(await flawsOf(page), `${view} at ${width}`).toEqual([])
        }
      }
    },
    120_000,
  )

  test('the columns fill a board, however wide it is', async () => {
    await openAgain({ viewport: { width: 1920, height: 740 } })
    await go()
    const [board, last] = [await page.locator('.board').boundingBox(), await page.locator('.board > .column').last().boundingBox()]
    const right = (box: typeof board) => (box?.x ?? 0) + (box?.width ?? 0)
    expect(Math.round(right(board) - right(last))).toBe(12)
  })

  test('a board scrolls sideways within itself on a phone, and its targets are large', async () => {
    await openAgain({ viewport: { width: 360, height: 740 } })
    await go()
    const [scroll, client] = (await page.evaluate(
      '(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector(".board"))',
    )) as number[]
    expect(scroll).toBeGreaterThan((client as number) * 2)
    const dots = await card('Answer letters').locator('.dots').boundingBox()
    expect([dots?.width, dots?.height]).toEqual([44, 44])
    await card('A title that is so long').scrollIntoViewIfNeeded()
    const [own, around] = [await card('A title that is so long').boundingBox(), await column('In work').boundingBox()]
    expect((own?.width ?? 0) < (around?.width ?? 0)).toBe(true)
    await go('?view=calendar&month=2026-11')
    expect(await page.locator('time .words:visible').allInnerTexts()).toEqual(
      expect.arrayContaining(['Tuesday, November 3', 'Thursday, November 12']),
    )
    expect(await page.locator('td.outside:visible').count()).toBe(0)
  })
})
