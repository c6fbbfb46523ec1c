import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'
import { fill, panelOver, schema } from './boards-world.js'

let client: Sqlite
let url: string
let context: BrowserContext
let page: Page
const open = ownBrowser({
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
const loaded = () => page.evaluate(`performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/board.js')).length`)
const isReady = () => expect.poll(loaded).toBe(1)

/** Takes hold of a card and moves it over the head of a column, without letting go. */
async function drag(title: string, to: string): Promise<void> {
  await card(title).scrollIntoViewIfNeeded()
  const [from, over] = [await card(title).locator('dl').boundingBox(), await column(to).locator('h2').boundingBox()]
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
    expect(await page.locator('.toast').count()).toBe(0)
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
    expect(await card('Fixed').getByRole('button').count()).toBe(0)
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
    await page.getByRole('button', { name: 'Move Paint the beacon' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Under review')
    await page.keyboard.press('Enter')
    await expect.poll(() => stored('Paint the beacon')).toBe('review')
    await settled()
    expect(await cards('Under review')).toEqual(['Paint the beacon'])
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move Paint the beacon')
    await expect.poll(toast).toContain('Saved')
  })

  test('a finger that moves at once drags nothing, and one that holds a card does', async () => {
    // As high as the page, which then stays where it is.
    await open({ hasTouch: true, viewport: { width: 1000, height: 1200 } })
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
    await page.getByRole('button', { name: 'Move Answer letters' }).click()
    await page.getByRole('button', { name: 'In work' }).click()
    await expect.poll(() => cards('In work')).toContain('Answer letters')
    expect(new URL(page.url()).search).toBe('?view=board')
  })
})

describe('without script', () => {
  beforeEach(() => open({ javaScriptEnabled: false }))

  test('a card is moved by its menu, and the board comes back', async () => {
    await go('?view=board&search=a')
    await page.getByRole('button', { name: 'Move Answer letters' }).click()
    await page.locator('.menu:popover-open').getByRole('button', { name: 'In work' }).click()
    await page.waitForURL('**/crud?view=board&search=a')
    expect(await cards('In work')).toContain('Answer letters')
    expect(stored('Answer letters')).toBe('doing')
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
        await open({ colorScheme, viewport: { width, height: 740 } })
        for (const view of views) {
          await go(view)
          expect(await flawsOf(page), `${view} at ${width}`).toEqual([])
        }
      }
    },
    120_000,
  )

  test('a board scrolls sideways within itself on a phone, and its targets are large', async () => {
    await open({ viewport: { width: 360, height: 740 } })
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
