import { belongsTo, definePanel, defineResource, id, memoryStore, text } from 'daymark'
import { testPanel } from 'daymark/testing'
import { type AnySQLiteColumn, integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { beforeAll, expect, test } from 'vitest'

const countries = sqliteTable('countries', {
  code: varchar().primaryKey(),
  name: varchar().notNull(),
  parent: varchar().references((): AnySQLiteColumn => countries.code),
})
const cities = sqliteTable('cities', { id: integer().primaryKey(), countryId: varchar().references(() => countries.code) })
const roads = sqliteTable('roads', {
  id: integer().primaryKey(),
  fromId: varchar().references(() => countries.code),
  toId: varchar().references(() => countries.code),
  builtBy: varchar().references(() => countries.code),
})
const vaults = sqliteTable('vaults', { id: integer().primaryKey(), countryId: varchar().references(() => countries.code) })

const store = memoryStore()
const over = <T>(table: T) => ({ ...store, table })
const Countries = defineResource({
  model: over(countries),
  fields: { code: id(), name: text('Name'), parent: belongsTo('Part of', countries) },
  filters: ['parent'],
})
const panel = definePanel({
  auth: 'open',
  resources: [
    Countries,
    defineResource({ model: over(cities), fields: { id: id(), countryId: belongsTo('Country', countries) }, filters: ['countryId'] }),
    defineResource({
      model: over(roads),
      fields: {
        id: id(),
        fromId: belongsTo('From', countries),
        toId: belongsTo('To', countries).visible(['builder']),
        builtBy: belongsTo('Builder', countries),
      },
      filters: ['fromId', 'toId'],
    }),
    defineResource({
      model: over(vaults),
      fields: { id: id(), countryId: belongsTo('Country', countries) },
      filters: ['countryId'],
      can: { viewAny: ['keeper'] },
    }),
  ],
})
beforeAll(() => store.transaction((tx) => tx.create(Countries.model, { code: 'a&b', name: 'Andorra' })))

async function related(...roles: string[]) {
  const answer = await testPanel(panel).as({ roles }).html.get('/admin/resource/countries/crud/a%26b')
  const page = /<nav class="card links".*?<\/nav>/s.exec(answer.text)?.[0] ?? ''
  return [...page.matchAll(/href="([^"]+)"><span>([^<]+)/g)].map(([, href = '', label]) => [
    label,
    decodeURIComponent(href.replace('/admin/resource/', '').replaceAll('&amp;', '&')),
  ])
}

test('the page of a record leads to the lists of what belongs to it', async () => {
  expect(await related('builder', 'keeper')).toEqual([
    ['Countries (Part of)', 'countries/crud?filter[parent]=a&b'],
    ['Cities', 'cities/crud?filter[countryId]=a&b'],
    ['Roads (From)', 'roads/crud?filter[fromId]=a&b'],
    ['Roads (To)', 'roads/crud?filter[toId]=a&b'],
    ['Vaults', 'vaults/crud?filter[countryId]=a&b'],
  ])
})

test('but to none that is not filtered by it, or that one may not see, nor by a field that one may not read', async () => {
  expect(await related('reader')).toEqual([
    ['Countries (Part of)', 'countries/crud?filter[parent]=a&b'],
    ['Cities', 'cities/crud?filter[countryId]=a&b'],
    ['Roads', 'roads/crud?filter[fromId]=a&b'],
  ])
})
