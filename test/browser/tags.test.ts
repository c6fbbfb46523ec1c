import { belongsTo, definePanel, defineResource, hasMany, id, tags, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const posts = sqliteTable('posts', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  tags: varchar({ mode: 'json' }).$type<string[]>(),
  aliases: varchar({ mode: 'json' }).$type<string[]>().notNull(),
  venue: varchar(),
  modelId: integer().references(() => models.id),
})
const models = sqliteTable('models', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  words: varchar({ mode: 'json' }).$type<string[]>(),
})
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  postId: integer()
    .notNull()
    .references(() => posts.id),
  marks: varchar({ mode: 'json' }).$type<string[]>(),
})
const Posts = defineResource({
  model: posts,
  fields: {
    id: id(),
    name: text('Name'),
    tags: tags('Tags').suggestions(['news', 'sports', 'Sporting goods', 'weather']).max(4).itemMax(20).hint('What it is about'),
    aliases: tags('Aliases').default([]),
    venue: text('Venue').showWhen('tags', 'sports'),
    modelId: belongsTo('Model', models).fills({ aliases: 'words' }),
  },
  filters: ['tags'],
  related: [hasMany('notes', { inForm: ['marks'] })],
})
const Notes = defineResource({ model: notes, fields: { id: id(), postId: belongsTo('Post'), marks: tags('Marks') } })
const Models = defineResource({ model: models, fields: { id: id(), name: text('Name'), words: tags('Words') } })
const form = '/admin/resource/posts/form-page/1'

let client: Sqlite
let url: string
let page: Page
const open = ownBrowser({
  schema: `create table models (id integer primary key, name text not null, words text);
    create table posts (id integer primary key, name text not null, tags text, aliases text not null default '[]', venue text, "modelId" integer references models (id));
    create table notes (id integer primary key, "postId" integer not null references posts (id), marks text)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Posts, Notes, Models], log: () => {} }),
  before: (client) =>
    client.exec(`delete from notes; delete from posts; delete from models; insert into models values (1, 'Usual', '["one, two","three"]');
      insert into posts (id, name, tags) values (1, 'One', '["Bern, Basel","<b>"]'), (2, 'Two', '["a","b","c","d","e","f"]')`),
  opened: (all) => {
    ;({ client, url, page } = all)
  },
})

const input = (label = 'Tags') => page.getByLabel(label, { exact: true })
const field = (label = 'Tags') => page.locator('.field', { has: input(label) })
const chips = (label = 'Tags') => field(label).locator('li > span').allInnerTexts()
const save = async () => {
  await page.locator('.actions button.primary').click()
  await page.waitForURL(/\/crud\/1/)
}
const stored = (column = 'tags') =>
  JSON.parse(String((client.prepare('select * from posts where id = 1').get() as Record<string, string>)[column]))
const said = () => page.locator('[aria-live=polite]').last().innerText()
const go = async (path = form) => {
  await page.goto(url + path)
  await input().and(page.locator('input')).waitFor()
}

test('Enter and a comma add what is typed, Backspace takes the last one back, and what is left in the control is saved, too', async () => {
  await go()
  expect(await chips()).toEqual(['Bern, Basel', '<b>'])
  await input().click()
  await page.keyboard.type(' zebra ')
  await page.keyboard.press('Enter')
  expect([await chips(), await input().inputValue(), await said()]).toEqual([['Bern, Basel', '<b>', 'zebra'], '', 'zebra added'])
  await page.keyboard.type('x,, zebra,')
  expect(await chips()).toEqual(['Bern, Basel', '<b>', 'zebra', 'x'])
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  expect([await chips(), await said()]).toEqual([['Bern, Basel', '<b>'], 'zebra removed'])
  await expect.poll(() => page.locator('.unsaved').isVisible()).toBe(false)
  await page.keyboard.type('last')
  await expect.poll(() => page.locator('.unsaved').isVisible()).toBe(true)
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/crud\/1/)
  expect(stored()).toEqual(['Bern, Basel', '<b>', 'last'])
})

test('suggestions are chosen by keyboard, and anything else is taken as well', async () => {
  await go()
  await input().click()
  await page.keyboard.type('SPO')
  await expect.poll(() => field().getByRole('option').allInnerTexts()).toEqual(['sports', 'Sporting goods'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await chips()).toEqual(['Bern, Basel', '<b>', 'sports'])
  expect(await field().getByRole('option').count()).toBe(0)
  // What shows only with one of them.
  await expect.poll(() => input('Venue').isVisible()).toBe(true)
  // One that is there is not offered again.
  await page.keyboard.type('spo')
  await expect.poll(() => field().getByRole('option').allInnerTexts()).toEqual(['Sporting goods'])
  await page.keyboard.press('Enter')
  expect(await chips()).toEqual(['Bern, Basel', '<b>', 'sports', 'spo'])
  await page.getByRole('button', { name: 'Remove sports' }).click()
  await expect.poll(() => input('Venue').isVisible()).toBe(false)
})

test('lines that are pasted keep their commas, a line alone is parted by them', async () => {
  await go()
  await input('Aliases').click()
  // As a browser does: what no script takes is inserted.
  const paste = (text: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(text)})
      const isLeft = document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      if (isLeft) document.execCommand('insertText', false, ${JSON.stringify(text)})
    })()`)
  await paste('Bern, Basel\r\n\r\n Zug \r\n')
  await paste('a, b, c')
  expect(await chips('Aliases')).toEqual(['Bern, Basel', 'Zug', 'a', 'b'])
  await save()
  expect(stored('aliases')).toEqual(['Bern, Basel', 'Zug', 'a', 'b', 'c'])
})

