import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePanel, defineResource, id, number, text, trashResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { Sqlite } from '../support/sqlite.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  pages: integer(),
  deletedAt: integer('deleted_at', { mode: 'timestamp' }),
})
const Notes = defineResource({
  model: notes,
  fields: { id: id(), title: text('Title').searchable(), pages: number('Pages') },
  softDelete: 'deletedAt',
  history: true,
  clickAction: 'DETAIL',
  sortDirection: 'ASC',
})
const folder = mkdtempSync(join(tmpdir(), 'daymark-trash-'))
const file = join(folder, 'trash.db')
const panel = definePanel({ auth: 'open', database: `sqlite:${file}`, resources: [Notes, trashResource(Notes)] })
let listening: Awaited<ReturnType<typeof panel.listen>>
let browser: Browser
let context: BrowserContext
let page: Page
const db = new Sqlite(file)

beforeAll(async () => {
  db.exec('create table notes (id integer primary key, title text not null, pages integer, deleted_at integer)')
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
    db.prepare('insert into notes (title, pages, deleted_at) values (?, 1, ?)').run(title, title === 'Dogwood' ? 1_700_000_000 : null)
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
      await page.evaluate(axe)
      const found = (await page.evaluate('axe.run()')) as { violations: { id: string; nodes: { html: string }[] }[] }
      expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  })
})
