// How long a text is, while it is typed.
import { join } from 'node:path'
import { definePanel, defineResource, file, folder, repeater, text, textarea } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  body: varchar(),
  code: varchar(),
  files: varchar({ mode: 'json' }).$type<string[]>(),
  rows: varchar({ mode: 'json' }).$type<{ what: string | null }[]>(),
})
const Notes = defineResource({
  model: notes,
  fields: {
    title: text('Title').required().max(40),
    body: textarea('Body').max(1200),
    code: text('Code').max(4),
    files: file('Files').multiple().maxFiles(40),
    rows: repeater('Rows').of({ what: text('What').max(40) }),
  },
  pages: { form: ['files', 'title', 'body', 'code', 'rows'] },
})
let url: string
let page: Page
ownBrowser({
  schema: 'create table notes (id integer primary key, title text not null, body text, code text, files text, rows text)',
  panel: (database, place) => definePanel({ auth: 'open', database, files: folder(join(place, 'files')), resources: [Notes] }),
  before: () => {},
  opened: (all) => {
    ;({ url, page } = all)
  },
})
const said = () => page.locator('.characters').allTextContents()
const form = () => page.goto(`${url}/admin/resource/notes/form-page`)
const control = (label: string) => page.getByLabel(label)

test('near its end, and beyond it, a text says how long it is, and nothing below moves', async () => {
  await form()
  const [title, body, code] = [control('Title'), control('Body'), control('Code')]
  const below = async () => (await body.boundingBox())?.y
  const before = await below()
  await title.fill('x'.repeat(31))
  await code.fill('12345')
  expect(await said()).toEqual([])
  await title.fill('🙂'.repeat(32))
  expect(await said()).toEqual(['32 / 40'])
  expect(await below()).toBe(before)
  await title.fill('x'.repeat(41))
  await body.fill('y'.repeat(1100))
  expect(await said()).toEqual(['41 / 40', '1,100 / 1,200'])
  expect(await page.locator('.characters[data-over]').count()).toBe(1)
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.getByRole('textbox', { name: 'What' }).last().fill('z'.repeat(41))
  expect(await said()).toHaveLength(2)
  // The number covers nothing of what is typed.
  const covered = await page.evaluate(`(() => {
    const mark = document.querySelector('.characters')
    const input = mark.previousElementSibling
    const end = input.getBoundingClientRect().right - parseFloat(getComputedStyle(input).paddingInlineEnd)
    return mark.getBoundingClientRect().left < end
  })()`)
  expect(covered).toBe(false)
  expect(await flawsOf(page)).toEqual([])
})

test('a longer text is kept whole, and refused in place', async () => {
  await form()
  const title = control('Title')
  await title.fill('x'.repeat(41))
  await page.keyboard.press('Control+s')
  await page.getByText('Title must have at most 40 characters').first().waitFor()
  expect(await title.inputValue()).toBe('x'.repeat(41))
  expect(await said()).toEqual(['41 / 40'])
  await title.fill('short')
  expect(await said()).toEqual([])
})
