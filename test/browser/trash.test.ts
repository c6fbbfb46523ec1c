import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, hasMany, id, number, text, trashResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { flawsOf } from '../support/own-browser.js'
import { Sqlite } from '../support/sqlite.js'

const binders = sqliteTable('binders', { id: integer().primaryKey(), name: varchar().notNull() })
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  pages: integer(),
  binderId: integer('binder_id'),
  deletedAt: integer('deleted_at', { mode: 'timestamp' }),
})
const Notes = defineResource({
  model: notes,
  fields: { id: id(), title: text('Title').searchable(), pages: number('Pages'), binderId: belongsTo('Binder', binders) },
  softDelete: 'deletedAt',
  history: true,
  clickAction: 'DETAIL',
  sortDirection: 'ASC',
})
const Binders = defineResource({ model: binders, related: [hasMany(Notes)] })
const folder = mkdtempSync(join(tmpdir(), 'daymark-trash-'))
const file = join(folder, 'trash.db')
const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Notes, trashResource(Notes), Binders] })
let listening: Awaited<ReturnType<typeof panel.listen>>
let browser: Browser
let context: BrowserContext
let page: Page
const db = new Sqlite(file)

beforeAll(async () => {
  db.exec('create table binders (id integer primary key, name text not null)')
  db.exec('create table notes (id integer primary key, title text not null, pages integer, binder_id integer, deleted_at integer)')
  db.exec('create unique index notes_title on notes (title) where deleted_at is null')
  db.exec("insert into binders values (1, 'Blue')")
  ;[listening, browser] = await Promise.all([panel.listen({ port: 0 }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await listening?.close()
  await panel.close()
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  db.exec('delete from notes')
  for (const title of ['Alder', 'Birch', 'Cedar', 'Dogwood'])
    db.prepare('insert into notes (title, pages, binder_id, deleted_at) values (?, 1, 1, ?)').run(
      title,
      title === 'Dogwood' ? 1_700_000_000 : null,
    )
})

async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  await context?.close()
  context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 }, ...options })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
}

const list = '/admin/resource/notes/crud'
const trash = '/admin/resource/notes-trash/crud'
const go = (path: string) => page.goto(listening.url + path)
const path = () => new URL(page.url()).pathname
const rows = () => page.locator('tbody tr').evaluateAll((all) => all.map((one) => one.textContent?.match(/Alder|Birch|Cedar|Dogwood/)?.[0]))
const settled = (expected: readonly string[]) => expect.poll(rows, { timeout: 5000 }).toEqual(expected)

describe.each([true, false])('with JavaScript %s', (javaScriptEnabled) => {
  test('a user deletes records, finds them in the trash, restores them, and deletes one for good', async () => {
    await open({ javaScriptEnabled })
    await go(list)
    await settled(['Alder', 'Birch', 'Cedar'])
    for (const name of ['Alder', 'Birch']) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await page.getByText('What is deleted goes to the trash, from where it can be restored.').waitFor()
    await page.locator('form.confirm').getByRole('button', { name: 'Delete' }).click()
    await settled(['Cedar'])

    await page.locator('[popovertarget="index-table-notes-options"]').click()
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.waitForURL(`**${trash}`)
    expect(await page.locator('.sidebar [aria-current]').innerText()).toMatch(/Notes/)
    // What was deleted last comes first.
    expect((await rows()).at(-1)).toBe('Dogwood')
    await page.getByRole('checkbox', { name: 'Alder' }).check()
    await page.getByRole('button', { name: 'Restore' }).last().click()
    await page.getByText('Alder restored').waitFor()
    await settled(['Birch', 'Dogwood'])

    await page.getByRole('link', { name: 'Birch' }).click()
    await page.waitForURL(`**${trash}/*`)
    await page.getByRole('button', { name: 'Restore' }).click()
    // Its page is gone, so the list says what was done.
    await page.getByText('Birch restored').waitFor()
    expect(path()).toBe(trash)
    await settled(['Dogwood'])

    await page.getByRole('checkbox', { name: 'Dogwood' }).check()
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await page.getByText('This cannot be undone.').waitFor()
    await page.locator('form.confirm').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Notes' }).click()
    await settled(['Alder', 'Birch', 'Cedar'])
    expect(db.prepare('select title from notes order by id').all()).toEqual([{ title: 'Alder' }, { title: 'Birch' }, { title: 'Cedar' }])
  })
})

test('a menu of a row restores it where it stands; the history of the record says so', async () => {
  await open()
  await go(trash)
  await page.getByRole('row', { name: 'Dogwood' }).locator('button[popovertarget]').click()
  await page.getByRole('button', { name: 'Restore' }).first().click()
  await page.getByText('Dogwood restored').waitFor()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  const id = (db.prepare("select id from notes where title = 'Dogwood'").all() as [{ id: number }])[0].id
  await go(`${list}/${id}/history`)
  await page.getByText('Restored by').waitFor()
})

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each([1280, 390])('the trash is accessible, %d pixels wide', async (width) => {
    await open({ colorScheme, viewport: { width, height: 800 } })
    for (const address of [trash, `${trash}/4`, list]) {
      await go(address)
      expect(await flawsOf(page)).toEqual([])
    }
  })
})

