// What a client of a panel may be asked, and what not: `npm run types` fails if a line of either sign goes the other way.
import {
  belongsTo,
  belongsToMany,
  countOf,
  date,
  dateTime,
  defineKind,
  definePanel,
  definePanelIn,
  definePlugin,
  defineResource,
  hasMany,
  html,
  id,
  largestOf,
  number,
  select,
  switcher,
  tags,
  text,
  usersResource,
} from 'daymark'
import { createClient, type Problem, type Said } from 'daymark/client'
import { date as pgDate, pgTable, serial, timestamp } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as t } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'

const countries = sqliteTable('countries', { code: t('code').primaryKey(), name: t('name').notNull() })
const cities = sqliteTable('world_cities', {
  id: integer('id').primaryKey(),
  name: t('name').notNull(),
  countryId: t('country_id').references(() => countries.code),
  twinId: integer('twin_id'),
  population: integer('population').notNull(),
  isCapital: integer('is_capital', { mode: 'boolean' }).notNull(),
  secret: t('secret'),
  status: t('status', { enum: ['draft', 'final'] }),
  tags: t('tags', { mode: 'json' }).$type<readonly string[]>(),
  words: t('words', { mode: 'json' }).$type<string[]>(),
  updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
})
const humped = sqliteTable('tableOfHumps2Day', { id: integer('id').primaryKey() })
const Cities = defineResource({
  model: cities,
  fields: {
    id: id(),
    name: text('Name').required().sortable(),
    countryId: belongsTo('Country', countries),
    twinId: belongsTo('Twin', cities).as('sister'),
    population: number().default(0),
    isCapital: switcher(),
    secret: text().visible(['admin']),
    status: select(),
    tags: select().options(['old', 'new']).multiple(),
    words: tags(),
    updatedAt: dateTime().readOnly(),
  },
  computed: { size: { label: 'Size', needs: ['population'], value: ({ population }) => population } },
  pages: { index: ['name', 'population'] },
  filters: ['name', 'countryId', 'population', 'isCapital', 'updatedAt', 'status', 'tags', 'words', 'countryId.name'],
  queryTags: { big: { label: 'Big', where: { population: { gte: 5 } } } },
  massUpdate: ['population', 'isCapital', 'status'],
  handlers: {
    close: { run: () => 'Closed' },
    rename: { fields: { to: text('To').required(), at: date('At'), by: number('By').required().default(1) }, run: () => {} },
    move: { input: z.object({ to: z.object({ x: z.number() }), why: z.string().optional() }), run: () => {} },
  },
  methods: { weigh: { method: 'GET', safe: true, input: z.object({ unit: z.enum(['kg', 't']) }), run: () => {} } },
})
const extra = definePlugin({ id: 'extra', resources: [defineResource({ model: humped, uriKey: 'brought' })] })
const panel = definePanel({
  auth: 'open',
  database: 'sqlite::memory:',
  resources: [
    Cities,
    defineResource({ model: countries, uriKey: 'lands', massUpdate: ['name'], handlers: { visit: { run: ({ ids }) => ids.join() } } }),
    defineResource({ model: humped }),
    usersResource(),
  ],
  plugins: [extra],
})
const client = createClient<typeof panel>({ baseUrl: 'http://127.0.0.1/admin' })
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <_ extends true>() => {}

