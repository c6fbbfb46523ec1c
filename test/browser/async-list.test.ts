import type { BrowserContext, Locator, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { cutNetwork, eachOnItsPage, mendNetwork, type ScriptWorld } from './world.js'

const towns = '/admin/resource/towns/crud'
const plains = '/admin/resource/plains/crud'
let world: ScriptWorld
let context: BrowserContext
let page: Page

const { go, isSame } = eachOnItsPage((now) => ({ world, context, page } = now))

const names = () => page.locator('tbody .label').allInnerTexts()
const first = (name: string) => expect.poll(async () => (await names())[0]).toBe(name)
const address = () => page.url().slice(world.base.length)
const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent")

test('sorting, filtering, paging and tags change the rows and the address, and the page stays', async () => {
  await go(towns)
  await page.getByRole('columnheader', { name: 'People' }).getByRole('link').click()
  await first('Town 60')
  expect(address()).toBe(`${towns}?sort=-people`)
  expect(await page.getByRole('columnheader', { name: 'People' }).getAttribute('aria-sort')).toBe('descending')

  await page.getByRole('link', { name: 'Next' }).click()
  await first('Town 40')
  expect(await page.locator('.pager > span').first().innerText()).toBe('21–40 of 60')

  await page.getByRole('link', { name: 'Big' }).click()
  await expect.poll(() => page.locator('.total').innerText()).toBe('31')
  await page.locator('summary', { hasText: 'Open' }).click()
  await page.locator('.filter[open] select').selectOption({ label: 'Yes' })
  // What is only chosen among applies at once, and stays open for another choice.
  await expect.poll(() => page.locator('.chip').allInnerTexts()).toEqual(['Open: Yes'])
  expect(await page.locator('.filter[open]').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Remove the filter Open: Yes' }).click()
  await expect.poll(() => page.locator('.chip').count()).toBe(0)
  await page.locator('.page-size').click()
  await page.getByRole('link', { name: '50 per page' }).click()
  await expect.poll(async () => (await names()).length).toBe(31)
  expect(await isSame()).toBe(true)

  // The address alone decides: another browser shows the same.
  const here = await names()
  await page.reload()
  expect(await names()).toEqual(here)
})

test('Back and Forward lead through the lists as they were', async () => {
  await go(towns)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await first('Town 21')
  await page.getByRole('link', { name: 'Page 3' }).click()
  await first('Town 41')
  await page.goBack()
  await first('Town 21')
  expect(address()).toBe(`${towns}?page=2`)
  await page.goBack()
  await first('Town 01')
  expect(address()).toBe(towns)
  await page.goForward()
  await first('Town 21')
  expect(await isSame()).toBe(true)
  // From a page of its own one comes back to the very list.
  await page.getByRole('link', { name: 'Town 21' }).click()
  await page.getByRole('heading', { level: 1, name: 'Town 21' }).waitFor()
  await page.goBack()
  await first('Town 21')
})

test('by keyboard one goes on from where one was: on what was used, on what opens it again, or on the list', async () => {
  await go(`${towns}?filter[name][contains]=Town`)
  const press = async (one: Locator, key = 'Enter') => {
    await one.focus()
    await page.keyboard.press(key)
  }
  const open = page.locator('.filter summary', { hasText: 'Name' })
  await press(open)
  await page.locator('.filter[open] input').fill('Town 1')
  await page.keyboard.press('Enter')
  await first('Town 10')
  await open.and(page.locator(':focus')).waitFor()
  await press(open)
  await press(page.locator('.filter[open]').getByRole('button', { name: 'Apply' }))
  await page.locator('.listing:not([aria-busy])').waitFor()
  await open.and(page.locator(':focus')).waitFor()

  await press(page.getByRole('link', { name: 'Clear all' }))
  await first('Town 01')
  await expect.poll(focused).toBe('Towns')
  expect(await isSame()).toBe(true)
})

test('a search runs as one types; focus and caret stay; the whole search is one step back', async () => {
  await go(`${towns}?sort=-people`)
  await page.keyboard.press('/')
  const box = page.getByRole('searchbox')
  await page.keyboard.type('town 1')
  await first('Town 51')
  await page.keyboard.type('2')
  await first('Town 12')
  expect(await names()).toEqual(['Town 12'])
  expect(address()).toBe(`${towns}?sort=-people&search=town+12`)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Backspace')
  await expect.poll(async () => (await names()).length).toBeGreaterThan(1)
  expect(await box.inputValue()).toBe('town 2')
  expect(await page.evaluate("document.activeElement.type === 'search' && document.activeElement.selectionStart === 5")).toBe(true)
  await page.goBack()
  await first('Town 60')
  expect(address()).toBe(`${towns}?sort=-people`)
  expect(await isSame()).toBe(true)
})

test('after Back the search box says what the list is searched for, and what is typed next is a step of its own', async () => {
  await go(towns)
  const box = page.getByRole('searchbox')
  await box.pressSequentially('town 5')
  await first('Town 05')
  await page.goBack()
  await first('Town 01')
  await expect.poll(() => box.inputValue()).toBe('')
  await page.keyboard.type('town 2')
  await first('Town 02')
  await page.goBack()
  await first('Town 01')
  await expect.poll(() => box.inputValue()).toBe('')
  expect(address()).toBe(towns)

  // The same where the list had not come yet.
  const held: Route[] = []
  await page.route(/search=/, (route) => void held.push(route))
  await page.keyboard.type('town 3')
  await expect.poll(() => held.length).toBe(1)
  await page.goBack()
  await expect.poll(() => box.inputValue()).toBe('')
  await held[0]?.abort().catch(() => {})
  await page.unroute(/search=/)
})

test('text that an input method composes is searched for, too', async () => {
  await go(towns)
  await page.getByRole('searchbox').focus()
  const keyboard = await context.newCDPSession(page)
  await keyboard.send('Input.imeSetComposition', { text: 'town 5', selectionStart: 6, selectionEnd: 6 })
  await keyboard.send('Input.insertText', { text: 'town 5' })
  await first('Town 05')
  expect(address()).toBe(`${towns}?search=town+5`)
})

test('an older answer never wins', async () => {
  await go(towns)
  const held: Route[] = []
  await page.route(/search=town\+3$/, (route) => void held.push(route))
  const box = page.getByRole('searchbox')
  await box.pressSequentially('town 3')
  await expect.poll(() => held.length).toBe(1)
  await box.pressSequentially('7')
  await first('Town 37')
  // The one that was asked first comes last, if it comes at all.
  await held[0]?.continue().catch(() => {})
  await page.unroute(/search=town\+3$/)
  await page.getByRole('columnheader', { name: 'People' }).getByRole('link').click()
  await expect.poll(() => page.locator('[aria-sort=descending]').count()).toBe(1)
  expect(await names()).toEqual(['Town 37'])
})

test('whoever goes back while a list is on its way keeps the one that there is', async () => {
  await go(towns)
  const held: Route[] = []
  await page.route(/sort=-people/, (route) => void held.push(route))
  await page.getByRole('columnheader', { name: 'People' }).getByRole('link').click()
  await expect.poll(() => held.length).toBe(1)
  await page.goBack()
  await expect.poll(() => page.locator('.listing').getAttribute('aria-busy')).toBe(null)
  await held[0]?.continue().catch(() => {})
  await page.unroute(/sort=-people/)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await first('Town 21')
  expect(address()).toBe(`${towns}?page=2`)
})

test('whoever sorts before what was typed is searched for takes it along', async () => {
  await go(`${towns}?page=2`)
  await page.evaluate(`{
    const box = document.querySelector('input[type=search]')
    box.value = 'town 1'
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
    document.querySelector('th a[href*=people]').click()
  }`)
  await first('Town 51')
  expect(new URL(page.url()).search).toBe('?sort=-people&search=town+1')
  expect(await page.getByRole('searchbox').inputValue()).toBe('town 1')
})

test('a list says that it is busy, and what came', async () => {
  await go(towns)
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route(/page=2/, async (route) => {
    await gate
    await route.continue()
  })
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => page.locator('.listing').getAttribute('aria-busy')).toBe('true')
  release()
  await first('Town 21')
  await expect.poll(() => page.locator('.listing').getAttribute('aria-busy')).toBe(null)
  expect(await page.locator('[aria-live=polite]').innerText()).toBe('21–40 of 60')
  expect(await focused()).toBe('Page 2')
})

test('the rows of a list can be clicked until placeholders cover them', async () => {
  await go(towns)
  const held: Route[] = []
  await page.route(/page=2/, (route) => void held.push(route))
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => held.length).toBe(1)
  const hit = (ms: number) =>
    page.evaluate(`{
      const cover = document.getAnimations().find(({ effect }) => effect.pseudoElement === '::after' && effect.target.matches('.rows'))
      cover.pause()
      cover.currentTime = ${ms}
      const link = document.querySelector('tbody .label a')
      link.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = link.getBoundingClientRect()
      document.elementFromPoint(x + width / 2, y + height / 2) === link
    }`)
  expect(await hit(399)).toBe(true)
  expect(await hit(1000)).toBe(false)
  await held[0]?.continue()
  await first('Town 21')
})

