import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { cutNetwork, eachOnItsPage, mendNetwork, oddWords, type ScriptWorld } from './world.js'

const towns = '/admin/resource/towns/crud'
const words = '/admin/resource/words/crud'
let world: ScriptWorld
let browser: Browser
let context: BrowserContext
let page: Page

const { go, isSame } = eachOnItsPage((now) => ({ world, browser, context, page } = now))

const row = (key: string | number) => page.locator(`tbody > tr[data-key="${key}"]`)
const rows = () => page.evaluate("[...document.querySelectorAll('tbody > tr')].map((row) => row.outerHTML)") as Promise<string[]>
const fire = (name: string) => page.evaluate(`window.dispatchEvent(new CustomEvent(${JSON.stringify(name)}))`)
const isOpen = (key: number) => (world.db.prepare('select open from towns where id = ?').get(key) as { open: number }).open === 1
const toggle = (name: string) => page.getByRole('switch', { name: `Open: ${name}` })
const focusedKey = () => page.evaluate('document.activeElement?.closest("tr")?.dataset.key')

describe('a row update', () => {
  test('refreshes the row that the event names, and none besides', async () => {
    await go(`${towns}?page=2`)
    const before = await rows()
    world.db.exec("update towns set name = 'Renamed', people = 7 where id in (24, 25)")
    await fire('table-row-updated-towns-table-24')
    await expect.poll(() => row(24).locator('.label').innerText()).toBe('Renamed')
    const after = await rows()
    expect(after.filter((markup, i) => markup !== before[i])).toHaveLength(1)
    // It counts as before: the row was the fourth of its page.
    expect(await row(24).getAttribute('class')).toBe('row-3')
    expect(await row(25).locator('.label').innerText()).toBe('Town 25')
    expect(await isSame()).toBe(true)
    world.db.exec("update towns set name = 'Town ' || id, people = id * 100 where id in (24, 25)")
  })

  test('keeps what is selected, and the focus', async () => {
    await go(towns)
    await page.getByRole('checkbox', { name: 'Select Town 02' }).check()
    world.db.exec("update towns set name = 'Town 02!' where id = 2")
    await fire('table-row-updated-towns-table-2')
    await expect.poll(() => row(2).locator('.label').innerText()).toBe('Town 02!')
    expect(await row(2).getByRole('checkbox').isChecked()).toBe(true)
    expect(await page.evaluate('document.activeElement?.value')).toBe('2')
    world.db.exec("update towns set name = 'Town 02' where id = 2")
  })

  test.each(oddWords)('takes the key %s', async (key) => {
    await go(words)
    const loud = (await page.getByRole('switch', { name: `Loud: ${key}`, exact: true }).getAttribute('aria-checked')) === 'true'
    world.db.prepare('update words set loud = ? where word = ?').run(loud ? 0 : 1, key)
    const before = await rows()
    await fire(`table-row-updated-index-table-words-${key}`)
    await expect
      .poll(() => page.getByRole('switch', { name: `Loud: ${key}`, exact: true }).getAttribute('aria-checked'))
      .toBe(String(!loud))
    const after = await rows()
    expect(after.filter((markup, i) => markup !== before[i])).toHaveLength(1)
  })

  test('of a record that is gone says so in its place', async () => {
    world.db.exec("insert into towns values (1000, 'Short-lived', 0, 0)")
    await go(`${towns}?sort=-id`)
    world.db.exec('delete from towns where id = 1000')
    await fire('table-row-updated-towns-table-1000')
    await expect.poll(() => row(1000).innerText()).toBe('This record is no longer in the list')
    await fire('table-row-updated-towns-table-60')
    await expect.poll(() => row(60).getAttribute('aria-busy')).toBe(null)
    expect(await row(60).getAttribute('class')).toBe('row-1')
  })

  test('without the network says so at the row, and tries again', async () => {
    await go(towns)
    await cutNetwork(context)
    await fire('table-row-updated-towns-table-4')
    await expect.poll(() => page.locator('tr[data-key="4"] + .row-note').innerText()).toContain('The panel cannot be reached')
    await mendNetwork(context)
    world.db.exec('update towns set people = 4444 where id = 4')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => row(4).innerText()).toContain('4,444')
    expect(await page.locator('.row-note').count()).toBe(0)
    world.db.exec('update towns set people = 400 where id = 4')
  })

  test('for a table refreshes all of it', async () => {
    await go(towns)
    world.db.exec("update towns set name = 'Anew' where id = 5")
    await fire('table-updated-towns-table')
    await expect.poll(() => row(5).locator('.label').innerText()).toBe('Anew')
    expect(await isSame()).toBe(true)
    world.db.exec("update towns set name = 'Town 05' where id = 5")
  })
})