export async function good() {
  const at = client['world-cities']
  const { data, meta } = await at.list({
    filter: {
      name: { contains: 'x' },
      countryId: ['FR', 'DE'],
      population: { from: 1, to: 5 },
      isCapital: true,
      status: ['draft', 'final'],
      tags: { contains: 'old' },
      words: { contains: 'old', null: false },
      updatedAt: { gte: '2026-01-01T00:00:00Z' },
    },
    sort: ['-name', 'id'],
    tag: 'big',
    page: 2,
    perPage: 10,
    search: 'new york',
  })
  await at.list({ filter: { updatedAt: { gte: new Date(0), lt: '2026-01-01T00:00:00Z' }, countryId: null } })
  await at.list({ filter: { countryId: null }, match: 'any' })
  await at.list({ filter: { updatedAt: [new Date(0), new Date(1)], countryId: { ne: null }, status: { eq: null } } })
  await client['table-of-humps2-day'].list({ filter: { id: null } })
  is<Is<(typeof data)[number], { readonly id: number; readonly name: string; readonly population: number }>>()
  is<Is<typeof meta.total, number | undefined>>()
  for await (const city of at.each({ fields: ['name', 'size'], include: ['country', 'sister'] })) {
    is<Is<typeof city.name, string>>()
    is<Is<typeof city.country, { readonly [field: string]: import('daymark').Json; readonly label: string } | null>>()
    // @ts-expect-error it was not asked for
    city.population
  }
  const one = await at.get(1)
  is<Is<typeof one.updatedAt, string>>()
  is<Is<typeof one.countryId, string | null>>()
  is<Is<typeof one.secret, string | null | undefined>>()
  const remark = await at.comment(1, 'Hello')
  const past = await at.history(1)
  is<Is<typeof past.meta.nextCursor, string | null>>()
  const [entry] = (await at.history(1, { cursor: past.meta.nextCursor ?? '' })).data
  is<Is<typeof entry, (typeof past.data)[number] | undefined>>()
  const { name, secret } = past.data[0]?.changes ?? {}
  is<Is<typeof name, typeof secret>>()
  // @ts-expect-error computed values are not written
  past.data[0]?.changes.size
  // @ts-expect-error there is no such key
  await at.history('1')
  is<Is<(typeof remark)['editedAt'], string | null>>()
  is<Is<Promise<void>, ReturnType<typeof at.deleteComment>>>()
  // @ts-expect-error a comment is named by a number
  await at.editComment(1, '1', 'x')
  is<Is<Promise<string>, ReturnType<typeof at.upload>>>()
  is<Is<Promise<Blob>, ReturnType<typeof at.file>>>()
  await at.upload('secret', new Blob([]), 'a.pdf')
  await at.file(1, 'secret')
  is<Is<Promise<Blob>, ReturnType<typeof at.export>>>()
  await at.export({ filter: { name: 'A' }, match: 'any', sort: '-name', fields: ['name'], format: 'xlsx' }, [1, 2])
  // @ts-expect-error a file has no pages
  await at.export({ page: 2 })
  // @ts-expect-error there is no such field
  await at.export({ fields: ['title'] })
  // @ts-expect-error there is no such key
  await at.export({}, ['1'])
  const done = await at.import([{ name: 'A', isCapital: false, secret: null }], { check: true })
  is<Is<typeof done.created, number>>()
  await at.import([{ id: 1, population: 5 }], { mode: 'update' })
  await at.import(
    [
      { id: 1, population: 5 },
      { name: 'A', isCapital: false, secret: null },
    ],
    { mode: 'both' },
  )
  await at.import(new Blob(['name']), { mode: 'update' })
  // @ts-expect-error a new record needs its name
  await at.import([{ population: 5 }])
  // @ts-expect-error names no record
  await at.import([{ population: 5 }], { mode: 'update' })
  // @ts-expect-error there is no such field
  await at.import([{ name: 'A', isCapital: false, secret: null, people: 1 }])
  await at.import([{ name: 'A', isCapital: false, secret: null, countryId: { code: 'FR' }, twinId: null }])
  await at.import([{ id: 1, countryId: { code: 'FR' } }], { mode: 'update' })
  // @ts-expect-error no related record is named by a list
  await at.import([{ name: 'A', isCapital: false, secret: null, countryId: [{ code: 'FR' }] }])
  // @ts-expect-error it is no relation
  await at.import([{ name: { code: 'A' }, isCapital: false, secret: null }])
  const made = await at.create({ name: 'A', isCapital: false, secret: null })
  await at.update(made.id, { population: 5 }, { ifMatch: '*' })
  await at.delete(made.id, { ifMatch: null })
  is<Is<number, Awaited<ReturnType<typeof at.deleteMany>>>>()
  const thrown: unknown = null
  if (at.isProblem(thrown)) thrown.errors.population?.join()
  const land = await client.lands.get('FR')
  is<Is<typeof land, { readonly code: string; readonly name: string }>>()
  await client.lands.list({ filter: { name: { startsWith: 'F' } }, sort: '-name' })
  await at.list({ filter: { 'countryId.name': { startsWith: 'F' } } })
  await at.list({ filter: { 'countryId.name': ['France', 'Peru'] } })
  // @ts-expect-error no filter follows the relation to that field
  await at.list({ filter: { 'countryId.code': 'FR' } })
  await client.lands.create({ code: 'FR', name: 'France' })
  await client['table-of-humps2-day'].list()
  await client.lands.handlers.visit(['FR'])
  // @ts-expect-error no such handler
  client.lands.handlers.leave(['FR'])
  const said = await at.handlers.close([1])
  is<Is<typeof said, Said>>()
  await at.handlers.close()
  await at.handlers.rename([1, 2], { to: 'B' })
  await at.handlers.rename([], { to: 'B', at: '2026-01-01', by: null })
  await at.handlers.move([1], { to: { x: 1 } })
  await at.list({ filter: { updatedAt: { within: 'last-7-days', lt: new Date() } } })
  await at.handlers.massUpdate([1, 2], { population: 5, status: null })
  await client.lands.handlers.massUpdate(['FR'], { name: 'France' })
  await at.methods.weigh([], { unit: 'kg' })
  await client.brought.get(1)
  await client.request('POST', '/plugin/extra/told', { word: 'x' })
}