test('a list that arrives leaves filters as one is filling them in', async () => {
  const held: Route[] = []
  await page.route(/[?&](page|sort)=/, (route) => void held.push(route))
  const release = async () => {
    await held.pop()?.continue()
    await page.locator('.listing:not([aria-busy])').waitFor()
  }
  await go(towns)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => held.length).toBe(1)
  await page.locator('summary', { hasText: 'Name' }).click()
  const choice = page.locator('.filter[open] input').first()
  const chosen = 'not applied yet'
  await choice.fill(chosen)
  await choice.blur()
  await release()
  await first('Town 21')
  expect(await choice.inputValue()).toBe(chosen)
  // So does one that comes again on its own.
  await page.evaluate("dispatchEvent(new CustomEvent('table-updated-towns-table'))")
  await expect.poll(() => held.length).toBe(1)
  await release()
  expect(await choice.inputValue()).toBe(chosen)

  await go('/admin/resource/streets/crud')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  await expect.poll(() => held.length).toBe(1)
  await page.locator('summary', { hasText: 'District' }).click()
  const box = page.getByRole('combobox', { name: 'District' })
  await box.pressSequentially('nort')
  await release()
  await page.locator('[aria-sort]').waitFor()
  expect(await box.inputValue()).toBe('nort')
  await page.getByRole('option', { name: 'North' }).click()
  await expect.poll(() => held.length).toBe(1)
  await release()
  await page.locator('.chip', { hasText: 'North' }).waitFor()
})

