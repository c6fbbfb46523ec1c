import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { cutNetwork, eachOnItsPage, mendNetwork, type ScriptWorld } from './world.js'

const towns = '/admin/resource/towns/crud'
const streets = '/admin/resource/streets'
let world: ScriptWorld
let context: BrowserContext
let page: Page

const { go, isSame } = eachOnItsPage((now) => ({ world, context, page } = now))

const count = (table: string) => (world.db.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
const headed = (text: string) => page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()

describe('a delete', () => {
  test('of a row is asked in a dialog, and the list stays as it was', async () => {
    world.db.exec("insert into towns values (500, 'Doomed', 1, 0)")
    const before = count('towns')
    await go(`${towns}?sort=-id&perPage=10`)
    await page.getByRole('button', { name: 'Actions for Doomed' }).click()
    await page.locator('.menu:popover-open').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Doomed?' })
    await dialog.waitFor()
    await dialog.getByRole('link', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(count('towns')).toBe(before)

    await page.getByRole('button', { name: 'Actions for Doomed' }).click()
    await page.locator('.menu:popover-open').getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.locator('.toast', { hasText: 'Doomed deleted' }).waitFor()
    expect(await page.locator('tr[data-key="500"]').count()).toBe(0)
    expect(count('towns')).toBe(before - 1)
    expect(page.url()).toContain('?sort=-id&perPage=10')
    expect(await isSame()).toBe(true)
  })

  test('of selected rows leaves the focus on the rows that stay', async () => {
    world.db.exec("insert into towns values (500, 'Doomed', 1, 0)")
    await go(`${towns}?sort=-id&perPage=10`)
    await page.getByRole('checkbox', { name: 'Select Doomed' }).check()
    await page.locator('.bulk .danger').press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.locator('.toast', { hasText: 'Deleted' }).waitFor()
    expect(await page.evaluate("document.activeElement.matches('.scroller')")).toBe(true)
  })

  test('of selected rows, as any end of a selection, leaves the page where it is', async () => {
    world.db.exec("insert into towns values (500, 'Doomed', 1, 0)")
    await go(`${towns}?sort=-id&perPage=60`)
    await page.getByRole('checkbox', { name: 'Select Town 60' }).check()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await page.locator('.scroller:focus').waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.getByRole('checkbox', { name: 'Select Doomed' }).check()
    await page.locator('.bulk .danger').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.toast', { hasText: 'Deleted' }).waitFor()
    await page.locator('.scroller:focus').waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
  })

  test.each(['selected rows', 'a row'])('of %s whose question does not arrive says so in place, and the selection stays', async (what) => {
    await go(towns)
    await page.getByRole('checkbox', { name: 'Select Town 02' }).check()
    const press = async () => {
      if (what === 'a row') await page.getByRole('button', { name: 'Actions for Town 02' }).click()
      await page.locator(what === 'a row' ? '.menu:popover-open .danger' : '.bulk .danger').click()
    }
    await cutNetwork(context)
    await press()
    await expect.poll(() => page.getByRole('alert').allInnerTexts()).toEqual(['The panel cannot be reached'])
    expect(await page.getByRole('checkbox', { name: 'Select Town 02' }).isChecked()).toBe(true)
    await mendNetwork(context)
    await press()
    await page.getByRole('dialog').waitFor()
    expect(await isSame()).toBe(true)
  })

  test('that is refused says why in the dialog', async () => {
    await go('/admin/resource/districts/crud?sort=name')
    await page.getByRole('checkbox', { name: 'Select North' }).check()
    await page.locator('.bulk .danger').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => dialog.getByRole('alert').innerText()).toContain('Still used in Streets: 1')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(count('districts')).toBe(2)
  })

  test('of everything that matches takes other pages along, nothing where more match by now, and no more than was asked', async () => {
    const add = world.db.prepare('insert into towns values (?, ?, 1, 0)')
    for (let i = 600; i < 612; i++) add.run(i, `Ghost ${i}`)
    const before = count('towns')
    const pickAll = async (n: number) => {
      await go(`${towns}?search=Ghost&perPage=5`)
      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
      await page.getByRole('button', { name: `Select all ${n}` }).click()
      await page.getByText(`All ${n} selected`).waitFor()
    }
    await pickAll(12)
    add.run(612, 'Ghost 612')
    await page.locator('.bulk .danger').click()
    await page.getByText('The number of records has changed: it is now 13, not 12').waitFor()
    expect(count('towns')).toBe(before + 1)

    await pickAll(13)
    await page.locator('.bulk .danger').click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('heading').innerText()).toContain('13')
    // Who comes while the question stands was not asked about.
    add.run(613, 'Ghost 613')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.locator('.toast').waitFor()
    expect(await page.locator('tbody tr[data-key]').allInnerTexts()).toEqual([expect.stringContaining('Ghost 613')])
    expect(count('towns')).toBe(before - 11)
    world.db.exec('delete from towns where id = 613')
  })

  test('on a record’s own page goes on to the list, as it was left', async () => {
    world.db.exec("insert into towns values (501, 'Doomed', 1, 0)")
    await go(`${towns}?sort=name&search=doomed`)
    await page.getByRole('link', { name: 'Doomed', exact: true }).click()
    await page.locator('.crumbs').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.locator('.toast', { hasText: 'Doomed deleted' }).waitFor()
    expect(await page.evaluate('location.pathname + location.search')).toBe(`${towns}?sort=name&search=doomed`)
  })

  test('on a record’s own page that is refused, or does not arrive, says why in the dialog, and the page stays', async () => {
    await go('/admin/resource/districts/crud/1')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete North?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => dialog.getByRole('alert').innerText()).toContain('Still used in Streets: 1')
    await cutNetwork(context)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => dialog.getByRole('alert').allInnerTexts()).toEqual(['The panel cannot be reached'])
    await mendNetwork(context)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect([count('districts'), await isSame()]).toEqual([2, true])
  })
})

