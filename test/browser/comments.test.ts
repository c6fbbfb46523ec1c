import { definePanel, defineResource } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'

const notes = sqliteTable('notes', { id: integer().primaryKey(), name: varchar().notNull() })
const record = '/admin/resource/notes/crud/1'

let url: string
let page: Page
const open = ownBrowser({
  schema: "create table notes (id integer primary key, name text not null); insert into notes values (1, 'One')",
  panel: (database) => definePanel({ database, auth: 'open', resources: [defineResource({ model: notes, comments: true })] }),
  before: (client) => {
    if (client.prepare("select 1 from sqlite_master where name = 'daymark_comments'").get()) client.exec('delete from daymark_comments')
  },
  opened: (all) => {
    ;({ url, page } = all)
  },
})

const said = () => page.locator('.comments .said').allTextContents()
// The script that sends by keyboard comes after the page.
const go = () => page.goto(url + record, { waitUntil: 'networkidle' })

test('a comment is sent by keyboard, shown in place, changed, and deleted after a question', async () => {
  await go()
  await page.getByText('No comments yet').waitFor()
  const box = page.getByLabel('Write a comment')
  for (const text of ['First\nline', 'Second']) {
    await box.fill(text)
    await box.press('Control+Enter')
    await page.locator('li:target:focus', { hasText: text }).waitFor()
  }
  expect(await said()).toEqual(['First\nline', 'Second'])
  expect(await page.getByRole('heading', { name: 'Comments 2' }).count()).toBe(1)
  expect(await flawsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Edit comment' }).first().click()
  const edited = page.getByRole('textbox', { name: 'Edit comment' })
  expect(await edited.inputValue()).toBe('First\nline')
  await page.locator('textarea:focus').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await edited.fill('Changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('li:target:focus', { hasText: 'edited' }).waitFor()
  for (const left of [['Changed'], []]) {
    await page.getByRole('button', { name: 'Delete comment' }).last().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => said()).toEqual(left)
    await page.locator('.comments:focus').waitFor()
  }
})

test('paper has what was said, and nothing to say more', async () => {
  await go()
  const box = page.getByLabel('Write a comment')
  await box.fill('Kept')
  await box.press('Control+Enter')
  await page.locator('li:target').waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.comments .said').isVisible()).toBe(true)
  expect(await page.locator('.comments form:visible').count()).toBe(0)
  expect(await page.locator('.comments .button:visible').count()).toBe(0)
})

test('nothing that is pasted is cut off, however many bytes its characters have', async () => {
  await go()
  const box = page.getByLabel('Write a comment')
  const send = async (text: string, answer: string) => {
    await box.focus()
    await page.keyboard.insertText(text)
    await box.press('Control+Enter')
    await page.locator(answer).waitFor()
  }
  await send('😀'.repeat(5000), 'li:target')
  await send('x'.repeat(5001), '.error')
  expect(await box.inputValue()).toBe('x'.repeat(5001))
  await page.goto(url + record)
  expect(await said()).toEqual(['😀'.repeat(5000)])
})

test('what was refused is still there, and all of it works without script', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(url + record)
  await page.getByLabel('Write a comment').fill('   ')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('Write something first').waitFor()
  await page.getByLabel('Write a comment').fill('Plain')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.locator('li:target', { hasText: 'Plain' }).waitFor()
  await page.getByRole('button', { name: 'Delete comment' }).click()
  await page.getByRole('heading', { name: /^Delete the comment by/ }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No comments yet').waitFor()
})

test('the URL of a comment leads to it, however many came after it', async () => {
  await go()
  const box = page.getByLabel('Write a comment')
  await box.fill('No 1')
  await box.press('Control+Enter')
  await page.locator('li:target', { hasText: 'No 1' }).waitFor()
  const copied = page.url()
  await page.evaluate(async (to) => {
    for (let n = 2; n <= 11; n++)
      await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text: `No ${n}` }) })
  }, `${record}/comments`)
  await page.goto('about:blank')
  await page.goto(copied)
  await page.locator('li:target', { hasText: 'No 1' }).waitFor()
  expect(await said()).toEqual(['No 1'])
})
