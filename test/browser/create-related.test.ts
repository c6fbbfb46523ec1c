import { belongsTo, belongsToMany, definePanel, defineResource, id, text, textarea } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { flawsOf, ownBrowser } from '../support/own-browser.js'
import type { Sqlite } from '../support/sqlite.js'

const authors = sqliteTable('authors', {
  id: integer().primaryKey(),
  name: varchar().notNull().unique(),
  about: varchar(),
  mentorId: integer(),
})
const books = sqliteTable('books', { id: integer().primaryKey(), title: varchar().notNull(), authorId: integer().notNull() })
// Its key is itself a relation, whose search finds authors.
const profiles = sqliteTable('profiles', {
  authorId: integer()
    .primaryKey()
    .references(() => authors.id),
  bio: varchar().notNull(),
})
const readers = sqliteTable('readers', { bookId: integer().notNull(), authorId: integer().notNull() })
const Authors = defineResource({
  model: authors,
  title: 'Authors',
  fields: {
    id: id(),
    name: text('Name').required().searchable().suggestions(['Woolf']),
    about: textarea('About').hint('In a line or two'),
    mentorId: belongsTo('Mentor', authors),
  },
})
const Profiles = defineResource({
  model: profiles,
  title: 'Profiles',
  column: 'bio',
  fields: { authorId: belongsTo('Author', authors), bio: text('Bio') },
})
const Books = defineResource({
  model: books,
  title: 'Books',
  fields: {
    id: id(),
    title: text('Title').required(),
    authorId: belongsTo('Author', authors),
    readerIds: belongsToMany('Readers', readers.authorId).to(authors).from(readers.bookId),
  },
  handlers: {
    hand: {
      label: 'Hand over',
      selection: 'required',
      fields: { to: belongsTo('To', authors).required() },
      run: async ({ ids, update, input }) => {
        for (const one of ids) await update(one, { authorId: Number(input.to) })
        return 'Handed over'
      },
    },
    pin: {
      label: 'Pin',
      selection: 'required',
      fields: { profile: belongsTo('Profile', profiles).required(), note: text('Note') },
      run: async ({ ids, update, input }) => {
        for (const one of ids) await update(one, { title: `${input.note} ${input.profile}` })
      },
    },
  },
  indexButtons: [
    { label: 'Hand over…', handler: 'hand' },
    { label: 'Pin…', handler: 'pin' },
  ],
})

let client: Sqlite
let url: string
let context: BrowserContext
let page: Page
const open = ownBrowser({
  schema: `create table authors (id integer primary key, name text not null unique, about text, "mentorId" integer);
    create table books (id integer primary key, title text not null, "authorId" integer not null);
    create table profiles ("authorId" integer primary key references authors, bio text not null);
    create table readers ("bookId" integer not null, "authorId" integer not null)`,
  panel: (database) => definePanel({ auth: 'open', database, resources: [Books, Authors, Profiles], log: () => {} }),
  before: (client) => {
    client.exec(`delete from readers; delete from books; delete from profiles; delete from authors;
    insert into authors values (1, 'Austen', null, null), (2, 'Gaiman', null, null); insert into profiles values (2, 'Writes novels'); insert into books values (1, 'Emma', 1)`)
  },
  opened: (all) => {
    ;({ client, url, context, page } = all)
  },
})

const go = (path: string) => page.goto(url + path)
const fresh = '/admin/resource/books/form-page'
const dialog = () => page.locator('dialog[open]').last()
const field = (label: string, root: Page | Locator = page) =>
  root.locator(`.field:has(> :is(label, .label):text-matches("^${label}( \\*.*)?$"))`)
const plus = (label: string, root?: Page | Locator) => field(label, root).getByRole('link', { name: 'New in Authors' })
const create = () => dialog().getByRole('button', { name: 'Create', exact: true }).click()
const named = () => (client.prepare('select name from authors order by id').all() as { name: string }[]).map(({ name }) => name)
const focused = () => page.evaluate('document.activeElement?.value ?? null')

