import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, belongsToMany, chart, definePage, definePanel, defineResource, groups, id, text, trashResource } from 'daymark'
import { testPanel } from 'daymark/testing'
import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterAll, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const authors = sqliteTable('authors', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  deletedAt: integer('deleted_at', { mode: 'timestamp' }),
})
const books = sqliteTable('books', {
  id: integer().primaryKey(),
  title: varchar(),
  editorId: integer('editor_id').references(() => authors.id),
})
const bookAuthors = sqliteTable(
  'book_authors',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    authorId: integer('author_id')
      .notNull()
      .references(() => authors.id),
  },
  (link) => [primaryKey({ columns: [link.bookId, link.authorId] })],
)
const Authors = defineResource({ model: authors, fields: { id: id(), name: text('Name') }, softDelete: 'deletedAt' })
const Books = defineResource({
  model: books,
  fields: {
    id: id(),
    title: text('Title'),
    editorId: belongsTo('Editor'),
    authorIds: belongsToMany('Authors', bookAuthors.authorId).as('authors'),
  },
  filters: ['editorId', 'authorIds'],
  pages: { index: ['editorId', 'authorIds'] },
  clickAction: 'DETAIL',
  history: true,
})
const home = definePage({
  uri: 'home',
  title: 'Home',
  components: [chart({ name: 'books', label: 'Books', data: groups.count(Books, { by: 'editorId' }) })],
})

const dir = mkdtempSync(join(tmpdir(), 'daymark-trash-labels-'))
const client = new Sqlite(join(dir, 'books.db'))
client.exec(`create table authors (id integer primary key, name text not null, deleted_at integer);
  create table books (id integer primary key, title text, editor_id integer references authors (id));
  create table book_authors (book_id integer not null, author_id integer not null, primary key (book_id, author_id));
  insert into authors values (1, 'Ann', null), (2, 'Bob', null), (3, 'Cid', 1);`)
client.close()
const panels = [trashResource(Authors, { locale: 'de' }), null].map((trash) =>
  definePanel({
    auth: 'open',
    database: `sqlite:${join(dir, 'books.db')}`,
    locale: trash ? 'de' : 'en',
    home,
    resources: trash ? [Authors, Books, trash] : [Authors, Books],
  }),
)
afterAll(async () => {
  for (const panel of panels) await panel.close()
  rmSync(dir, { recursive: true, force: true })
})
const [app, without] = panels.map((panel) => testPanel(panel)) as [ReturnType<typeof testPanel>, ReturnType<typeof testPanel>]
const path = '/admin/resource/books/crud'
await app.post(path, { title: 'One', editorId: 2, authorIds: [1, 2] })
await app.delete('/admin/resource/authors/crud/2')
const mark = '<s title="Bob (im Papierkorb)">Bob</s></a><span class="unseen"> (im Papierkorb)</span>'

test('among several records, those in the trash come last, and say so; in the form at their boxes', async () => {
  const list = (await app.html.get(path)).text
  expect(list).toContain(`Ann</a></bdi>, <bdi><a href="/admin/resource/authors-trash/crud/2">${mark}</bdi>`)
  // What stands for the record itself is a link to it, without another one inside.
  expect(list).toContain('<a href="/admin/resource/books/crud/1">Bob (im Papierkorb)</a>')
  expect((await app.html.get('/admin/resource/books/form-page/1')).text).toMatch(/value="2" checked> <span>Bob \(im Papierkorb\)<\/span>/)
})

test('so do filters in force, charts and the history', async () => {
  expect((await app.html.get(`${path}?filter[editorId]=2`)).text).toContain('Bob (im Papierkorb)')
  expect((await app.html.get('/admin')).text).toContain('Bob (im Papierkorb)')
  expect((await app.html.get(`${path}/1/history`)).text).toContain('<s>Bob</s>')
})

test('a form that was opened before saves what it shows untouched', async () => {
  const sent = await app.html.post(
    `${path}/1`,
    new URLSearchParams([
      ['_method', 'PUT'],
      ['title', 'Two'],
      ['editorId', '2'],
      ['authorIds', ''],
      ['authorIds', '1'],
      ['authorIds', '2'],
    ]),
  )
  expect(sent.status).toBe(303)
  expect((await app.get(`${path}/1`)).json()).toMatchObject({ data: { title: 'Two', editorId: 2, authorIds: [1, 2] } })
})

test('a panel that shows no trash tells nothing of it', async () => {
  for (const at of [path, `${path}/1`, '/admin/resource/books/form-page/1', '/admin', `${path}/1/history`])
    expect((await without.html.get(at)).text).not.toMatch(/Bob|trash/)
})
