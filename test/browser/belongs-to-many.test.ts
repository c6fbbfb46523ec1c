import { belongsToMany, definePanel, defineResource, hasMany, id, select, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const books = sqliteTable('books', {
  id: integer().primaryKey(),
  title: varchar().notNull(),
  genres: varchar({ mode: 'json' }).$type<readonly string[]>(),
})
const authors = sqliteTable('authors', { id: integer().primaryKey(), name: varchar().notNull() })
const links = sqliteTable('links', {
  bookId: integer()
    .notNull()
    .references(() => books.id),
  authorId: integer()
    .notNull()
    .references(() => authors.id),
})
const Books = defineResource({
  model: books,
  title: 'Books',
  fields: {
    id: id(),
    title: text('Title').required(),
    authorIds: belongsToMany('Authors', links.authorId).max(3).hint('In any order'),
    genres: select('Genres').options(['crime', 'love', 'war']).multiple().hint('As many as apply'),
  },
  validate: ({ values }) => (values.genres && values.genres.length > 2 ? { genres: 'Two at most' } : null),
  filters: ['title', 'authorIds'],
  handlers: {
    sign: {
      label: 'Sign',
      selection: 'required',
      fields: { by: belongsToMany('By', links.authorId).required() },
      run: async ({ ids, update, input }) => {
        for (const one of ids) await update(one, { authorIds: input.by ?? [] })
        return 'Signed'
      },
    },
  },
  indexButtons: [{ label: 'Sign…', handler: 'sign' }],
})
const Authors = defineResource({
  model: authors,
  title: 'Authors',
  fields: { id: id(), name: text('Name').searchable() },
  related: [hasMany(Books)],
})

let client: Sqlite
let url: string
let context: BrowserContext
let page: Page
const open = ownBrowser({
  schema: `create table books (id integer primary key, title text not null, genres text); create table authors (id integer primary key, name text not null);
    create table links ("bookId" integer not null references books, "authorId" integer not null references authors);
    insert into authors values (1, 'Ümit'), (2, 'Pratchett'), (3, 'Gaiman'), (4, 'Austen'), (5, 'Gaiman, Neil')`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Books, Authors], log: () => {} }),
  before: (client) => {
    client.exec(
      "delete from links; delete from books; insert into books values (1, 'Good Omens', null); insert into links values (1, 3), (1, 2)",
    )
  },
  opened: (all) => {
    ;({ client, url, context, page } = all)
  },
})

const form = '/admin/resource/books/form-page/1'
const go = (path: string) => page.goto(url + path)
const stored = () =>
  (client.prepare('select "authorId" as id from links where "bookId" = 1 order by id').all() as { id: number }[]).map(({ id }) => id)
const field = () => page.locator('.field:has(.several)')
const search = () => field().getByRole('combobox')
const boxes = () =>
  field()
    .locator('.chosen label')
    .evaluateAll((all) => all.map((one) => `${one.querySelector('input')?.checked ? '+' : '-'}${one.textContent?.trim()}`))
const save = () => page.locator('.actions button.primary').click()
const saved = () => page.waitForURL(/\/crud\/\d+/)

test('records are added by typing and by keys, and removed by unticking; each can be undone until the form is saved', async () => {
  await go(form)
  expect(await boxes()).toEqual(['+Gaiman', '+Pratchett'])
  await search().click()
  await expect
    .poll(() => field().getByRole('option').allTextContents())
    .toEqual(['Austen', 'Gaiman✓', 'Gaiman, Neil', 'Pratchett✓', 'Ümit'])
  await search().fill('aus')
  await page.keyboard.press('Enter')
  await expect.poll(boxes).toEqual(['+Gaiman', '+Pratchett', '+Austen'])
  await expect.poll(() => page.locator('[aria-live=polite]').allTextContents()).toEqual(['Austen is chosen'])
  expect(await search().inputValue()).toBe('')
  await page.locator('.unsaved').waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await expect.poll(boxes).toEqual(['+Gaiman', '+Pratchett', '-Austen'])
  await field().getByRole('checkbox', { name: 'Gaiman' }).uncheck()
  await search().fill('austen')
  await field()
    .getByRole('option', { name: /Austen/ })
    .click()
  await expect.poll(boxes).toEqual(['-Gaiman', '+Pratchett', '+Austen'])
  expect(stored()).toEqual([2, 3])
  await save()
  await saved()
  expect(stored()).toEqual([2, 4])
  expect(await page.locator('.facts').first().textContent()).toContain('Austen, Pratchett')
  await page.getByRole('link', { name: 'Austen' }).click()
  await page.waitForURL(/authors\/crud\/4/)
  expect(await page.locator('.listing.card').textContent()).toContain('Good Omens')
})