test('two tables of one page do not mix', async () => {
  await go(towns)
  await page.evaluate(`fetch('/admin/component/index-page/words?_component_name=index-table-words', { headers: { accept: 'text/html' } })
    .then((answer) => answer.text())
    .then((markup) => document.querySelector('main').insertAdjacentHTML('beforeend', markup))`)
  const other = () => page.evaluate("document.querySelector('#index-table-words tbody').outerHTML") as Promise<string>
  const before = await other()
  await page.locator('#towns-table').getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(() => page.locator('#towns-table tbody .label').first().innerText()).toBe('Town 21')
  await page.locator('#towns-table').getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  expect(await page.locator('#index-table-words tbody :checked').count()).toBe(0)
  // But for the row that the Tab key stops at, which a script says.
  expect((await other()).replace(' tabindex="0"', '')).toBe(before)

  world.db.exec("update words set loud = 1 where word = '7-8'")
  const towns2 = await page.evaluate("document.getElementById('towns-table').outerHTML")
  await fire('table-row-updated-index-table-words-7-8')
  await expect.poll(() => page.getByRole('switch', { name: 'Loud: 7-8' }).getAttribute('aria-checked')).toBe('true')
  expect(await page.evaluate("document.getElementById('towns-table').outerHTML")).toBe(towns2)
  world.db.exec("update words set loud = 0 where word = '7-8'")
})