describe('the palette', () => {
  test('opens by key and by button, finds lists, pages and records, and goes there by keyboard', async () => {
    await go(towns)
    await page.keyboard.press('ControlOrMeta+k')
    const box = page.getByRole('combobox', { name: 'Go to a list, a page or a record' })
    await page.getByRole('option', { name: 'Words', exact: true }).waitFor()
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.type('town 4')
    // What begins as it is typed comes before what has it somewhere.
    await page.getByRole('option', { name: 'Town 40' }).waitFor()
    expect(
      await page
        .getByRole('group', { name: 'Towns' })
        .getByRole('option', { name: /^Town \d/ })
        .count(),
    ).toBe(4)
    await expect.poll(() => page.locator('[role=option][aria-selected=true]').innerText()).toBe('Town 40')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await headed('Town 40')

    await page.getByRole('button', { name: 'Go to …' }).click()
    await page.getByRole('option', { name: 'New in Words' }).click()
    await page.waitForURL(/words\/form-page$/)
  })

  test('goes to what was typed, though Enter comes before it is found', async () => {
    await go(towns)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('option', { name: 'Words', exact: true }).waitFor()
    await page.keyboard.type('town 4')
    await page.keyboard.press('Enter')
    await headed('Town 40')
  })

  test('closes by Escape, gives the focus back, and says where nothing is found', async () => {
    await go(towns)
    await page.getByRole('button', { name: 'Go to …' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('zzzz')
    await expect.poll(() => page.locator('.palette [role=option]').allInnerTexts()).toEqual(['Nothing found'])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect(await page.evaluate('document.activeElement?.className')).toContain('palette-open')
  })
})

describe('a form', () => {
  test('marks what is not saved and asks before it is left', async () => {
    await go('/admin/resource/towns/form-page/1')
    expect(await page.locator('.unsaved').count()).toBe(0)
    await page.getByLabel('Name').fill('Changed')
    await page.locator('.unsaved').waitFor()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await page.getByLabel('Name').fill('Town 01')
    await expect.poll(() => page.locator('.unsaved').count()).toBe(0)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await headed('Town 01')
    expect(asked).toHaveLength(1)
  })

  test('says that it is not saved after Back, too, when the browser has put back what was typed', async () => {
    await go('/admin/resource/towns/form-page/1')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByLabel('Name').fill('Changed')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await headed('Town 01')
    await page.goBack()
    await page.locator('.unsaved').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Changed')
  })

  test('is saved by Ctrl S, and a refused field has the focus', async () => {
    await go('/admin/resource/towns/form-page/2')
    await page.getByLabel('People').fill('-5')
    await page.keyboard.press('ControlOrMeta+s')
    await page.locator('#field-people[aria-invalid=true]').waitFor()
    expect(await page.evaluate('document.activeElement?.id')).toBe('field-people')
    await page.locator('.unsaved').waitFor()
    await page.getByLabel('People').fill('205')
    await page.keyboard.press('ControlOrMeta+s')
    await page.locator('.toast', { hasText: 'Saved' }).waitFor()
    await headed('Town 02')
  })

  test('a related record is chosen by typing what it is called', async () => {
    await go(`${streets}/form-page/1`)
    const box = page.getByRole('combobox', { name: 'District' })
    expect(await box.inputValue()).toBe('North')
    await box.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await page.keyboard.press('Escape')
    expect(await box.getAttribute('aria-expanded')).toBe('false')
    // A click opens it too, and what is typed then takes the place of what was there.
    await box.click()
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await page.keyboard.type('sou')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    expect(await box.getAttribute('aria-activedescendant')).toBe(await page.getByRole('option', { name: 'South' }).getAttribute('id'))
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe('South')
    expect(await page.locator('[name=districtId]').inputValue()).toBe('2')
    // What names no record is not taken, but stays to be put right, nor is the form sent with what was chosen before.
    await box.fill('nowhere')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'Nothing found' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').focus()
    const said = page.locator('.field .error')
    expect(await said.innerText()).toBe('Choose a record from the list, or clear the field')
    expect(await box.getAttribute('aria-describedby')).toBe(await said.getAttribute('id'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('field-districtId')
    expect([await box.inputValue(), new URL(page.url()).pathname]).toEqual(['nowhere', `${streets}/form-page/1`])
    await page.keyboard.press('Escape')
    expect([await box.inputValue(), await said.count()]).toEqual(['South', 0])
    // A reset brings back what it began with.
    await page.evaluate("document.querySelector('form.form-page').reset()")
    expect([await box.inputValue(), await page.locator('[name=districtId]').inputValue()]).toEqual(['North', '1'])
    // The only one that is found is meant, though Enter comes before it.
    await box.click()
    await page.keyboard.type('nor')
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('North')
    expect([await page.locator('[name=districtId]').inputValue(), new URL(page.url()).pathname]).toEqual(['1', `${streets}/form-page/1`])
    // Nor is it saved by a key before it is chosen.
    await box.fill('sou')
    await page.keyboard.press('ControlOrMeta+s')
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['South'])
    expect([await box.inputValue(), new URL(page.url()).pathname]).toEqual(['sou', `${streets}/form-page/1`])
    await box.fill('')
    expect(await page.locator('[name=districtId]').inputValue()).toBe('')
    // Who types the whole name has chosen, whatever its case, and whether one goes on or saves at once.
    await box.fill('south')
    await page.keyboard.press('Tab')
    await expect.poll(() => box.inputValue()).toBe('South')
    expect([await page.locator('[name=districtId]').inputValue(), await said.count()]).toEqual(['2', 0])
    world.db.exec("insert into districts values (3, 'south')")
    await box.fill('SOUTH')
    await page.keyboard.press('Tab')
    await said.waitFor()
    expect([await box.inputValue(), await page.locator('[name=districtId]').inputValue()]).toEqual(['SOUTH', '2'])
    world.db.exec('delete from districts where id = 3')
    await box.fill('north')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.toast', { hasText: 'saved' }).waitFor()
    expect(world.db.prepare('select district_id as d from streets where id = 1').get()).toMatchObject({ d: 1 })
    await go(`${streets}/form-page/1`)
    await box.fill('Sou')
    await page.getByRole('option', { name: 'South' }).click()
    await page.keyboard.press('ControlOrMeta+s')
    await page.locator('.toast', { hasText: 'Saved' }).waitFor()
    expect(world.db.prepare('select district_id as d from streets where id = 1').get()).toMatchObject({ d: 2 })
    world.db.exec('update streets set district_id = 1 where id = 1')
  })
})

describe('the frame', () => {
  test('changes its appearance at once, and keeps it', async () => {
    await go(towns)
    await page.locator('.user > button').click()
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/preferences'))
    await page.getByRole('button', { name: 'Dark' }).click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await isSame()).toBe(true)
    await answered
    await go('/admin')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })

  test('keeps its menu small from the first paint', async () => {
    await go(towns)
    await page.getByRole('checkbox', { name: 'Collapse the menu' }).check({ force: true })
    await page.goto(`${world.base}/admin`)
    expect(await page.locator('.rail-switch input').getAttribute('checked')).toBe('')
    expect((await page.locator('.sidebar').boundingBox())?.width).toBe(60)
  })

  test('a toast is said, never over the heading, and dismissed', async () => {
    await go(towns)
    await page.evaluate("dispatchEvent(new CustomEvent('toast', { detail: { text: 'From an event <b>' } }))")
    const toast = page.locator('.toasts[role=status] .toast')
    expect(await toast.locator('span').innerText()).toBe('From an event <b>')
    const [below, heading] = [await toast.boundingBox(), await page.locator('.heading').boundingBox()]
    expect(below?.y).toBeGreaterThan((heading?.y ?? 0) + (heading?.height ?? 0))
    await page.getByRole('button', { name: 'Dismiss' }).click()
    expect(await toast.count()).toBe(0)
  })

  test('a toast leaves free what turns the pages of a list, at its end and wherever else that stands', async () => {
    const overlap = async () => {
      await page.evaluate("dispatchEvent(new CustomEvent('toast', { detail: 'Said in passing, in a few more words' }))")
      const [toast, pager] = [await page.locator('.toast').boundingBox(), await page.locator('.pager').boundingBox()]
      if (!toast || !pager) throw new Error('Nothing is seen')
      return Math.min(toast.y + toast.height, pager.y + pager.height) - Math.max(toast.y, pager.y)
    }
    await go(towns)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    expect(await overlap()).toBeLessThan(0)
    const pager = await page.locator('.pager').boundingBox()
    await page.evaluate('scrollBy(0, -60)')
    await expect.poll(async () => (await page.locator('.pager').boundingBox())?.y).toBe((pager?.y ?? 0) + 60)
    expect(await overlap()).toBeLessThan(0)
    for (const height of [1090, 1110, 1130]) {
      await page.setViewportSize({ width: 1280, height })
      expect(await overlap()).toBeLessThan(0)
    }
  })

  test('a filter that is open closes by Escape and by a click beside it', async () => {
    await go(towns)
    const open = page.locator('.filter[open]')
    await page.locator('.filter > summary').first().click()
    await page.keyboard.press('Escape')
    expect(await open.count()).toBe(0)
    await page.locator('.filter > summary').first().click()
    await page.locator('h1').click()
    expect(await open.count()).toBe(0)
  })
})

test('a page sends at most 60 kB of script and style, its own script at most 20', async () => {
  const sent = { script: 0, stylesheet: 0, main: 0 }
  page.on('requestfinished', async (request) => {
    const type = request.resourceType()
    if (type !== 'script' && type !== 'stylesheet') return
    expect((await request.response())?.headers()['content-encoding']).toBe('br')
    const { responseBodySize } = await request.sizes()
    sent[type] += responseBodySize
    if (request.url().endsWith('/daymark.js')) sent.main = responseBodySize
  })
  await page.goto(world.base + towns, { waitUntil: 'networkidle' })
  await expect.poll(() => Math.min(sent.main, sent.stylesheet)).toBeGreaterThan(0)
  expect(sent.main).toBeLessThan(20_000)
  expect(sent.script + sent.stylesheet).toBeLessThan(60_000)
})