test('a whole name that is typed counts, another text is told and kept, and Escape takes it back', async () => {
  await go(form)
  await search().fill('üMIT')
  await page.locator('#field-title').click()
  await expect.poll(boxes).toEqual(['+Gaiman', '+Pratchett', '+Ümit'])
  await search().fill('gai')
  await save()
  await field().locator('.error').waitFor()
  expect(stored()).toEqual([2, 3])
  expect([await search().inputValue(), await search().getAttribute('aria-invalid')]).toEqual(['gai', 'true'])
  await search().focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => search().inputValue()).toBe('')
  await expect.poll(() => field().locator('.error').count()).toBe(0)
  await save()
  await saved()
  expect(stored()).toEqual([1, 2, 3])
})

test('what is refused stays as it was chosen, with the words at the field', async () => {
  await go(form)
  for (const name of ['Austen', 'Ümit']) {
    await search().fill(name)
    await field().getByRole('option', { name }).click()
  }
  await save()
  await expect.poll(() => field().locator('.error').textContent()).toContain('3')
  await expect.poll(boxes).toEqual(['+Austen', '+Gaiman', '+Pratchett', '+Ümit'])
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Search Authors')
  expect(await search().getAttribute('aria-invalid')).toBe('true')
  expect(stored()).toEqual([2, 3])
  await field().getByRole('checkbox', { name: 'Austen' }).uncheck()
  await save()
  // A form that was refused has the address of the record already, so that says nothing.
  await expect.poll(stored).toEqual([1, 2, 3])
})

test('that there are too many is told as soon as they are, and stays until there are fewer', async () => {
  await go(form)
  const add = async (name: string) => {
    await search().fill(name)
    await field().getByRole('option', { name }).click()
  }
  const error = () => field().locator('.error').allTextContents()
  await add('Austen')
  expect(await error()).toEqual([])
  await add('Ümit')
  await expect.poll(error).toEqual(['Authors: at most 3'])
  await page.locator('#field-title').click()
  await search().click()
  await page.keyboard.press('Escape')
  await page.locator('#field-title').click()
  expect(await error()).toEqual(['Authors: at most 3'])
  await field().getByRole('checkbox', { name: 'Austen' }).uncheck()
  await expect.poll(error).toEqual([])
})

test('a slow search shows that it searches', async () => {
  await go(form)
  let answer: (() => void) | undefined
  const asked = new Promise<void>((done) => (answer = done))
  await page.route(/query=aus/, async (route) => {
    await asked
    await route.continue()
  })
  const mark = () => page.evaluate("getComputedStyle(document.querySelector('.several > .combobox'), '::after').content")
  expect(await mark()).toBe('none')
  await search().fill('aus')
  await expect.poll(mark).toBe('""')
  answer?.()
  await expect.poll(() => field().getByRole('option').allTextContents()).toEqual(['Austen'])
  expect(await mark()).toBe('none')
})

test('a search that the panel cannot answer says why', async () => {
  await go(form)
  const options = () => field().getByRole('option').allTextContents()
  await context.setOffline(true)
  await search().fill('aus')
  await expect.poll(options).toEqual(['The panel cannot be reached'])
  await context.setOffline(false)
  await page.route(/query=pra/, (route) => route.fulfill({ status: 401, json: { message: 'Sign in first' } }))
  await search().fill('pra')
  await expect.poll(options).toEqual(['Sign in first'])
  await search().fill('aus')
  await expect.poll(options).toEqual(['Austen'])
})

test('an untouched form changes nothing, and all may be unticked', async () => {
  await go(form)
  expect(await page.locator('.unsaved').count()).toBe(0)
  for (const name of ['Gaiman', 'Pratchett']) await field().getByRole('checkbox', { name }).uncheck()
  await save()
  await saved()
  expect(stored()).toEqual([])
  await go(form)
  expect(await boxes()).toEqual([])
})