export async function bad() {
  const at = client['world-cities']
  // @ts-expect-error there is no such match
  await at.list({ match: 'some' })
  // @ts-expect-error one record has no filters
  await at.get(1, { match: 'any' })
  // @ts-expect-error a country is no time
  await at.list({ filter: { countryId: new Date(0) } })
  // @ts-expect-error no such period
  await at.list({ filter: { updatedAt: { within: 'someday' } } })
  // @ts-expect-error a number has no periods
  await at.list({ filter: { population: { within: 'today' } } })
  // @ts-expect-error there is no greater than nothing
  await at.list({ filter: { population: { gt: null } } })
  // @ts-expect-error no such resource, though one of no known name is there too
  client.cities
  // @ts-expect-error no such handler
  at.handlers.open([1])
  // @ts-expect-error a field that is not among those that are changed at once
  at.handlers.massUpdate([1], { name: 'x' })
  // @ts-expect-error a text is no number
  at.handlers.massUpdate([1], { population: '5' })
  // @ts-expect-error a method is no handler
  at.handlers.weigh([1])
  // @ts-expect-error it reads what its form asks
  at.handlers.rename([1])
  // @ts-expect-error its field is required
  at.handlers.rename([1], { at: null })
  // @ts-expect-error no such field
  at.handlers.rename([1], { to: 'B', nome: 'x' })
  // @ts-expect-error its keys are numbers
  at.handlers.close(['1'])
  // @ts-expect-error it reads nothing
  at.handlers.close([1], { to: 'B' })
  // @ts-expect-error a number is no text
  at.handlers.move([1], { to: { x: '1' } })
  // @ts-expect-error one of two
  at.methods.weigh([], { unit: 'g' })
  // @ts-expect-error a field, but no filter
  at.list({ filter: { secret: 'x' } })
  // @ts-expect-error no such field
  at.list({ filter: { nome: 'x' } })
  // @ts-expect-error texts are not compared
  at.list({ filter: { name: { gte: 'x' } } })
  // @ts-expect-error of several choices only one of them is asked for
  at.list({ filter: { tags: 'old' } })
  // @ts-expect-error of several texts only one of them is asked for
  at.list({ filter: { words: 'old' } })
  // @ts-expect-error one choice has no parts
  at.list({ filter: { status: { contains: 'draft' } } })
  // @ts-expect-error numbers have no parts
  at.list({ filter: { population: { contains: 5 } } })
  // @ts-expect-error a number is no text
  at.list({ filter: { population: { gte: '5' } } })
  // @ts-expect-error the key of a country is text
  at.list({ filter: { countryId: 5 } })
  // @ts-expect-error it cannot be sorted by
  at.list({ sort: 'population' })
  // @ts-expect-error no such query tag
  at.list({ tag: 'small' })
  // @ts-expect-error no such field
  at.list({ fields: ['nome'] })
  // @ts-expect-error its name is sister
  at.list({ include: ['twin'] })
  // @ts-expect-error no relation
  at.get(1, { include: ['population'] })
  // @ts-expect-error its key is a number
  at.get('1')
  // @ts-expect-error isCapital is needed
  at.create({ name: 'A' })
  // @ts-expect-error no such field
  at.create({ name: 'A', isCapital: true, nome: 'A' })
  // @ts-expect-error it cannot be written
  at.update(1, { updatedAt: '2026-01-01T00:00:00Z' })
  // @ts-expect-error no such field takes a file
  at.upload('nome', new Blob([]))
  // @ts-expect-error a text is no file
  at.upload('secret', 'text')
  // @ts-expect-error a computed value cannot be written
  at.update(1, { size: 5 })
  // @ts-expect-error a population is a number
  at.update(1, { population: '5' })
  // @ts-expect-error no such field in its errors
  ;(null as unknown as Problem<'name'>).errors.nome
}