test('what goes wrong is said in place, with a way to try again', async () => {
  await go(towns)
  await cutNetwork(context)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('The panel cannot be reached')
  expect(await page.locator('.listing').getAttribute('aria-busy')).toBe(null)
  await mendNetwork(context)
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await first('Town 21')
  expect(await page.getByRole('alert').count()).toBe(0)
  // Whoever tries again by keyboard goes on in the list.
  expect(await page.evaluate("document.activeElement.matches('.listing .scroller')")).toBe(true)

  await page.route(/page=3/, (route) =>
    route.fulfill({ status: 503, contentType: 'text/html', body: '<div class="problem"><h1>x</h1><p>Too busy just now</p></div>' }),
  )
  await page.getByRole('link', { name: 'Page 3' }).click()
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('Too busy just now')
  await page.route(/page=1$|crud$/, (route) => route.fulfill({ status: 401, contentType: 'text/html', body: '' }))
  await page.getByRole('link', { name: 'Page 1', exact: true }).click()
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('You are signed out')
})

test('a click that asks for a page of its own gets one', async () => {
  await go(towns)
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Page 2' }).click({ modifiers: ['ControlOrMeta'] }),
  ])
  await expect.poll(() => other.url()).toContain('page=2')
  expect(address()).toBe(towns)
})

test('a list that is not asynchronous loads pages', async () => {
  await go(plains)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await page.waitForURL(/page=2/)
  expect(await isSame()).toBe(false)
  await page.getByRole('searchbox').pressSequentially('Plain 3')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/search=Plain\+3/)
  // What a row offers is a form as without script: the question stands on a page.
  const row = page.locator('tbody tr').first()
  await row.locator('[popovertarget]').click()
  await row.locator('[name=_method][value=DELETE]').click()
  await page.locator('h1', { hasText: 'Delete' }).waitFor()
  expect(await page.locator('dialog[open]').count()).toBe(0)
  expect(await isSame()).toBe(false)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(/search=Plain\+3/)
})