test('a new record is created from where it is chosen, named as typed there, and chosen; the page keeps what is typed', async () => {
  await go(fresh)
  await page.getByLabel('Title').fill('Good Omens')
  await page.getByRole('combobox', { name: 'Author', exact: true }).fill('Pratchett')
  await plus('Author').click()
  await dialog().getByRole('heading', { name: 'New in Authors' }).waitFor()
  expect(await dialog().getByLabel('Name').inputValue()).toBe('Pratchett')
  expect(await dialog().locator('.crumbs, [name=_then]').count()).toBe(0)
  await dialog().getByLabel('About').fill('a\nb')
  expect(await dialog().locator('.unsaved').count()).toBe(1)
  await create()
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  expect(await page.locator('.toast').textContent()).toContain('Pratchett created')
  expect(client.prepare('select name, about from authors where id = 3').all()).toEqual([{ name: 'Pratchett', about: 'a\nb' }])
  await expect.poll(focused).toBe('Pratchett')
  expect(await page.locator('[name=authorId]').inputValue()).toBe('3')
  expect(await field('Author').locator('.error').count()).toBe(0)
  expect(await page.getByLabel('Title').inputValue()).toBe('Good Omens')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/books\/crud\/2$/)
  expect(client.prepare('select "authorId" as author from books where id = 2').all()).toEqual([{ author: 3 }])
})

test('what is chosen already names no new record', async () => {
  await go('/admin/resource/books/form-page/1')
  await plus('Author').click()
  expect(await dialog().getByLabel('Name').inputValue()).toBe('')
  await dialog().getByText('Cancel').click()
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  expect(await page.getByRole('combobox', { name: 'Author', exact: true }).inputValue()).toBe('Austen')
  expect(named()).toEqual(['Austen', 'Gaiman'])
})

test('a refusal shows at its field in the dialog, and a lost answer creates no second record', async () => {
  await go(fresh)
  await plus('Author').click()
  await create()
  expect(await field('Name', dialog()).locator('.error').textContent()).toBe('Name is required')
  expect(await page.evaluate("document.activeElement?.getAttribute('name')")).toBe('name')
  await dialog().getByLabel('Name').fill('Austen')
  await create()
  await expect.poll(() => field('Name', dialog()).locator('.error').textContent()).toBe('Name is already taken')
  await dialog().getByLabel('Name').fill('Sand')
  await page.route('**/authors/crud', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await create()
  await dialog().getByText('cannot be reached').waitFor()
  expect(named()).toEqual(['Austen', 'Gaiman', 'Sand'])
  expect(await dialog().getByLabel('Name').inputValue()).toBe('Sand')
  await page.unroute('**/authors/crud')
  await create()
  await expect.poll(() => page.getByRole('combobox', { name: 'Author', exact: true }).inputValue()).toBe('Sand')
  expect(named()).toEqual(['Austen', 'Gaiman', 'Sand'])
})

test('Escape says first that what is typed would be lost; the page below is not saved by Ctrl+S', async () => {
  await go(fresh)
  await page.getByLabel('Title').fill('Persuasion')
  await plus('Author').click()
  await dialog().getByLabel('Name').fill('Someone')
  await page.keyboard.press('Escape')
  expect(await dialog().getByRole('alert').textContent()).toContain('Press Escape again')
  expect(await dialog().getByLabel('Name').inputValue()).toBe('Someone')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  // Without input there is nothing to lose.
  await plus('Author').click()
  await dialog().getByLabel('Name').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  expect(await page.getByLabel('Title').inputValue()).toBe('Persuasion')
  await plus('Author').click()
  await dialog().getByLabel('Name').fill('Anne')
  await page.keyboard.press('Control+s')
  await expect.poll(named).toEqual(['Austen', 'Gaiman', 'Anne'])
  expect(page.url()).toContain(fresh)
  expect(client.prepare('select count(*) as books from books').all()).toEqual([{ books: 1 }])
})

test('a relation to several takes the new record beside the others', async () => {
  await go('/admin/resource/books/form-page/1')
  await page.getByRole('combobox', { name: 'Search Readers' }).fill('Woolf')
  await plus('Readers').click()
  expect(await dialog().getByLabel('Name').inputValue()).toBe('Woolf')
  await create()
  await expect.poll(() => page.locator('.chosen label').allTextContents()).toEqual([' Woolf'])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/books\/crud\/1$/)
  expect(client.prepare('select "authorId" as reader from readers').all()).toEqual([{ reader: 3 }])
})