// A name that is not there is said by what there is.
// @ts-expect-error no such field
defineResource({ model: cities, fields: { id: id(), name: text() }, filters: ['nome'] })
// @ts-expect-error no such field
defineResource({ model: cities, fields: { id: id(), name: text() }, pages: { index: ['population'] } })

// A list of linked records: keys, filters by one of them, and records where it has a name to include them by.
const links = sqliteTable('links', { cityId: integer('city_id').notNull(), land: t('land').notNull(), other: integer('other').notNull() })
const Linked = defineResource({
  model: cities,
  uriKey: 'linked',
  fields: {
    id: id(),
    lands: belongsToMany('Lands', links.land).from(links.cityId).to(countries).as('countries'),
    twinIds: belongsToMany('Twins', links.other).from(links.cityId).to(cities).required(),
  },
  filters: ['lands'],
})
const linkedPanel = definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Linked] })
const linked = createClient<typeof linkedPanel>({ baseUrl: 'http://127.0.0.1/admin' }).linked

export async function lists() {
  const one = await linked.get(1, { include: ['countries'] })
  is<Is<typeof one.lands, readonly string[]>>()
  is<Is<typeof one.twinIds, readonly number[]>>()
  is<Is<typeof one.countries, readonly { readonly [field: string]: import('daymark').Json; readonly label: string }[]>>()
  await linked.list({ filter: { lands: { contains: 'FR', null: false } } })
  await linked.update(1, { lands: ['FR', 'DE'] })
  await linked.create({ twinIds: [2] })
  // @ts-expect-error one must be named
  await linked.create({ lands: ['FR'] })
  // @ts-expect-error a list of keys is not one of them
  await linked.list({ filter: { lands: 'FR' } })
  // @ts-expect-error it has no name to include it by
  await linked.get(1, { include: ['twinIds'] })
  // @ts-expect-error and no order
  await linked.list({ sort: 'lands' })
  // @ts-expect-error keys of number columns are numbers
  await linked.update(1, { twinIds: ['2'] })
}

// A `Date` is a time, which no column of days is compared with, whatever it is read as.
const people = pgTable('people', { id: serial().primaryKey(), born: pgDate({ mode: 'date' }), seen: timestamp() })
const peoplePanel = definePanel({
  auth: 'open',
  database: 'postgres://127.0.0.1/people',
  resources: [
    defineResource({ model: people, fields: { id: id(), born: date('Born'), seen: dateTime('Seen') }, filters: ['born', 'seen'] }),
  ],
})