describe('undo', () => {
  const titles = () =>
    (db.prepare('select title from notes where deleted_at is null order by id').all() as { title: string }[]).map(({ title }) => title)
  const toast = () => page.locator('.toast')
  const undo = () => toast().getByRole('button', { name: 'Undo' })
  const confirmed = () => page.locator('form.confirm').getByRole('button', { name: 'Delete' }).click()
  /** In the menu of a record's page. */
  const pressDelete = async () => {
    await page.locator('main .heading button[popovertarget]').click()
    await page.locator('[popover]:popover-open').getByRole('button', { name: 'Delete' }).click()
  }
  const idOf = (title: string) => (db.prepare('select id from notes where title = ?').all(title) as [{ id: number }])[0].id

  test.each([true, false])('brings back what was deleted in a list, with JavaScript %s', async (javaScriptEnabled) => {
    await open({ javaScriptEnabled })
    await go(`${list}?perPage=10`)
    for (const name of ['Alder', 'Birch']) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await confirmed()
    await settled(['Cedar'])
    await page.getByText('2 deleted').waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/undo-${javaScriptEnabled}.png` })
    await undo().click()
    await page.getByText('2 restored').waitFor()
    await settled(['Alder', 'Birch', 'Cedar'])
    expect([path(), new URL(page.url()).search]).toEqual([list, '?perPage=10'])
    expect(await undo().count()).toBe(0)
  })

  test.each([true, false])('brings back a record that was deleted on its page, with JavaScript %s', async (javaScriptEnabled) => {
    await open({ javaScriptEnabled })
    await go(list)
    await page.getByRole('link', { name: 'Birch' }).click()
    await page.waitForURL(`**${list}/*`)
    await pressDelete()
    await confirmed()
    await page.getByText('Birch deleted').waitFor()
    await settled(['Alder', 'Cedar'])
    await undo().click()
    await page.getByText('Birch restored').waitFor()
    await settled(['Alder', 'Birch', 'Cedar'])
    expect(path()).toBe(list)
  })

  test('brings back what was deleted in the list of a record, where one still is', async () => {
    await open()
    await go('/admin/resource/binders/crud/1')
    await settled(['Alder', 'Birch', 'Cedar'])
    await page.getByRole('row', { name: 'Birch' }).locator('button[popovertarget]').click()
    await page.locator('[popover]:popover-open').getByRole('button', { name: 'Delete' }).click()
    await confirmed()
    await settled(['Alder', 'Cedar'])
    await undo().click()
    await page.getByText('Birch restored').waitFor()
    await settled(['Alder', 'Birch', 'Cedar'])
    expect(path()).toBe('/admin/resource/binders/crud/1')
  })

  const remove = async (title: string) => {
    await go(list)
    await page.getByRole('checkbox', { name: title }).check()
    await page.getByRole('button', { name: 'Delete' }).last().click()
    await confirmed()
    await undo().waitFor()
  }

  test('is reached by keyboard: as the last of the page, and by Ctrl Z where it would not take back typing', async () => {
    await open()
    await remove('Birch')
    const search = page.getByRole('searchbox').first()
    await search.fill('Al')
    await search.press('Control+z')
    expect(titles()).toEqual(['Alder', 'Cedar'])
    await page.locator('.toast .dismiss').focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Birch restored').waitFor()
    expect(titles()).toEqual(['Alder', 'Birch', 'Cedar'])
    // The button is gone; the focus is not.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')

    await remove('Cedar')
    await page.locator('main').press('Control+z')
    await page.getByText('Cedar restored').waitFor()
    expect(titles()).toEqual(['Alder', 'Birch', 'Cedar'])
  })

  test('stays longer than other messages, and as long as the pointer or the focus is on it', async () => {
    await open()
    await remove('Birch')
    const leaving = () =>
      toast().evaluate((one) => {
        const [animation] = one.getAnimations()
        return [animation?.playState, animation?.effect?.getTiming().delay]
      })
    await page.mouse.move(10, 10)
    await expect.poll(leaving).toEqual(['running', 20_000])
    await undo().focus()
    await expect.poll(leaving).toEqual(['paused', 20_000])
    await page.locator('main').focus()
    await expect.poll(leaving).toEqual(['running', 20_000])
    await toast().hover()
    await expect.poll(leaving).toEqual(['paused', 20_000])
    await undo().click()
    await page.getByText('Birch restored').waitFor()
    await page.mouse.move(10, 10)
    await expect.poll(leaving).toEqual(['running', 8000])
  })

  test.each([true, false])('says why it is refused, with JavaScript %s', async (javaScriptEnabled) => {
    await open({ javaScriptEnabled })
    await go(`${list}/${idOf('Birch')}`)
    await pressDelete()
    await confirmed()
    await undo().waitFor()
    db.exec("insert into notes (title) values ('Birch')")
    await undo().click()
    await page.getByText('Title is already taken').first().waitFor()
    expect(titles()).toEqual(['Alder', 'Cedar', 'Birch'])
    if (javaScriptEnabled) expect(path()).toBe(list)
    else {
      await page.locator('main').getByRole('link', { name: 'Back' }).click()
      expect(path()).toBe(list)
    }
  })

  test.each([1280, 390])('is accessible, %d pixels wide', async (width) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await open({ colorScheme, viewport: { width, height: 800 } })
      await go(`${list}/${idOf('Birch')}`)
      await pressDelete()
      await confirmed()
      await undo().waitFor()
      expect(await flawsOf(page)).toEqual([])
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/undo-${width}-${colorScheme}.png` })
      await undo().click()
      await page.getByText('Birch restored').waitFor()
    }
  })
})