test('each is removed by its button, by keyboard, and the focus stays among them', async () => {
  await go()
  await page.getByRole('button', { name: 'Remove Bern, Basel' }).focus()
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Remove <b>')
  await page.keyboard.press('Space')
  expect(await page.evaluate('document.activeElement.id')).toBe('field-tags')
  await save()
  expect((client.prepare('select tags from posts where id = 1').get() as { tags: unknown }).tags).toBe(null)
})

test('what is wrong is said at once, with the text that is wrong, and in a refused form', async () => {
  await go()
  await input().fill('something far too long, 4,')
  const error = field().locator(':scope > .error')
  await expect.poll(() => error.innerText()).toBe('Tags “something far too long” must have at most 20 characters')
  expect(await input().getAttribute('aria-invalid')).toBe('true')
  await page.locator('.actions button.primary').click()
  await expect.poll(() => page.locator('.notice.bad a').first().innerText()).toContain('Tags “something far too long”')
  await page.locator('.notice.bad a').first().click()
  expect(await page.evaluate('document.activeElement.id')).toBe('field-tags')
  expect(await chips()).toEqual(['Bern, Basel', '<b>', 'something far too long', '4'])
  expect(await flawsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove something far too long' }).click()
  await expect.poll(() => error.count()).toBe(0)
  await input().fill('5, 6')
  await input().press('Enter')
  await expect.poll(() => error.innerText()).toBe('Tags: at most 4')
  await input().press('Backspace')
  await expect.poll(() => error.count()).toBe(0)
  await save()
  // The refused form has that address already.
  await expect.poll(() => stored()).toEqual(['Bern, Basel', '<b>', '4', '5'])
})

test('rows of related records have such controls, too, and a choice fills them', async () => {
  await go()
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.locator('.nested .tags input:visible').fill('first, second')
  await page.getByRole('combobox', { name: 'Model' }).fill('Us')
  await page.getByRole('option', { name: 'Usual' }).click()
  await expect.poll(() => chips('Aliases')).toEqual(['one, two', 'three'])
  await save()
  expect(client.prepare('select marks from notes').all()).toMatchObject([{ marks: '["first","second"]' }])
  expect(stored('aliases')).toEqual(['one, two', 'three'])
})

test('without script, each is a line of a text area', async () => {
  await open({ javaScriptEnabled: false })
  await page.goto(url + form)
  expect(await input().inputValue()).toBe('Bern, Basel\n<b>')
  await input().fill('Bern, Basel\n\n new \nnew')
  await save()
  expect(stored()).toEqual(['Bern, Basel', 'new'])
  await page.goto(`${url}/admin/resource/posts/crud`)
  expect(await page.locator('[data-key="2"] .badges').first().innerText()).toMatch(/^a\s*b\s*c\s*\+3$/)
})

test('a filter offers the suggestions, and finds by one whole text', async () => {
  await page.goto(`${url}/admin/resource/posts/crud`)
  await page.locator('summary', { hasText: 'Tags' }).click()
  const filter = page.locator('#filter-tags-contains')
  expect(await page.locator('#filter-tags-contains-list option').count()).toBe(4)
  await filter.fill('Bern, Basel')
  await filter.press('Enter')
  await expect.poll(() => page.locator('.rows [data-key]').count()).toBe(1)
  expect(await page.locator('.chip').innerText()).toBe('Tags: Bern, Basel')
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing in the form and on the page, %s, and nothing scrolls sideways on a phone',
  async (colorScheme) => {
    await open({ colorScheme, viewport: { width: 390, height: 800 } })
    await go()
    await input().fill('spo')
    await field().getByRole('option').first().waitFor()
    expect(await flawsOf(page)).toEqual([])
    await page.goto(`${url}/admin/resource/posts/crud/1`)
    expect(await flawsOf(page)).toEqual([])
  },
)