export async function days() {
  const at = createClient<typeof peoplePanel>({ baseUrl: 'http://127.0.0.1/admin' }).people
  await at.list({ filter: { born: '2026-01-01', seen: { gte: new Date(0) } } })
  // @ts-expect-error a day is a text
  await at.list({ filter: { born: new Date(0) } })
  // @ts-expect-error a day is a text
  await at.list({ filter: { born: { gte: new Date(0) } } })
}

// What `inForm` edits, and what a client sends along.
const baskets = sqliteTable('baskets', { id: integer('id').primaryKey(), owner: t('owner').notNull() })
const items = sqliteTable('items', {
  id: integer('id').primaryKey(),
  basketId: integer('basket_id').notNull(),
  what: t('what').notNull(),
  amount: integer('amount'),
})
const Items = defineResource({
  model: items,
  fields: { id: id(), basketId: belongsTo('Basket', baskets), what: text(), amount: number() },
})
hasMany(Items, { inForm: true })
hasMany('anything', { inForm: ['whatever'] })
// @ts-expect-error not a field of that resource
hasMany(Items, { inForm: ['nope'] })
const Baskets = defineResource({
  model: baskets,
  fields: { id: id(), owner: text() },
  related: [hasMany(Items, { name: 'lines', inForm: ['what', 'amount'] }), hasMany(Items, { name: 'all', inForm: true, by: 'basketId' })],
})
const Bare = defineResource({ model: baskets, uriKey: 'bare', fields: { id: id(), owner: text() }, related: [hasMany(Items)] })
export const basketPanel = definePanel({ auth: 'open', database: 'sqlite:x.db', resources: [Baskets, Items, Bare] })
export async function fill() {
  const { baskets, bare } = createClient<typeof basketPanel>({ baseUrl: 'http://127.0.0.1/admin' })
  await baskets.create({ owner: 'x', lines: [{ what: 'Tea' }, { id: 7, amount: null, _version: 'v' }, { id: 8, _delete: true }] })
  await baskets.update(1, { all: [{ what: 'Tea', basketId: 1 }] })
  // A new row has what is required, but for the relation to the record of the form; a change, and a delete, just the key.
  await baskets.update(1, {
    all: [{ what: 'Tea' }, { id: 7 }, { id: 8, _delete: true }],
    lines: [{ what: 'Tea', amount: null, _delete: false }],
  })
  const typed: { id?: number; what: string; amount: number | null }[] = []
  const kept: { id: number | undefined; what: string }[] = []
  await baskets.update(1, { lines: typed, all: kept })
  const known: { id: number; amount?: number; _delete?: boolean }[] = []
  await baskets.update(1, { lines: known })
  // @ts-expect-error a new row without what is required
  await baskets.update(1, { lines: [{ amount: 1 }] })
  // @ts-expect-error the same where all of the form is edited
  await baskets.create({ owner: 'x', all: [{ amount: 1 }] })
  // @ts-expect-error nothing at all
  await baskets.update(1, { lines: [{}] })
  // @ts-expect-error a delete of no record
  await baskets.update(1, { lines: [{ _delete: true }] })
  // @ts-expect-error a version of no record
  await baskets.update(1, { lines: [{ what: 'Tea', _version: 'v' }] })
  // @ts-expect-error the key is a number
  await baskets.update(1, { lines: [{ id: '7' }] })
  // @ts-expect-error what is required is not emptied by a change
  await baskets.update(1, { lines: [{ id: 7, what: null }] })
  // @ts-expect-error not a field of it
  await baskets.update(1, { lines: [{ what: 'Tea', nope: 1 }] })
  const lacking: { id: number | undefined; amount: number }[] = []
  // @ts-expect-error a row that may have no key, and lacks what is required
  await baskets.update(1, { lines: lacking })
  // @ts-expect-error not edited there
  await baskets.update(1, { lines: [{ basketId: 1 }] })
  // @ts-expect-error a number
  await baskets.update(1, { lines: [{ amount: 'x' }] })
  // @ts-expect-error no such list
  await baskets.update(1, { items: [] })
  // @ts-expect-error has only forms of its own
  await bare.update(1, { items: [] })
}