describe('a switch in a list', () => {
  test('changes the database and the markup of its row, and leaves the rest byte for byte', async () => {
    await go(towns)
    const before = await rows()
    expect(await toggle('Town 07').getAttribute('aria-checked')).toBe('true')
    expect(await row(7).getAttribute('class')).toBe('row-6 is-open')
    await toggle('Town 07').click()
    // What the row's own attributes say comes with the refresh.
    await expect.poll(() => row(7).getAttribute('class')).toBe('row-6')
    expect(isOpen(7)).toBe(false)
    expect(await toggle('Town 07').getAttribute('aria-checked')).toBe('false')
    const after = await rows()
    expect(after.filter((markup, i) => markup !== before[i])).toHaveLength(1)
    expect(await isSame()).toBe(true)

    await toggle('Town 07').focus()
    await page.keyboard.press('Space')
    await expect.poll(() => row(7).getAttribute('class')).toBe('row-6 is-open')
    expect(isOpen(7)).toBe(true)
    expect(await focusedKey()).toBe('7')
    expect(await rows()).toEqual(before)
  })

  test('goes back where the network is lost', async () => {
    await go(towns)
    await cutNetwork(context)
    await toggle('Town 08').click()
    await expect.poll(() => page.locator('tr[data-key="8"] + .row-note').innerText()).toContain('The panel cannot be reached')
    expect(await toggle('Town 08').getAttribute('aria-checked')).toBe('false')
    await mendNetwork(context)
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect.poll(() => isOpen(8)).toBe(true)
    await expect.poll(() => page.locator('.row-note').count()).toBe(0)
    // Whoever tries again by keyboard goes on in the list.
    expect(await page.evaluate("document.activeElement.matches('.listing .scroller')")).toBe(true)
  })

  test.each(['before', 'after'])('stays as it is saved where a list asked for %s that arrives later', async (when) => {
    const key = when === 'before' ? 14 : 16
    await go(towns)
    let [release, isAsked] = [() => {}, false]
    const gate = new Promise<void>((resolve) => (release = resolve))
    // The answer says what was stored when it was asked for.
    await page.route(/towns\/crud$/, async (route) => {
      const answer = await route.fetch()
      isAsked = true
      await gate
      await route.fulfill({ response: answer })
    })
    const held: Route[] = []
    await page.route('**/update-field/**', (route) => (when === 'after' ? void held.push(route) : route.continue()))
    const ask = async () => {
      await fire('table-updated-towns-table')
      await expect.poll(() => isAsked).toBe(true)
    }
    if (when === 'before') await ask()
    await toggle(`Town ${key}`).click()
    if (when === 'after') {
      await expect.poll(() => held.length).toBe(1)
      await ask()
      await held[0]?.continue()
    }
    await expect.poll(() => isOpen(key)).toBe(true)
    await page.locator('form.live[aria-busy]').waitFor({ state: 'detached' })
    release()
    await page.locator('.listing:not([aria-busy])').waitFor()
    expect(await toggle(`Town ${key}`).getAttribute('aria-checked')).toBe('true')
    world.db.exec(`update towns set open = 0 where id = ${key}`)
  })

  test('goes back where it is refused', async () => {
    await go(towns)
    // Between the page and the press the record became one that may not be changed.
    world.db.exec("update towns set name = 'Town 03' where id = 9")
    await toggle('Town 09').click()
    await expect.poll(() => page.locator('tr[data-key="9"] + .row-note').innerText()).toContain('You may not do this')
    expect(await toggle('Town 09').getAttribute('aria-checked')).toBe('true')
    expect(isOpen(9)).toBe(true)
    world.db.exec("update towns set name = 'Town 09' where id = 9")
  })

  test('shows what is stored now where somebody was quicker', async () => {
    await go(towns)
    expect(await toggle('Town 10').getAttribute('aria-checked')).toBe('false')
    world.db.exec('update towns set open = 1 where id = 10')
    await toggle('Town 10').click()
    await expect.poll(() => page.locator('tr[data-key="10"] + .row-note').innerText()).toContain('changed in the meantime')
    expect(await toggle('Town 10').getAttribute('aria-checked')).toBe('true')
    expect(isOpen(10)).toBe(true)
    // From there it goes on.
    await toggle('Town 10').click()
    await expect.poll(() => isOpen(10)).toBe(false)
  })

  test('leads to the sign-in where the session has ended', async () => {
    await go(towns)
    await page.evaluate("document.body.dataset.login = '/admin/login'")
    await page.route('**/update-field/**', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"message":"Sign in first"}' }),
    )
    const before = await toggle('Town 10').getAttribute('aria-checked')
    await toggle('Town 10').click()
    const way = page.locator('tr[data-key="10"] + .row-note').getByRole('link', { name: 'Sign in' })
    expect(await way.getAttribute('href')).toBe('/admin/login')
    expect(await toggle('Town 10').getAttribute('aria-checked')).toBe(before)
    await page.unroute('**/update-field/**')
  })

  test('is a tick for what may not be changed', async () => {
    await go(towns)
    expect(await row(3).getByRole('switch').count()).toBe(0)
    expect(await row(3).locator('.tick').count()).toBe(1)
  })

  test('saves without script, too, and comes back', async () => {
    await context.close()
    context = await browser.newContext({ javaScriptEnabled: false })
    page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(`${world.base}${towns}?page=2`)
    await toggle('Town 22').click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    expect(new URL(page.url()).search).toBe('?page=2')
    expect(isOpen(22)).toBe(true)
    expect(await toggle('Town 22').getAttribute('aria-checked')).toBe('true')
  })
})