async function ask() {
  await go('/admin/resource/books/crud')
  await page.getByRole('button', { name: 'Actions' }).or(page.locator('.rows td.menu button')).first().click()
  await page.getByRole('menuitem', { name: 'Sign…' }).or(page.getByText('Sign…')).first().click()
  return page.getByRole('dialog')
}

test('the dialog of an action asks for several, and requires one', async () => {
  const dialog = await ask()
  await dialog.getByRole('group', { name: 'By (required)', exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Sign' }).click()
  await dialog.locator('.field .error').waitFor()
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Search By')
  await page.keyboard.type('aust')
  await dialog.getByRole('option', { name: 'Austen' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog.locator('.chosen').getByRole('checkbox', { name: 'Austen' }).waitFor()
  expect(stored()).toEqual([2, 3])
  await dialog.getByRole('button', { name: 'Sign' }).click()
  await expect.poll(stored).toEqual([4])
})

test('in a dialog the options lie over it, above the search where there is no room below, and go with it', async () => {
  for (let i = 6; i < 30; i++) client.exec(`insert into authors values (${i}, 'Author ${i}')`)
  const dialog = await ask()
  const search = dialog.getByRole('combobox')
  await search.click()
  const options = dialog.locator('.options')
  await options.getByRole('option').first().waitFor()
  const place = async () => {
    const [list, input] = [await options.boundingBox(), await search.boundingBox()]
    return { below: (list?.y ?? 0) - (input?.y ?? 0) - (input?.height ?? 0), above: (input?.y ?? 0) - (list?.y ?? 0) - (list?.height ?? 0) }
  }
  expect((await place()).below).toBe(4)
  expect((await options.boundingBox())?.height).toBe(280)
  expect(await dialog.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 330 })
  await expect.poll(async () => (await place()).above).toBe(4)
  await page.keyboard.press('Escape')
  expect([await options.isVisible(), await dialog.isVisible()]).toEqual([false, true])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  client.exec('delete from authors where id > 5')
})

test('the dialog of an action holds back a text that names no record', async () => {
  const dialog = await ask()
  const search = dialog.getByRole('combobox')
  await search.fill('gaiman')
  await dialog.getByRole('option').first().waitFor()
  await search.fill('zzz')
  await dialog.getByRole('option', { name: 'Nothing found' }).waitFor()
  await dialog.getByRole('button', { name: 'Sign' }).click()
  await dialog.locator('.field .error').waitFor()
  expect([await search.inputValue(), stored()]).toEqual(['zzz', [2, 3]])
  // A whole name counts.
  await search.fill('pratchett')
  await dialog.getByRole('button', { name: 'Sign' }).click()
  await expect.poll(stored).toEqual([2])
})

test('a filter finds the books of one author, by search', async () => {
  await go('/admin/resource/books/crud')
  await page.locator('.filter', { hasText: 'Authors' }).locator('button, summary').first().click()
  const box = page.locator('.filter', { hasText: 'Authors' }).getByRole('combobox')
  await box.fill('aust')
  await page.locator('.filter', { hasText: 'Authors' }).getByRole('option', { name: 'Austen' }).click()
  await page.waitForURL(/filter%5BauthorIds%5D%5Bcontains%5D=4/)
  await expect.poll(() => page.locator('.chips').textContent()).toContain('Authors: Austen')
  expect(await page.locator('.rows').textContent()).not.toContain('Good Omens')
})

test('on a phone, the card of a record keeps its two lines, however many records it lists', async () => {
  await open({ viewport: { width: 390, height: 800 } })
  client.exec('insert into links values (1, 1), (1, 4), (1, 5)')
  await go('/admin/resource/books/crud')
  const cell = page.locator('.rows td', { hasText: 'Pratchett' })
  expect(await cell.textContent()).toBe('Austen, Gaiman, Gaiman, Neil, Pratchett, Ümit')
  const [list, card] = [await cell.boundingBox(), await page.locator('.rows tbody tr').boundingBox()]
  expect(list?.height).toBeLessThanOrEqual(20)
  expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThan((card?.y ?? 0) + (card?.height ?? 0))
  expect(await cell.getAttribute('title')).toBe('Austen, Gaiman, Gaiman, Neil, Pratchett, Ümit')
})

test('two hundred records leave the search in reach, a long name its space, and one that is added is in view', async () => {
  client.exec(`insert into authors values (6, '${'Of the long name '.repeat(20)}'); insert into links values (1, 6);
    with recursive n(i) as (select 1000 union all select i + 1 from n where i < 1199) insert into authors select i, 'Author ' || i from n;
    insert into links select 1, id from authors where id >= 1000`)
  await go(form)
  const [from, to] = [await page.locator('#field-title').boundingBox(), await search().boundingBox()]
  expect((to?.y ?? 0) - (from?.y ?? 0)).toBeLessThan(320)
  const name = field().locator('.chosen label', { hasText: 'Of the long name' })
  await name.scrollIntoViewIfNeeded()
  const [box, words] = [await name.boundingBox(), await name.locator('span').boundingBox()]
  expect((words?.y ?? 0) - (box?.y ?? 0)).toBeGreaterThanOrEqual(4)
  await search().fill('Austen')
  await field().getByRole('option', { name: 'Austen' }).click()
  const added = await field().locator('.chosen label', { hasText: 'Austen' }).boundingBox()
  expect((added?.y ?? 0) + (added?.height ?? 0)).toBeLessThanOrEqual((await search().boundingBox())?.y ?? 0)
  client.exec('delete from links; delete from authors where id > 5')
})

test('names of another direction keep their order among the others', async () => {
  client.exec("insert into authors values (6, 'أحمد'), (7, 'عمر'); insert into links values (1, 6), (1, 7)")
  await go('/admin/resource/books/crud/1')
  const links = page.locator('.facts a')
  expect(await links.allTextContents()).toEqual(['Gaiman', 'Pratchett', 'أحمد', 'عمر'])
  const at = await Promise.all((await links.all()).map(async (one) => (await one.boundingBox())?.x ?? 0))
  expect(at).toEqual([...at].sort((a, b) => a - b))
  client.exec('delete from links; delete from authors where id > 5')
})

test('without JavaScript, a search adds boxes to tick', async () => {
  await open({ javaScriptEnabled: false })
  await go(form)
  expect(await boxes()).toEqual(['+Gaiman', '+Pratchett'])
  await field().getByRole('checkbox', { name: 'Pratchett' }).uncheck()
  await field().locator('summary').click()
  await field().getByRole('searchbox').fill('a')
  await field().getByRole('button', { name: 'Search' }).click()
  expect(await boxes()).toEqual(['+Gaiman'])
  const found = field().locator('.choices')
  expect(await found.getByRole('checkbox', { name: 'Gaiman', exact: true }).isDisabled()).toBe(true)
  await found.getByRole('checkbox', { name: 'Austen' }).check()
  await found.getByRole('checkbox', { name: 'Pratchett' }).check()
  await save()
  await saved()
  expect(stored()).toEqual([2, 3, 4])
})

test.each([true, false])('a group is described by its hint and its errors, with JavaScript or without (%s)', async (javaScriptEnabled) => {
  await open({ javaScriptEnabled })
  await go(form)
  const described = async (name: string) => {
    const by = await page.getByRole('group', { name, exact: true }).getAttribute('aria-describedby')
    return Promise.all((by ?? '').split(' ').map((one) => page.locator(`#${one}`).textContent()))
  }
  expect([await described('Authors'), await described('Genres')]).toEqual([['In any order'], ['As many as apply']])
  // A group within a group would have no name.
  expect(await page.getByRole('group', { name: 'Genres' }).getByRole('group').count()).toBe(0)
  for (const name of ['Crime', 'Love', 'War']) await page.getByRole('checkbox', { name }).check()
  if (javaScriptEnabled) await expect.poll(() => described('Genres')).toEqual(['As many as apply', 'Two at most'])
  await save()
  await page.locator('.notices').waitFor()
  expect(await described('Genres')).toEqual(['As many as apply', 'Two at most'])
  expect(await page.locator('[aria-invalid=true]').getAttribute('value')).toBe('crime')
  if (!javaScriptEnabled) return
  expect(await page.locator(':focus').getAttribute('value')).toBe('crime')
  await page.getByRole('checkbox', { name: 'War' }).uncheck()
  await expect.poll(() => described('Genres')).toEqual(['As many as apply'])
})

test.each(['light', 'dark'] as const)('axe finds nothing in the form, %s, and nothing scrolls sideways on a phone', async (colorScheme) => {
  await open({ colorScheme, viewport: { width: 390, height: 800 } })
  await go(form)
  await search().fill('a')
  await field().getByRole('option').first().waitFor()
  expect(await flawsOf(page)).toEqual([])
})