// What is in sections of the page of a record is in its JSON, among the rest.
const sectionedPanel = definePanel({
  auth: 'open',
  database: 'sqlite::memory:',
  resources: [
    defineResource({
      model: cities,
      uriKey: 'sectioned',
      fields: { id: id(), name: text(), population: number() },
      computed: { size: { label: 'Size', needs: ['population'], value: ({ population }) => population } },
      pages: { detail: ['name', { section: 'People', fields: ['size'] }] },
    }),
  ],
})
export async function sectioned() {
  const one = await createClient<typeof sectionedPanel>({ baseUrl: 'http://127.0.0.1/admin' }).sectioned.get(1)
  is<Is<keyof typeof one, 'id' | 'name' | 'size'>>()
}

// What tells of related records is read, sorted and filtered, and never sent.
const Told = defineResource({
  model: countries,
  uriKey: 'told',
  fields: {
    code: id(),
    name: text().required(),
    cityCount: countOf('Cities', cities, 'countryId').sortable(),
    last: largestOf('Last', cities, 'countryId', 'updatedAt').visible(['admin']),
  },
  filters: ['cityCount', 'last'],
})
const toldPanel = definePanel({ auth: 'open', database: 'sqlite::memory:', resources: [Told] })
export async function toldOf() {
  const { told } = createClient<typeof toldPanel>({ baseUrl: 'http://127.0.0.1/admin' })
  const { data } = await told.list({
    fields: ['cityCount'],
    sort: '-cityCount',
    filter: { cityCount: { gte: 2 }, last: { within: 'this-month' } },
  })
  const count: number | undefined = data[0]?.cityCount
  const last: string | null | undefined = (await told.get('FR')).last
  await told.create({ code: 'XA', name: 'Atlantis' })
  // @ts-expect-error nobody writes it
  await told.update('FR', { cityCount: 5 })
  // @ts-expect-error a number
  await told.list({ filter: { cityCount: 'many' } })
  // @ts-expect-error not sortable
  await told.list({ sort: 'last' })
  return [count, last]
}

// A field that is required over a column that may be empty.
const parcels = sqliteTable('parcels', { id: integer('id').primaryKey(), to: t('to'), note: t('note'), weight: integer('weight') })
const Parcels = defineResource({
  model: parcels,
  fields: { id: id(), to: text().required(), note: text(), weight: number().required().default(1) },
})
export const parcelPanel = definePanel({ auth: 'open', database: 'sqlite:x.db', resources: [Parcels] })
export async function send() {
  const { parcels } = createClient<typeof parcelPanel>({ baseUrl: 'http://127.0.0.1/admin' })
  await parcels.create({ to: 'Bern', note: null })
  await parcels.update(1, { to: 'Bern', note: null, weight: 2 })
  // @ts-expect-error what is required is never empty
  await parcels.create({ to: null })
  // @ts-expect-error what is required is never emptied
  await parcels.update(1, { to: null })
  // @ts-expect-error nor what has a default
  await parcels.create({ to: 'Bern', weight: null })
  // What is stored may be older than the rule.
  const old: string | null = (await parcels.get(1)).to
  // @ts-expect-error it may be empty
  const now: string = (await parcels.get(1)).to
  return [old, now]
}

