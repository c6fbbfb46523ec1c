import { belongsTo, definePanel, defineResource, id, number, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type TestDatabase } from '../support/postgresql-shared.js'

// Each shop has its own numbers of articles, and no clerk sees those of another shop. citext: `a-1` is `A-1`.
const articles = pg.pgTable(
  'articles',
  { id: pg.serial().primaryKey(), shop: pg.text().notNull(), sku: pg.text().notNull(), price: pg.integer() },
  (table) => [pg.unique().on(table.shop, table.sku)],
)
const lines = pg.pgTable('lines', {
  id: pg.serial().primaryKey(),
  shop: pg.text().notNull(),
  articleId: pg.integer('article_id').references(() => articles.id),
})

// The shop of a user is one of the roles, in this test: `of-north`.
const shopOf = ({ roles }: { readonly roles: readonly string[] }) => roles.find((role) => role.startsWith('of-'))
const scope = ({ user }: { readonly user: { readonly roles: readonly string[] } }) => {
  const shop = shopOf(user)
  return shop === undefined ? {} : { shop }
}
const beforeSave = ({ user }: { readonly user: { readonly roles: readonly string[] } }) => ({ shop: shopOf(user) ?? 'of-nobody' })

const Articles = defineResource({
  model: articles,
  fields: { id: id(), sku: text('SKU'), price: number('Price') },
  scope,
  hooks: { beforeSave },
  import: { match: 'sku' },
})
const Lines = defineResource({
  model: lines,
  fields: { id: id(), articleId: belongsTo('Article') },
  scope,
  hooks: { beforeSave },
  import: true,
})

let database: TestDatabase
let panel: ReturnType<typeof definePanel>
beforeAll(async () => {
  database = await openDatabase()
  await database.query(`create extension citext;
    create table articles (id serial primary key, shop text not null, sku citext not null, price integer, unique (shop, sku));
    create table lines (id serial primary key, shop text not null, article_id integer references articles);
    insert into articles (shop, sku, price) values ('of-north', 'A-1', 1), ('of-south', 'A-1', 2), ('of-south', 'S-1', 3)`)
  panel = definePanel({ database: database.url, resources: [Articles, Lines] })
})
afterAll(async () => {
  await panel?.close()
  await database?.drop()
})

const stored = async (sql: string) => (await database.query(sql)).rows.map((row) => Object.values(row).join(' '))

test('a value that is unique only among the records of a shop finds that of the user', async () => {
  const clerk = testPanel(panel).as({ roles: ['of-north'] })
  const records = [
    { sku: 'a-1', price: 10 },
    { sku: 'S-1', price: 11 },
  ]
  const update = await clerk.post('/admin/resource/articles/import', { mode: 'update', records })
  expect(update.json()).toMatchObject({ status: 422, errors: { 'records[1].sku': ['There is no such record'] } })
  expect((await clerk.post('/admin/resource/articles/import', { mode: 'both', records })).json()).toMatchObject({
    data: { created: 1, updated: 1 },
  })
  expect(await stored('select shop, sku, price from articles order by id')).toEqual([
    'of-north A-1 10',
    'of-south A-1 2',
    'of-south S-1 3',
    'of-north S-1 11',
  ])

  const named = await clerk.post('/admin/resource/lines/import', { records: [{ articleId: { sku: 'S-1' } }] })
  expect(named.json()).toMatchObject({ data: { created: 1 } })
  expect(await stored('select a.shop, a.sku from lines l join articles a on a.id = l.article_id')).toEqual(['of-north S-1'])
})

test.each(['A-1', 'a-1'])('who sees several of %s is refused, and none is changed', async (sku) => {
  const before = await stored('select id, price from articles order by id')
  const answer = await testPanel(panel).post('/admin/resource/articles/import', { mode: 'update', records: [{ sku, price: 99 }] })
  expect(answer.json()).toMatchObject({ status: 422, errors: { 'records[0].sku': [`SKU: several records are called “${sku}”`] } })
  expect(await stored('select id, price from articles order by id')).toEqual(before)
})
