import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { belongsTo, definePanel, defineResource, hasMany, id, memoryStore, number, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { type AnySQLiteColumn, integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeAll, expect, test } from 'vitest'
import { Sqlite } from '../support/sqlite.js'

const countries = sqliteTable('countries', {
  code: varchar().primaryKey(),
  name: varchar().notNull(),
  partOf: varchar().references((): AnySQLiteColumn => countries.code),
})
const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  people: integer().notNull(),
  countryId: varchar().references(() => countries.code),
})
const roads = sqliteTable('roads', {
  id: integer().primaryKey(),
  fromId: varchar().references(() => countries.code),
  toId: varchar().references(() => countries.code),
})
const vaults = sqliteTable('vaults', { id: integer().primaryKey(), countryId: varchar().references(() => countries.code) })

const store = memoryStore()
const over = <T>(table: T) => ({ ...store, table })
const Cities = defineResource({
  model: over(cities),
  fields: { id: id(), name: text('Name').sortable(), people: number('People').sortable(), countryId: belongsTo('Country', countries) },
  filters: ['countryId'],
  scope: ({ user }) => (user.roles.includes('reader') ? { people: { gte: 100 } } : { people: { gte: 0 } }),
})
const Roads = defineResource({
  model: over(roads),
  fields: { id: id(), fromId: belongsTo('From', countries), toId: belongsTo('To', countries).visible(['builder']) },
  usePagination: false,
})
const Vaults = defineResource({
  model: over(vaults),
  fields: { id: id(), countryId: belongsTo('Country', countries) },
  can: { viewAny: ['keeper'] },
})
const Countries = defineResource({
  model: over(countries),
  fields: { code: id(), name: text('Name'), partOf: belongsTo('Part of', countries).as('whole') },
  scope: () => ({ code: { ne: 'hidden' } }),
  related: [
    hasMany(Cities, { title: 'Its cities', sort: '-people', perPage: 2 }),
    hasMany(Roads, { by: 'toId', name: 'roads-to', where: { id: { gt: 1 } } }),
    hasMany('countries', { name: 'parts', columns: ['name'], limit: 1 }),
    hasMany(Vaults),
    hasMany(Cities, { name: 'for-nobody', can: [] }),
  ],
})
const panel = definePanel({ auth: 'open', resources: [Countries, Cities, Roads, Vaults] })

beforeAll(() =>
  store.transaction(async (tx) => {
    for (const [code, name, partOf] of [
      ['a&b', 'Andorra', null],
      ['c', 'Chile', 'a&b'],
      ['d', 'Chad', 'a&b'],
      ['hidden', 'Hidden', null],
    ] as const)
      await tx.create(Countries.model, { code, name, partOf })
    for (const [name, people, countryId] of [
      ['Small', 10, 'a&b'],
      ['Large', 1000, 'a&b'],
      ['Middle', 500, 'a&b'],
      ['Elsewhere', 9000, 'c'],
      ['Nowhere', 8000, null],
    ] as const)
      await tx.create(Cities.model, { name, people, countryId })
    for (const toId of ['a&b', 'a&b', 'c']) await tx.create(Roads.model, { fromId: 'c', toId })
    await tx.create(Vaults.model, { countryId: 'a&b' })
  }),
)

const page = '/admin/resource/countries/detail-page/a%26b'
const as = (...roles: string[]) => testPanel(panel).as({ roles }).html
const cards = (text: string) =>
  [...text.matchAll(/<section class="listing card" id="([^"]+)".*?<\/section>/gs)].map(([card, name = '']) => ({
    name,
    title: /<h2>([^<]+)/.exec(card)?.[1],
    heads: [...card.matchAll(/<th[^>]*scope="col".*?<\/th>/gs)].map(([head]) => head.replace(/<[^>]+>/g, '').trim()),
    rows: [...card.matchAll(/<tr data-key="([^"]+)"/g)].map(([, key]) => key),
    links: [...card.matchAll(/<header.*?<\/header>/gs)].flatMap(([head]) =>
      [...head.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => decodeURIComponent(href.replaceAll('&amp;', '&'))),
    ),
    card: card.replaceAll('&#8211;', '–').replaceAll('&amp;', '&'),
  }))

test('the page of a record shows what belongs to it, and what was asked for of that', async () => {
  const answer = await as('builder', 'keeper').get(page)
  const found = cards(answer.text)
  expect(found.map(({ name, title, rows }) => [name, title, rows])).toEqual([
    ['cities', 'Its cities', ['2', '3']],
    ['roads-to', 'Roads', ['2']],
    ['parts', 'Countries', ['d']],
    ['vaults', 'Vaults', ['1']],
  ])
  const [its, to, parts] = found
  // The record itself need not be said on its own page.
  expect(its?.heads).toEqual(['ID', 'Name', 'People'])
  expect(parts?.heads).toEqual(['Name'])
  expect(its?.links).toEqual([
    '/admin/resource/cities/crud?filter[countryId]=a&b',
    '/admin/resource/cities/form-page?value[countryId]=a&b&_back=#cities',
  ])
  // It is no filter there.
  expect(to?.links).toEqual(['/admin/resource/roads/form-page?value[toId]=a&b&_back=#roads-to'])
  expect(its?.card).toContain('1–2 of 3')
  expect(answer.text).not.toMatch(/Elsewhere|Nowhere/)
})

test('but not what the caller may not list, nor what their scope leaves out, nor by a field that they may not read', async () => {
  const found = cards((await as('reader').get(page)).text)
  expect(found.map(({ name, rows }) => [name, rows])).toEqual([
    ['cities', ['2', '3']],
    ['parts', ['d']],
  ])
  expect(found[0]?.card).toContain('1–2 of 2')
})