describe('a click on a row', () => {
  test('goes where clickAction says; links, buttons, boxes and marked text keep their own meaning', async () => {
    await go(towns)
    await page.getByRole('checkbox', { name: 'Select Town 02' }).check()
    await toggle('Town 12').click()
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('tr[data-key="13"] .end'))`)
    await row(13)
      .locator('.end')
      .last()
      .click({ position: { x: 2, y: 2 }, button: 'left', delay: 0, trial: true })
    await page.evaluate(`document.querySelector('tr[data-key="13"] .end').dispatchEvent(new MouseEvent('click', { bubbles: true }))`)
    expect(await isSame()).toBe(true)
    await page.evaluate('getSelection().removeAllRanges()')
    await row(13).locator('.end').last().click()
    await page.waitForURL(/\/crud\/13$/)
  })

  test('with Ctrl or the middle button opens a tab', async () => {
    await go(towns)
    const [one] = await Promise.all([
      context.waitForEvent('page'),
      row(14)
        .locator('.end')
        .last()
        .click({ modifiers: ['ControlOrMeta'] }),
    ])
    await expect.poll(() => one.url()).toMatch(/crud\/14$/)
    const [other] = await Promise.all([context.waitForEvent('page'), row(15).locator('.end').last().click({ button: 'middle' })])
    await expect.poll(() => other.url()).toMatch(/crud\/15$/)
    expect(await isSame()).toBe(true)
  })

  test('selects where clickAction is SELECT, edits where it is EDIT', async () => {
    await go(words)
    await row('7-8')
      .locator('.center')
      .click({ position: { x: 30, y: 20 } })
    expect(await row('7-8').getByRole('checkbox').isChecked()).toBe(true)
    await go('/admin/resource/plains/crud')
    await row(40).locator('.act').waitFor()
    await row(40)
      .locator('td, th')
      .nth(1)
      .click({ position: { x: 4, y: 4 } })
    await page.waitForURL(/form-page\/40$/)
  })
})

describe('by keyboard', () => {
  test('arrows move, Space selects, Escape clears, Enter opens', async () => {
    await go(towns)
    await row(1).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await focusedKey()).toBe('3')
    await page.keyboard.press('ArrowUp')
    expect(await focusedKey()).toBe('2')
    await page.keyboard.press('Space')
    expect(await row(2).getByRole('checkbox').isChecked()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    expect(await page.locator('tbody :checked').count()).toBe(2)
    expect(await page.locator('[aria-live=polite]').innerText()).toBe('2 selected')
    await page.keyboard.press('Escape')
    expect(await page.locator('tbody :checked').count()).toBe(0)
    await page.keyboard.press('End')
    expect(await focusedKey()).toBe('20')
    // Where one was is where one comes back to.
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.waitForURL(/crud\/1$/)
  })

  test.each(['row', 'checkbox'])('Shift and Space select all rows since the last, as Shift and a click do, on its %s', async (on) => {
    await go(towns)
    const press = async (n: number, keys: string) => {
      await row(1).focus()
      await page.keyboard.press('Home')
      for (let at = 1; at < n; at++) await page.keyboard.press('ArrowDown')
      if (on === 'checkbox') await page.keyboard.press('Tab')
      expect(await focusedKey()).toBe(String(n))
      await page.keyboard.press(keys)
      return page.evaluate("[...document.querySelectorAll('tbody :checked')].map(({ value }) => value).join()")
    }
    expect(await press(3, 'Shift+Space')).toBe('3')
    expect(await press(6, 'Shift+Space')).toBe('3,4,5,6')
    expect(await page.locator('[aria-live=polite]').innerText()).toBe('4 selected')
    expect(await press(6, 'Space')).toBe('3,4,5')
    expect(await press(5, 'Shift+Space')).toBe('3,4')
  })

  test('one stays on a row that comes again, alone or with its list', async () => {
    await go(towns)
    await row(1).focus()
    await page.keyboard.press('ArrowDown')
    world.db.exec("update towns set name = 'Town 02!' where id = 2")
    await fire('table-row-updated-towns-table-2')
    await expect.poll(() => row(2).locator('.label').innerText()).toBe('Town 02!')
    expect(await focusedKey()).toBe('2')
    world.db.exec("update towns set name = 'Town 02' where id = 2")
    await fire('table-updated-towns-table')
    await expect.poll(() => row(2).locator('.label').innerText()).toBe('Town 02')
    await page.keyboard.press('ArrowDown')
    expect(await focusedKey()).toBe('3')
    expect(await page.locator('tbody > tr[tabindex="0"]').count()).toBe(1)
  })

  test('in an open menu arrows go from line to line, not from row to row', async () => {
    await go(towns)
    const dots = page.getByRole('button', { name: 'Actions for Town 02' })
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.ariaLabel')
    await dots.press('Enter')
    const menu = page.locator('.menu:popover-open')
    const lines = (await menu.locator('a, button').allInnerTexts()).map((one) => one.trim())
    expect(lines.length).toBeGreaterThan(2)
    const press = async (key: string) => {
      await page.keyboard.press(key)
      return focused()
    }
    expect(await press('ArrowDown')).toBe(lines[0])
    expect(await press('ArrowDown')).toBe(lines[1])
    expect(await press('End')).toBe(lines.at(-1))
    expect(await press('ArrowDown')).toBe(lines[0])
    expect(await press('ArrowUp')).toBe(lines.at(-1))
    expect(await press('Home')).toBe(lines[0])
    expect(await menu.count()).toBe(1)
    expect(await press('Escape')).toBe('Actions for Town 02')
    expect(await menu.count()).toBe(0)
    // Closed, it leaves the keys to the row.
    await page.keyboard.press('ArrowDown')
    expect(await focusedKey()).toBe('3')
    expect(await page.evaluate('document.activeElement.localName')).toBe('tr')
    // What is chosen from beside the rows is a menu like this one.
    await page.getByRole('button', { name: 'View options' }).press('Enter')
    expect(await press('ArrowDown')).toBe(await menu.locator('button').first().innerText())
    expect(await focusedKey()).toBeUndefined()
  })

  test('a search box and a menu keep their own keys', async () => {
    await go(towns)
    await page.keyboard.press('/')
    await page.keyboard.type('a/b c')
    expect(await page.getByRole('searchbox').inputValue()).toBe('a/b c')
    await expect.poll(() => page.locator('.empty').count()).toBe(1)
    // Where no row is, there is none to select.
    expect(await page.locator('.pick-all').isDisabled()).toBe(true)
    expect(await page.evaluate('document.activeElement?.type')).toBe('search')
  })
})

describe('a selection', () => {
  test('takes a range with Shift, and all of the page by the box in the head', async () => {
    await go(towns)
    const box = (n: number) => page.getByRole('checkbox', { name: `Select Town ${String(n).padStart(2, '0')}` })
    const head = page.getByRole('checkbox', { name: 'Select all rows on this page' })
    await box(2).click()
    expect(await page.evaluate("document.querySelector('.pick-all').indeterminate")).toBe(true)
    await box(5).click({ modifiers: ['Shift'] })
    expect(await page.locator('tbody :checked').count()).toBe(4)
    await head.click()
    expect(await page.locator('tbody :checked').count()).toBe(20)
    expect(await page.locator('[aria-live=polite]').innerText()).toBe('20 selected')
    await head.click()
    expect(await page.locator('tbody :checked').count()).toBe(0)
  })

  test('goes along to other pages and orders of the same records, and is done with as one', async () => {
    await go(towns)
    const box = (n: number) => page.getByRole('checkbox', { name: `Select Town ${String(n).padStart(2, '0')}` })
    const bar = page.locator('.bulk')
    const says = (words: string) => expect.poll(() => bar.locator('.count').innerText()).toBe(words)
    const turn = async (name: string, there: number) => {
      await page.locator('.pager').getByRole('link', { name }).click()
      await box(there).waitFor()
    }
    await box(2).check()
    await turn('Next', 21)
    await says('1 selected')
    expect(await page.locator('.listing input:checked:visible').count()).toBe(0)
    await box(21).check()
    await says('2 selected')
    await page.getByRole('columnheader', { name: 'People' }).getByRole('link').click()
    await box(60).waitFor()
    await says('2 selected')
    await page.goBack()
    await box(22).waitFor()
    expect(await box(21).isChecked()).toBe(true)
    await turn('Previous', 1)
    expect(await box(2).isChecked()).toBe(true)
    await says('2 selected')

    await bar.getByRole('button', { name: 'Clear' }).click()
    await turn('Next', 21)
    expect(await box(21).isChecked()).toBe(false)
    expect(await bar.isVisible()).toBe(false)

    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await bar.getByRole('button', { name: 'Select all 60' }).click()
    await turn('Next', 41)
    await bar.getByText('All 60 selected').waitFor()
    expect(await page.locator('tbody :checked').count()).toBe(20)
    // Other records are another matter.
    await page.getByRole('link', { name: 'Big' }).click()
    await expect.poll(() => page.locator('.total').innerText()).toBe('31')
    expect(await bar.isVisible()).toBe(false)

    await box(30).check()
    await turn('Next', 50)
    await box(50).check()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Town 30').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.locator('.total').innerText()).toBe('29')
    expect(world.db.prepare('select id from towns where id in (30, 50)').all()).toEqual([])
    expect(await bar.isVisible()).toBe(false)
    expect(await isSame()).toBe(true)
  })
})

test('an action of a record shows it again, and every list of what belongs to it', async () => {
  await go('/admin/resource/districts/crud/1')
  world.db.exec("update streets set name = 'Higher Street' where id = 1")
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.locator('.facts', { hasText: 'Renamed' }).waitFor()
  expect(await page.locator('.listing tbody .label').allInnerTexts()).toEqual(['Higher Street', 'Higher Street'])
  expect([await page.locator('h1').innerText(), await isSame()]).toEqual(['Renamed', true])
  world.db.exec("update streets set name = 'High Street' where id = 1; update districts set name = 'North' where id = 1")
})

test('what is deleted from one list of a record is gone from its others, too', async () => {
  world.db.exec("insert into streets (id, name, district_id) values (2, 'Low Street', 1), (3, 'Narrow Street', 1)")
  await go('/admin/resource/districts/crud/1')
  const [first, last] = ['Streets', 'Last'].map((name) =>
    page.locator('.listing', { has: page.getByRole('heading', { name, exact: true }) }),
  )
  const shown = () => Promise.all([first, last].map((list) => list?.locator('tbody .label').allInnerTexts()))
  expect(await shown()).toEqual([
    ['High Street', 'Low Street'],
    ['Narrow Street', 'Low Street'],
  ])
  await last?.getByRole('button', { name: 'Actions for Low Street' }).click()
  await last?.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.locator('.toast', { hasText: 'Low Street' }).waitFor()
  expect(await shown()).toEqual([
    ['High Street', 'Narrow Street'],
    ['Narrow Street', 'High Street'],
  ])
  expect([await last?.locator(':focus').count(), await isSame()]).toEqual([1, true])
  world.db.exec('delete from streets where id <> 1')
})

test('what belongs to a record is paged, and deleted from, on its page', async () => {
  world.db.exec("insert into streets (id, name, district_id) values (2, 'Low Street', 1), (3, 'Narrow Street', 1), (4, 'Other Street', 2)")
  await go('/admin/resource/districts/crud/1')
  const card = page.locator('.listing', { has: page.getByRole('heading', { name: 'Streets' }) })
  const shown = () => card.locator('tbody .label').allInnerTexts()
  expect(await shown()).toEqual(['High Street', 'Low Street'])
  await card.getByRole('link', { name: 'Next' }).click()
  await expect.poll(shown).toEqual(['Narrow Street'])
  expect([new URL(page.url()).search, await isSame()]).toEqual([`?${encodeURIComponent('streets[page]')}=2`, true])
  await card.getByRole('button', { name: 'Actions for Narrow Street' }).click()
  await card.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.locator('.toast', { hasText: 'Narrow Street' }).waitFor()
  expect([new URL(page.url()).pathname, await isSame()]).toEqual(['/admin/resource/districts/crud/1', true])
  await card.getByRole('link', { name: 'New' }).click()
  await page.getByLabel('Name').fill('New Street')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  // It leads back to the record to which the new one belongs.
  await page.locator('.toast', { hasText: 'New Street' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin/resource/districts/crud/1')
  expect(world.db.prepare("select district_id as at from streets where name = 'New Street'").get()).toMatchObject({ at: 1 })
  world.db.exec('delete from streets where id <> 1')
})
