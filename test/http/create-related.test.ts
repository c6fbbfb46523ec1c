import { belongsTo, belongsToMany, definePanel, defineResource, id, memoryStore, number, text } from 'daymark'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { testPanel } from '../../src/testing.js'

const authors = sqliteTable('authors', { id: integer().primaryKey(), name: varchar().notNull() })
const places = sqliteTable('places', { id: integer().primaryKey(), number: integer().notNull() })
const signs = sqliteTable('signs', { id: integer().primaryKey(), name: varchar().notNull() })
const marks = sqliteTable('marks', { bookId: integer().notNull(), authorId: integer().notNull() })
const books = sqliteTable('books', {
  id: integer().primaryKey(),
  authorId: integer(),
  editorId: integer(),
  placeId: integer(),
  signId: integer(),
})

const Authors = defineResource({
  model: memoryStore(authors),
  title: 'Authors',
  fields: { id: id(), name: text('Name').editable(['admin', 'namer', 'unlisting']) },
  can: { create: ['admin', 'maker', 'unlisting'], viewAny: ['admin', 'maker', 'reader'] },
})
const Places = defineResource({
  model: memoryStore(places),
  title: 'Places',
  column: 'number',
  fields: { id: id(), number: number('Number') },
})
const Signs = defineResource({ model: memoryStore(signs), title: 'Signs', activeActions: ['view', 'update'] })
const Books = defineResource({
  model: memoryStore(books),
  title: 'Books',
  fields: {
    id: id(),
    authorId: belongsTo('Author', authors),
    editorId: belongsTo('Editor', authors).createInForm(false),
    placeId: belongsTo('Place', places),
    signId: belongsTo('Sign', signs),
  },
})
const Shelves = defineResource({
  model: memoryStore(sqliteTable('shelves', { id: integer().primaryKey() })),
  fields: { id: id() },
})
const app = testPanel(definePanel({ auth: 'open', resources: [Books, Authors, Places, Signs, Shelves] }))

/** The links to create a related record, by field, with what they prefill. */
const links = async (roles: readonly string[]) => {
  const { text: page } = await app.as({ roles: [...roles] }).html.get('/admin/resource/books/form-page')
  const fields = page.split('<div class="field">').slice(1)
  return fields.flatMap((field) => {
    const [, href, named] = /<a class="button create" href="([^"]+)"[^>]*?(?: data-named="([^"]+)")?>/.exec(field) ?? []
    return href === undefined ? [] : [[/<label for="field-(\w+)"/.exec(field)?.[1], href, named]]
  })
}

test('a form leads to the form of a new related record, for those who may create and list them, and where it is not turned off', async () => {
  const toAuthors = ['authorId', '/admin/resource/authors/form-page']
  const toPlaces = ['placeId', '/admin/resource/places/form-page', undefined]
  // A number is not typed in the search as it is written in the form, and nobody creates signs.
  expect(await links(['admin'])).toEqual([[...toAuthors, 'value[name]'], toPlaces])
  expect(await links(['maker'])).toEqual([[...toAuthors, undefined], toPlaces])
  expect(await links(['reader'])).toEqual([toPlaces])
  expect(await links(['unlisting'])).toEqual([toPlaces])
})

test('the records of a resource are searched by its key, by those who may list them', async () => {
  const ada = await app.create(authors, { name: 'Ada' })
  const search = (roles: readonly string[], field = 'id') =>
    app.as({ roles: [...roles] }).get(`/admin/async-search/authors/${field}?query=ad`)
  expect((await search(['reader'])).json()).toEqual({ data: [{ key: String(ada.id), label: 'Ada' }] })
  expect((await search(['unlisting'])).json()).toEqual({ data: [] })
  expect((await search(['admin'], 'name')).status).toBe(404)
  expect((await app.html.get('/admin/async-search/authors/id?query=ad')).text).toContain('<li>Ada</li>')
})

test('filters and records have no such link', async () => {
  const one = await app.create(books, {})
  for (const path of ['crud', `crud/${one.id}`]) {
    const page = await app.html.get(`/admin/resource/books/${path}`)
    expect([page.status, page.text.includes('button create"')]).toEqual([200, false])
  }
})

test('the setting is one of both kinds of relation', () => {
  const facts = (on: boolean) => [
    belongsTo('A', authors).createInForm(on).facts.createInForm,
    belongsToMany('B', marks.authorId).createInForm(on).facts.createInForm,
  ]
  expect([facts(false), facts(true)]).toEqual([
    [false, false],
    [true, true],
  ])
})