// What a relation fills need not be sent, and the check of a form says what it would show.
const products = sqliteTable('products', { id: integer('id').primaryKey(), price: integer('price') })
const sales = sqliteTable('sales', {
  id: integer('id').primaryKey(),
  parcelId: integer('parcel_id').notNull(),
  productId: integer('product_id').notNull(),
  price: integer('price').notNull(),
  amount: integer('amount').notNull(),
})
const Sales = defineResource({
  model: sales,
  fields: {
    id: id(),
    parcelId: belongsTo('Parcel', parcels),
    productId: belongsTo('Product', products).fills({ price: 'price' }).required(),
    price: number(),
    amount: number(),
  },
  computed: { total: { label: 'Total', needs: ['price', 'amount'], value: ({ price, amount }) => price * amount } },
})
const Boxes = defineResource({
  model: parcels,
  uriKey: 'boxes',
  fields: { id: id(), to: text() },
  related: [hasMany(Sales, { inForm: ['productId', 'amount', 'total'] })],
})
export const fillingPanel = definePanel({ auth: 'open', database: 'sqlite:x.db', resources: [Sales, Boxes] })
export async function sell() {
  const { sales, boxes } = createClient<typeof fillingPanel>({ baseUrl: 'http://127.0.0.1/admin' })
  await sales.create({ parcelId: 1, productId: 1, amount: 2 })
  await sales.create({ parcelId: 1, productId: 1, amount: 2, price: 3 })
  // @ts-expect-error nothing fills the amount
  await sales.create({ parcelId: 1, productId: 1 })
  const { computed, filled } = await sales.validate({ productId: 1 })
  await sales.validate({ amount: 3 }, 7)
  await boxes.validate({ lines: [] } as never)
  await boxes.validate({ to: 'Bern', sales: [{ productId: 1 }] })
  // @ts-expect-error a computed value is not sent
  await boxes.validate({ sales: [{ total: 1 }] })
  // @ts-expect-error no such field
  await sales.validate({ nope: 1 })
  const text: string | null | undefined = computed.total?.text
  // @ts-expect-error perhaps there is none
  const price: number = filled.price?.value
  return [text, price]
}

// What a list shows of records that relations lead to, its files have, too.
const Towns = defineResource({
  model: cities,
  uriKey: 'towns',
  fields: { id: id(), name: text(), countryId: belongsTo('Country', countries) },
  pages: { index: ['name', 'countryId.name', 'countryId.code'] },
  sortable: ['countryId.name'],
})
const PlainTowns = defineResource({ model: cities, uriKey: 'plain', pages: { index: ['name', 'countryId.name'] } })
export const townPanel = definePanel({ auth: 'open', database: 'sqlite:x.db', resources: [Towns, PlainTowns] })
export async function towns() {
  const { towns, plain } = createClient<typeof townPanel>({ baseUrl: 'http://127.0.0.1/admin' })
  await towns.list({ sort: ['-countryId.name', 'id'] })
  // @ts-expect-error no list is sorted by it
  await towns.list({ sort: 'countryId.code' })
  // With derived fields, lists are sorted by all of their columns.
  await plain.list({ sort: 'countryId.name' })
  // @ts-expect-error no column
  await plain.list({ sort: 'countryId.code' })
  await towns.list({ fields: ['countryId.name'] })
  await towns.export({ fields: ['name', 'countryId.name'] })
  // @ts-expect-error no list has it
  await towns.export({ fields: ['countryId.size'] })
  // @ts-expect-error a record has no such field
  await towns.get(1, { fields: ['countryId.name'] })
}

// A panel in several languages has the resources of each, and knows its locales.
const worlds = { en: 'Cities', fr: 'Villes' }
const bilingual = definePanelIn(['en', 'fr'], (locale) => ({
  auth: 'open',
  database: 'sqlite:x.db',
  title: worlds[locale],
  resources: [defineResource({ model: cities, title: worlds[locale], fields: { id: id(), name: text() } })],
}))
const inTwo = createClient<typeof bilingual>({ baseUrl: 'http://127.0.0.1/admin' })
export const named: Promise<string> = inTwo['world-cities'].get(1).then(({ name }) => name)
// @ts-expect-error no such resource
inTwo.towns
// @ts-expect-error no German text
definePanelIn(['en', 'de'], (locale) => ({ auth: 'open', resources: [], title: worlds[locale] }))
// @ts-expect-error the locale is not a setting of one of them
definePanelIn(['en'], () => ({ auth: 'open', resources: [], locale: 'fr' }))
// @ts-expect-error no locale at all
definePanelIn([], () => ({ auth: 'open', resources: [] }))