test('each goes to its further pages and other orders in the address of the record', async () => {
  const found = cards((await as('builder').get(`${page}?cities[page]=2&cities[sort]=name`)).text)
  expect(found.map(({ name, rows }) => [name, rows])).toEqual([
    ['cities', ['1']],
    ['roads-to', ['2']],
    ['parts', ['d']],
  ])
  expect(found[0]?.card).toContain(`href="${page}?cities%5Bsort%5D=name" rel="prev"`)
  const sizes = [...(found[0]?.card ?? '').matchAll(/<a href="([^"]+)"[^>]*><span>(\d+) per page/g)].map(([, href, size]) => [href, size])
  const at = `${page}?cities%5Bsort%5D=name`
  expect(sizes).toEqual([[at, '2'], ...['10', '25', '50', '100'].map((size) => [`${at}&cities%5BperPage%5D=${size}`, size])])
})

test('where nothing belongs to a record, one can be made that does, by the one button above', async () => {
  const [its] = cards((await as('builder').get('/admin/resource/countries/detail-page/d')).text)
  expect(its?.rows).toEqual([])
  expect(its?.card).toContain('What belongs to this record will appear here.')
  expect(its?.card).not.toContain('per page')
  expect(its?.card.match(/form-page\?value%5BcountryId%5D=d/g)).toHaveLength(1)
})

test('a list, and a row of it, is asked for by its name, as far as the record may be seen', async () => {
  const part = (name: string, at = page) => as('builder').get(`${at}?_fragment-load=${name}`)
  const list = await part('cities')
  expect([list.status, cards(list.text)[0]?.rows]).toEqual([200, ['2', '3']])
  const row = await part('cities&_key=2&_row=0')
  expect([row.status, row.text]).toEqual([200, expect.stringMatching(/^<tr data-key="2".*Large.*cities-row-0/s)])
  const none = await part('vaults')
  expect([none.status, none.text]).toEqual([404, expect.stringContaining('cities, roads-to, parts')])
  expect((await part('for-nobody')).status).toBe(404)
  expect((await part('cities', '/admin/resource/countries/detail-page/hidden')).status).toBe(404)
  expect((await part('cities', '/admin/resource/countries/detail-page/none')).status).toBe(404)
})

test('JSON has them where it had them: in their own lists', async () => {
  const json = testPanel(panel).as({ roles: ['builder'] })
  expect((await json.get('/admin/resource/countries/crud/a%26b')).json()).toEqual({
    data: { code: 'a&b', name: 'Andorra', partOf: null },
  })
  expect((await json.get(`${page}?cities[page]=2`)).status).toBe(422)
  expect((await json.get(`${page}?_fragment-load=cities`)).status).toBe(406)
})

test('one that cannot be read says so, is logged, and takes nothing from the rest of the page', async () => {
  const logged: unknown[] = []
  const broken: typeof store = {
    ...store,
    list: (model, query) => (model === Cities.model ? Promise.reject(new Error('no such table: cities')) : store.list(model, query)),
  }
  const Broken = defineResource({
    model: { ...broken, table: cities },
    fields: { id: id(), name: text('Name'), countryId: belongsTo('Country', countries) },
    filters: ['countryId'],
  })
  const Whole = defineResource({
    model: over(countries),
    fields: { code: id(), name: text('Name') },
    related: [hasMany(Broken), hasMany(Roads, { by: 'toId' })],
  })
  const at = definePanel({ auth: 'open', resources: [Whole, Broken, Roads], log: (line) => logged.push(line) })
  const answer = await testPanel(at)
    .as({ roles: ['builder'] })
    .html.get(page)
  const [its, to] = cards(answer.text)
  expect([answer.status, its?.title, to?.rows]).toEqual([200, 'Cities', ['2', '1']])
  expect(its?.card).toMatch(/role="alert".*Cities could not be loaded.*href="\/admin\/resource\/countries\/detail-page\/a%26b">Try again/s)
  expect(answer.text).not.toMatch(/no such table|Related/)
  expect(logged).toEqual([expect.objectContaining({ message: 'no such table: cities' })])
})

test('a list of what belongs to a record leaves out what the relation between them leads to: it is the same in each row', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-related-'))
  const client = new Sqlite(join(folder, 'places.db'))
  client.exec(`create table countries (code text primary key, name text not null, partOf text);
    create table cities (id integer primary key, name text not null, people integer not null, countryId text);
    insert into countries values ('c', 'Chile', null); insert into cities values (1, 'Arica', 5, 'c')`)
  client.close()
  const Whole = defineResource({ model: countries, related: [hasMany('cities')] })
  const Shown = defineResource({
    model: cities,
    fields: { id: id(), name: text('Name'), people: number('People'), countryId: belongsTo('Nation') },
    pages: { index: ['name', 'countryId', 'countryId.name', 'countryId.partOf.name', 'people'] },
  })
  const at = definePanel({ auth: 'open', database: `sqlite:${join(folder, 'places.db')}`, resources: [Whole, Shown] })
  const head = async (of: string) => (await testPanel(at).html.get(of)).text.match(/<thead.*?<\/thead>/s)?.[0] ?? ''
  expect(await head('/admin/resource/cities/crud')).toMatch(/Name.*Nation \S+ Name.*People/s)
  const own = await head('/admin/resource/countries/crud/c')
  expect(own).toMatch(/Name.*People/s)
  expect(own).not.toContain('Nation')
  await at.close()
  rmSync(folder, { recursive: true })
})