test('a record for the new record opens above it, and no two elements have the same id', async () => {
  await go(fresh)
  await plus('Author').click()
  await dialog().getByLabel('Name').fill('Pupil')
  await plus('Mentor', dialog()).click()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(2)
  const ids = (await page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)")) as string[]
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  // What is named by an id is still found by it: the suggestions, the heading and the hint.
  expect(await page.evaluate("document.querySelector('dialog [name=name]').list?.options[0]?.value")).toBe('Woolf')
  await page.getByRole('dialog', { name: 'New in Authors' }).last().waitFor()
  expect(
    await page.evaluate(
      "document.getElementById(document.querySelector('dialog [name=about]').getAttribute('aria-describedby'))?.textContent",
    ),
  ).toBe('In a line or two')
  await dialog().getByLabel('Name').fill('Teacher')
  await create()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(1)
  expect(await dialog().getByRole('combobox', { name: 'Mentor' }).inputValue()).toBe('Teacher')
  expect(await dialog().getByLabel('Name').inputValue()).toBe('Pupil')
  await create()
  await expect.poll(() => page.getByRole('combobox', { name: 'Author', exact: true }).inputValue()).toBe('Pupil')
  expect(client.prepare('select name, "mentorId" as mentor from authors where id > 2').all()).toEqual([
    { name: 'Teacher', mentor: null },
    { name: 'Pupil', mentor: 3 },
  ])
})

test("an action's form can do so, too", async () => {
  await go('/admin/resource/books/crud')
  await page.getByRole('button', { name: 'Actions' }).first().click()
  await page.getByText('Hand over…').first().click()
  await plus('To', dialog()).click()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(2)
  await dialog().getByLabel('Name').fill('Heir')
  await create()
  await expect.poll(() => dialog().getByRole('combobox', { name: 'To' }).inputValue()).toBe('Heir')
  await dialog().getByRole('button', { name: 'Hand over' }).click()
  await expect.poll(() => client.prepare('select "authorId" as author from books').all()).toEqual([{ author: 3 }])
})

test('what only the form of an action can search is searched there as one types, and can be created', async () => {
  client.exec("insert into authors values (3, 'Kafka', null, null)")
  await go('/admin/resource/books/crud')
  await page.getByRole('button', { name: 'Actions' }).first().click()
  await page.getByText('Pin…').first().click()
  await dialog().getByLabel('Note').fill('typed')
  const profile = () => dialog().getByRole('combobox', { name: 'Profile' })
  await profile().fill('novels')
  await page.getByRole('option', { name: 'Writes novels' }).click()
  expect(await profile().inputValue()).toBe('Writes novels')
  await dialog().getByRole('link', { name: 'New in Profiles' }).click()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(2)
  await dialog().getByLabel('Bio').fill('Writes of Emma')
  await create()
  await expect.poll(() => profile().inputValue()).toBe('Writes of Emma')
  await dialog().getByRole('button', { name: 'Pin', exact: true }).click()
  await expect.poll(() => client.prepare('select title from books').all()).toEqual([{ title: 'typed 3' }])
})

test('where the form cannot be had, the field says why, and a later attempt clears that', async () => {
  await go(fresh)
  await page.route('**/authors/form-page**', (route) => route.abort())
  await plus('Author').click()
  expect(await field('Author').locator('.error').textContent()).toContain('cannot be reached')
  await page.unroute('**/authors/form-page**')
  await plus('Author').click()
  await dialog().getByLabel('Name').waitFor()
  expect(await field('Author').first().locator('> .error').count()).toBe(0)
})

test('without script, or with Ctrl, the form opens in another tab', async () => {
  await open({ javaScriptEnabled: false })
  await go(fresh)
  await page.getByLabel('Title').fill('Kept')
  const [tab] = await Promise.all([context.waitForEvent('page'), plus('Author').click()])
  await tab.getByRole('heading', { name: 'New in Authors' }).waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Kept')
  await open()
  await go(fresh)
  const [other] = await Promise.all([context.waitForEvent('page'), plus('Author').click({ modifiers: ['Control'] })])
  await other.getByRole('heading', { name: 'New in Authors' }).waitFor()
  expect(await page.locator('dialog').count()).toBe(0)
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing in the dialog, %s, and nothing scrolls sideways on a phone',
  async (colorScheme) => {
    await open({ colorScheme, viewport: { width: 360, height: 740 }, hasTouch: true })
    await go(fresh)
    await plus('Author').click()
    await dialog().getByLabel('About').fill('Someone')
    await page.keyboard.press('Escape')
    await dialog().getByRole('alert').waitFor()
    await create()
    await field('Name', dialog()).locator('.error').waitFor()
    expect(await flawsOf(page)).toEqual([])
    const box = await dialog().boundingBox()
    expect(box?.width).toBeLessThanOrEqual(360)
    const wide = await dialog().evaluate((one) => one.scrollWidth - one.clientWidth)
    expect(wide).toBe(0)
  },
)