// A kind's values are typed by what its `wire` returns, if its type says that, and else by their column.
const prices = sqliteTable('prices', {
  id: integer('id').primaryKey(),
  net: integer('net').notNull(),
  gross: integer('gross'),
  raw: integer('raw'),
  minor: integer('minor').notNull(),
})
const ofCents = {
  columns: ['integer'],
  schema: () => z.string(),
  value: (wire: unknown) => Number(wire) * 100,
  input: () => html``,
} as const
const net = defineKind<number, { tax(rate: number): { tax: number } }, 'eq' | 'gt', string>({
  ...ofCents,
  name: 'net',
  own: { tax: (tax) => ({ tax }) },
  wire: (value) => (value / 100).toFixed(2),
})
const inferred = defineKind({ ...ofCents, name: 'inferred', wire: (value: number) => [String(value)] as const })
const byColumn = defineKind<number>({ ...ofCents, name: 'by-column', wire: (value) => (value / 100).toFixed(2) })
// @ts-expect-error `wire` returns something else
defineKind<number, Record<never, never>, 'eq', string>({ ...ofCents, name: 'wrong', wire: (value) => value / 100 })
const Prices = defineResource({
  model: prices,
  fields: {
    id: id(),
    net: net('Net').tax(3).required().sortable(),
    gross: inferred('Gross'),
    raw: byColumn('Raw'),
    minor: number('Minor').currency('EUR', { minor: true }),
  },
  filters: ['net'],
  handlers: { raise: { fields: { by: net('By').required(), most: net('Most') }, run: ({ input }) => void (input.by + 1) } },
})
const pricePanel = definePanel({ auth: 'open', database: 'sqlite:x.db', resources: [Prices] })
export async function priced() {
  const { prices } = createClient<typeof pricePanel>({ baseUrl: 'http://127.0.0.1/admin' })
  const one = await prices.get(1)
  is<Is<typeof one.net, string>>()
  is<Is<typeof one.gross, readonly [string] | null>>()
  is<Is<typeof one.raw, number | null>>()
  is<Is<typeof one.minor, number>>()
  await prices.list({ filter: { net: { gt: '12.50' } }, sort: '-net' })
  // @ts-expect-error in JSON it is a text
  await prices.list({ filter: { net: 12.5 } })
  await prices.create({ net: '12.50', minor: 12.5 })
  // @ts-expect-error in JSON it is a text
  await prices.update(1, { net: 1250 })
  await prices.handlers.raise([1], { by: '0.50', most: null })
  // @ts-expect-error in JSON it is a text
  await prices.handlers.raise([1], { by: 50 })
}
number('Price').currency('EUR', { minor: true }).min(0.05).step(0.05).default(5)
// @ts-expect-error no such option
number('Price').currency('EUR', { cents: true })
// @ts-expect-error only amounts of a currency have a smallest unit
number('Price').minor()
// @ts-expect-error a text holds no numbers
defineResource({ model: countries, fields: { name: number('Name').currency('EUR', { minor: true }) } })

// A key may write ID in capitals, as Northwind's do; a GUID is none.
const sold = sqliteTable('sold', {
  orderID: integer('OrderID').primaryKey(),
  countryID: t('CountryID').notNull(),
  GUID: t('GUID').notNull(),
})
const soldPanel = definePanel({
  auth: 'open',
  database: 'sqlite::memory:',
  resources: [
    defineResource({
      model: sold,
      fields: { orderID: id(), countryID: belongsTo('Country', countries), GUID: belongsTo('Twin', countries) },
    }),
  ],
})

export async function inCapitals() {
  const at = createClient<typeof soldPanel>({ baseUrl: 'http://127.0.0.1/admin' }).sold
  const one = await at.get(1, { include: ['country'] })
  is<Is<NonNullable<typeof one.country>['label'], string>>()
  // @ts-expect-error the ID is left out
  await at.get(1, { include: ['countryID'] })
  // @ts-expect-error it is no id of a GU
  await at.get(1, { include: ['GU'] })
}
