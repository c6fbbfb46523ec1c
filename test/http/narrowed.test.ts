import {
  belongsTo,
  belongsToMany,
  type DeclarationError,
  definePanel,
  defineResource,
  id,
  memoryStore,
  type Panel,
  select,
  text,
} from 'daymark'
import { testPanel } from 'daymark/testing'
import * as pg from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFile, panelIn } from '../support/own-database.js'
import { openDatabase } from '../support/postgresql-shared.js'

const countries = sqliteTable('countries', { id: integer().primaryKey(), name: varchar().notNull() })
const cities = sqliteTable('cities', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  countryId: integer(),
  size: varchar(),
  secret: integer({ mode: 'boolean' }).notNull().default(false),
})
const people = sqliteTable('people', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  active: integer({ mode: 'boolean' }).notNull().default(true),
})
const shops = sqliteTable('shops', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  countryId: integer(),
  size: varchar(),
  cityId: integer(),
  sizedId: integer(),
  ownerId: integer(),
})
const branches = sqliteTable('branches', { shopId: integer().notNull(), cityId: integer().notNull() })
const tables = { countries, cities, people, shops, branches }

const key = { id: pg.integer().primaryKey().generatedByDefaultAsIdentity() }
const inPostgresql = {
  countries: pg.pgTable('countries', { ...key, name: pg.text().notNull() }),
  cities: pg.pgTable('cities', {
    ...key,
    name: pg.text().notNull(),
    countryId: pg.integer(),
    size: pg.text(),
    secret: pg.boolean().notNull().default(false),
  }),
  people: pg.pgTable('people', { ...key, name: pg.text().notNull(), active: pg.boolean().notNull().default(true) }),
  shops: pg.pgTable('shops', {
    ...key,
    name: pg.text().notNull(),
    countryId: pg.integer(),
    size: pg.text(),
    cityId: pg.integer(),
    sizedId: pg.integer(),
    ownerId: pg.integer(),
  }),
  branches: pg.pgTable('branches', { shopId: pg.integer().notNull(), cityId: pg.integer().notNull() }),
} as unknown as typeof tables

const schema = (made: string, yes: string, no: string) => [
  `create table countries (id ${made}, name text not null)`,
  `create table cities (id ${made}, name text not null, "countryId" integer, size text, secret ${no})`,
  `create table people (id ${made}, name text not null, active ${yes})`,
  `create table shops (id ${made}, name text not null, "countryId" integer, size text, "cityId" integer, "sizedId" integer, "ownerId" integer)`,
  'create table branches ("shopId" integer not null, "cityId" integer not null)',
]

// biome-ignore lint/suspicious/noExplicitAny: what callbacks get, over tables of two databases
type Given = any

function panelOver(database: string | null, { countries, cities, people, shops, branches }: typeof tables): Panel {
  const over = <T>(table: T): T => (database === null ? (memoryStore(table as never) as never) : table)
  const linked = database !== null
  const Shops = defineResource({
    model: over(shops),
    title: 'Shops',
    fields: {
      id: id(),
      name: text('Name').required(),
      countryId: belongsTo('Country', countries),
      size: select('Size').options({ big: 'Big', small: 'Small' }).visible(['admin', 'editor']),
      cityId: belongsTo('City', cities).matching({ countryId: 'countryId' }),
      sizedId: belongsTo('Sized', cities).matching({ size: 'size', countryId: 'countryId' }),
      ownerId: belongsTo('Owner', people).where({ active: true }),
      ...(linked && {
        branchIds: belongsToMany('Branches', branches.cityId).to(cities).from(branches.shopId).matching({ countryId: 'countryId' }),
      }),
    },
    filters: ['cityId', 'ownerId'],
    canRecord: { update: ({ user }: Given) => !user.roles.includes('maker') },
    massUpdate: ['countryId', 'cityId', 'ownerId'],
    import: true,
    handlers: {
      move: {
        selection: 'required',
        fields: { cityId: text('City') },
        run: async ({ ids, update, input }: Given) => {
          for (const one of ids) await update(one, { cityId: input.cityId === '' ? null : Number(input.cityId) })
        },
      },
      pick: {
        label: 'Pick',
        fields: {
          country: belongsTo('Country', countries),
          city: belongsTo('City', cities).matching({ countryId: 'country' }).where({ secret: false }),
        },
        run: async ({ input }: Given) => `City ${input.city}`,
      },
    },
    indexButtons: [{ label: 'Pick…', handler: 'pick' }],
  } as never)
  const Countries = defineResource({ model: over(countries), title: 'Countries' })
  const Cities = defineResource({
    model: over(cities),
    title: 'Cities',
    fields: {
      id: id(),
      name: text('Name').searchable(),
      countryId: belongsTo('Country', countries),
      size: text('Size'),
    },
    scope: ({ user }: Given) => (user.roles.includes('admin') ? {} : { secret: false }),
  } as never)
  const People = defineResource({ model: over(people), title: 'People' })
  return definePanel({ auth: 'open', ...(database !== null && { database }), resources: [Shops, Countries, Cities, People] } as never)
}

const stores = {
  async memory() {
    const panel = panelOver(null, tables)
    return { panel, tables, end: () => panel.close() }
  },
  async SQLite() {
    const statements = schema('integer primary key', 'integer not null default 1', 'integer not null default 0')
    return { tables, ...(await panelIn(await openFile(), statements, (url) => panelOver(url, tables))) }
  },
  async PostgreSQL() {
    const made = 'integer primary key generated by default as identity'
    const statements = schema(made, 'boolean not null default true', 'boolean not null default false')
    return { tables: inPostgresql, ...(await panelIn(await openDatabase(), statements, (url) => panelOver(url, inPostgresql))) }
  },
}

type App = ReturnType<typeof testPanel>
type Tables = typeof tables
type Data = Record<string, unknown>
const shop = '/admin/resource/shops/crud'
const notOfIt = { cityId: ['City must be one of the same Country'] }
const france = 1
const spain = 2
const [paris, lyon, madrid, hidden] = [1, 2, 3, 4]

async function fill(admin: App, tables: Tables): Promise<void> {
  for (const [at, name] of ['France', 'Spain'].entries()) await admin.create(tables.countries, { id: at + 1, name })
  const city = (id: number, name: string, countryId: number | null, more: Data = {}) =>
    admin.create(tables.cities, { id, name, countryId, size: 'big', ...more })
  await city(paris, 'Paris', france)
  await city(lyon, 'Lyon', france, { size: 'small' })
  await city(madrid, 'Madrid', spain)
  await city(hidden, 'Secret', france, { secret: true })
  await city(5, 'Nowhere', null)
  await admin.create(tables.people, { id: 1, name: 'Ann' })
  await admin.create(tables.people, { id: 2, name: 'Bob', active: false })
  await admin.create(tables.shops, { name: 'One', countryId: france, cityId: paris, ownerId: 2 })
  // Older than the rule.
  await admin.create(tables.shops, { name: 'Two', countryId: france, cityId: madrid })
  await admin.create(tables.shops, { name: 'Three', countryId: spain })
}

describe.each(Object.entries(stores))('relations that depend on other fields, over %s', (_, open) => {
  let opened: Awaited<ReturnType<typeof open>>
  let admin: App
  let editor: App
  let reader: App
  beforeEach(async () => {
    opened = await open()
    admin = testPanel(opened.panel)
    editor = admin.as({ roles: ['editor'] })
    reader = admin.as({ roles: ['reader'] })
    await fill(admin, opened.tables)
  })
  afterEach(() => opened?.end())

  const stored = async (key: number) => ((await admin.get(`${shop}/${key}`)).json() as { data: Data }).data
  const change = (key: number, body: object, app = editor) => app.patch(`${shop}/${key}`, body)

  test.each<[string, object, object]>([
    ['one of another country', { cityId: madrid }, notOfIt],
    ['another country alone', { countryId: spain }, notOfIt],
    ['no country', { countryId: null }, { cityId: ['Choose Country first'] }],
    ['a pair that does not match', { countryId: spain, cityId: lyon }, notOfIt],
    ['one that is not there', { cityId: 99 }, { cityId: ['City: no such record'] }],
    ['one out of scope, whatever its country', { cityId: hidden }, { cityId: ['City: no such record'] }],
    ['one of no country', { cityId: 5 }, notOfIt],
    ['one that nobody can choose', { ownerId: 2, cityId: lyon }, null as never],
    [
      'one that does not match two fields',
      { sizedId: paris, size: 'small' },
      { sizedId: ['Sized must be one of the same Size and Country'] },
    ],
    ['one while another field is empty', { sizedId: paris }, { sizedId: ['Choose Size first'] }],
  ])('refuses %s at the field, and writes nothing', async (what, body, errors) => {
    const before = await stored(1)
    const answer = await change(1, body)
    if (what === 'one that nobody can choose') {
      // The record has that one already.
      expect(answer.status).toBe(200)
      return
    }
    expect([answer.status, answer.json()]).toMatchObject([422, { errors }])
    expect(await stored(1)).toEqual(before)
  })

  test('takes what matches, in one write or in two, and nothing at all', async () => {
    expect((await change(1, { cityId: lyon })).status).toBe(200)
    expect((await change(1, { countryId: spain, cityId: madrid })).status).toBe(200)
    expect((await change(1, { countryId: null, cityId: null })).status).toBe(200)
    expect((await change(1, { countryId: france })).status).toBe(200)
    expect((await change(1, { cityId: paris, size: 'big', sizedId: paris })).status).toBe(200)
    expect(await stored(1)).toMatchObject({ countryId: france, cityId: paris, sizedId: paris })
  })

  test('what is stored stays while neither it nor what it depends on changes', async () => {
    expect((await change(2, { name: 'Second' })).status).toBe(200)
    expect((await change(2, { name: 'Second', cityId: madrid, countryId: france })).status).toBe(200)
    expect((await change(2, { countryId: spain })).status).toBe(200)
    // What a hook or a handler writes again is as good as it was.
    expect((await change(1, { name: 'First', ownerId: 2 })).status).toBe(200)
    expect((await change(3, { ownerId: 2 })).json()).toMatchObject({ errors: { ownerId: ['Owner: no such record'] } })
  })

  test('a new record, by JSON and by a form', async () => {
    const create = (body: object) => editor.post(shop, { name: 'New', ...body })
    expect((await create({ cityId: paris })).json()).toMatchObject({ errors: { cityId: ['Choose Country first'] } })
    expect((await create({ countryId: spain, cityId: paris })).json()).toMatchObject({ errors: notOfIt })
    expect((await create({ ownerId: 2 })).json()).toMatchObject({ errors: { ownerId: ['Owner: no such record'] } })
    expect((await create({ countryId: spain, cityId: madrid, ownerId: 1 })).status).toBe(201)
    const page = await editor.html.post(shop, new URLSearchParams({ name: 'New', countryId: '2', cityId: '1' }))
    expect(page.status).toBe(422)
    expect(page.text).toContain('City must be one of the same Country')
    expect(page.text).toContain('<span class="related">Paris</span>')
  })

  test('the check before saving says the same', async () => {
    const check = (key: string, body: object) => editor.post(`/admin/resource/shops/validate${key}`, body)
    expect((await check('', { name: 'New', cityId: paris })).json()).toMatchObject({ errors: { cityId: ['Choose Country first'] } })
    expect((await check('/1', { countryId: spain })).json()).toMatchObject({ errors: notOfIt })
    expect((await check('/2', { name: 'Second' })).status).toBe(200)
  })

  test('a single field in place, a handler, and a change of several records', async () => {
    const inPlace = await editor.put('/admin/update-field/column/shops/1', { field: 'countryId', value: spain, was: france })
    expect([inPlace.status, inPlace.json()]).toMatchObject([422, { errors: notOfIt }])
    const moved = await editor.post('/admin/resource/shops/handler/move', { ids: [1], cityId: String(madrid) })
    expect([moved.status, moved.json()]).toMatchObject([422, { errors: notOfIt }])
    const several = (body: object) => editor.post('/admin/resource/shops/handler/massUpdate', body)
    // Each by its own country, and none if one refuses.
    expect((await several({ ids: [1, 3], cityId: lyon })).json()).toMatchObject({
      errors: { cityId: ['Three: City must be one of the same Country'] },
    })
    expect((await stored(1)).cityId).toBe(paris)
    expect((await several({ ids: [1, 2], cityId: lyon })).status).toBe(200)
    expect((await several({ ids: [1, 3], countryId: spain, cityId: madrid })).status).toBe(200)
    expect((await several({ ids: [1, 3], ownerId: 2 })).json()).toMatchObject({ errors: { ownerId: ['Owner: no such record'] } })
  })

  test('an import says by line what does not match, at once', async () => {
    const records = [
      { name: 'A', countryId: france, cityId: paris },
      { name: 'B', countryId: spain, cityId: paris },
      { name: 'C', countryId: france, cityId: madrid },
      { name: 'D', countryId: france, cityId: 99 },
      { name: 'E', ownerId: 2, countryId: spain, cityId: lyon },
    ]
    for (const check of [true, false]) {
      const answer = await editor.post('/admin/resource/shops/import', { records, check })
      expect([answer.status, answer.json()]).toMatchObject([
        422,
        {
          errors: {
            'records[1].cityId': [expect.stringContaining('City must be one of the same Country')],
            'records[2].cityId': [expect.stringContaining('City must be one of the same Country')],
            'records[3].cityId': [expect.stringContaining('City: no such record')],
            'records[4].ownerId': [expect.stringContaining('Owner: no such record')],
            'records[4].cityId': [expect.stringContaining('City must be one of the same Country')],
          },
        },
      ])
    }
    const update = await editor.post('/admin/resource/shops/import', { records: [{ id: 1, countryId: spain }], mode: 'update' })
    expect([update.status, JSON.stringify(update.json())]).toEqual([422, expect.stringContaining('City must be one of the same Country')])
    expect((await editor.post('/admin/resource/shops/import', { records: records.slice(0, 1) })).status).toBe(200)
  })

  const found = async (query: string, app = editor) => {
    const answer = await app.get(`/admin/async-search/shops/${query}`)
    return answer.status === 200 ? (answer.json() as { data: { label: string }[] }).data.map(({ label }) => label).join() : answer.status
  }

  test('the search finds what can be chosen', async () => {
    expect(await found('cityId?value[countryId]=1')).toBe('Lyon,Paris')
    expect(await found('cityId?value[countryId]=1', admin)).toBe('Lyon,Paris,Secret')
    expect(await found('cityId?value[countryId]=2&query=a')).toBe('Madrid')
    expect(await found('cityId?value[countryId]=')).toBe('')
    // Not said: any. So filters, and what changes several records.
    expect(await found('cityId?query=')).toBe('Lyon,Madrid,Nowhere,Paris')
    expect(await found('sizedId?value[countryId]=1')).toBe('Lyon,Paris')
    expect(await found('sizedId?value[countryId]=1&value[size]=small')).toBe('Lyon')
    expect(await found('ownerId')).toBe('Ann')
  })

  test('the search knows the record whose form asks', async () => {
    expect(await found('cityId?_item=3')).toBe('Madrid')
    expect(await found('cityId?_item=3&value[countryId]=1')).toBe('Lyon,Paris')
    // What it has, it may keep.
    expect(await found('ownerId?_item=1')).toBe('Ann,Bob')
    expect(await found('ownerId?_item=3')).toBe('Ann')
    expect(await found('cityId?_item=99')).toBe(404)
    // Whose form they may not open, nobody is told what it would offer.
    expect(await found('cityId?_item=1', admin.as({ roles: ['maker'] }))).toBe(403)
    expect(await found('cityId', admin.as({ roles: ['maker'] }))).toBe('Lyon,Madrid,Nowhere,Paris')
  })

  test.each([
    ['a value that is none', 'cityId?value[countryId]=x', 'value[countryId]', 'Country is not a record key'],
    [
      'the field of another relation',
      'cityId?value[size]=big',
      'value[size]',
      'Unknown parameter "value[size]". Valid: query, value[countryId], _item',
    ],
    ['no field at all', 'ownerId?value[nope]=1', 'value[nope]', 'Unknown parameter "value[nope]". Valid: query, _item'],
    ['a value twice', 'cityId?value[countryId]=1&value[countryId]=2', 'value[countryId]', expect.any(String)],
  ])('the search refuses %s', async (_what, query, name, text) => {
    expect((await editor.get(`/admin/async-search/shops/${query}`)).json()).toMatchObject({ status: 422, errors: { [name]: [text] } })
  })

  test('a hidden field is not named, and its value counts nevertheless', async () => {
    const unknown = async (name: string) =>
      JSON.stringify((await reader.get(`/admin/async-search/shops/sizedId?value[${name}]=big`)).json())
        .replaceAll(name, '…')
        .replace(/"requestId":"[^"]+"/, '')
    expect(await unknown('size')).toBe(await unknown('nope'))
    await admin.create(opened.tables.shops, { name: 'Four', countryId: france, size: 'small' })
    expect(await found('sizedId?_item=4', reader)).toBe('Lyon')
    expect((await change(4, { sizedId: paris }, reader)).json()).toMatchObject({
      errors: { sizedId: ['Sized must be one of the same Country'] },
    })
    expect((await change(4, { sizedId: lyon }, reader)).status).toBe(200)
  })

  test('a form without script searches by what is typed in it', async () => {
    const search = async (path: string, fields: Record<string, string>) => {
      const { text } = await editor.html.post(path, new URLSearchParams({ _search: 'cityId', '_query[cityId]': '', ...fields }))
      return [...text.matchAll(/type="radio" name="cityId" value="\d+"> <span>(\w+)/g)].map(([, name]) => name).join()
    }
    expect(await search(shop, { countryId: '1' })).toBe('Lyon,Paris')
    expect(await search(shop, { countryId: '' })).toBe('')
    expect(await search(`${shop}/1`, { _method: 'PUT', countryId: '2' })).toBe('Madrid')
    // A field that the form does not hold has its stored value.
    expect(await search(`${shop}/3`, { _method: 'PUT' })).toBe('Madrid')
  })

  const field = (page: string, key: string) =>
    new RegExp(`<div class="field"[^>]*>(?:(?!<div class="field").)*?for="[a-z]+-${key}".*?(?=<div class="field"|</form>)`, 's').exec(
      page,
    )?.[0] ?? ''

  test('the form says what to choose first, and begins a new related record with what it must match', async () => {
    const fresh = field((await editor.html.get('/admin/resource/shops/form-page')).text, 'cityId')
    expect(fresh).toContain('<div class="hint" id="field-cityId-hint">Choose Country first</div>')
    expect(fresh).toContain('aria-describedby="field-cityId-hint"')
    expect(fresh).toContain('data-search="/admin/async-search/shops/cityId?value%5BcountryId%5D="')
    expect(fresh).toContain('href="/admin/resource/cities/form-page"')
    const edit = field((await editor.html.get('/admin/resource/shops/form-page/1')).text, 'cityId')
    expect(edit).toContain('<div class="hint" id="field-cityId-hint"></div>')
    expect(edit).toContain('data-search="/admin/async-search/shops/cityId?_item=1&amp;value%5BcountryId%5D=1"')
    expect(edit).toContain('href="/admin/resource/cities/form-page?value%5BcountryId%5D=1"')
    expect(edit).toContain('data-script="')
    const owner = field((await editor.html.get('/admin/resource/shops/form-page/1')).text, 'ownerId')
    expect(owner).toContain('data-search="/admin/async-search/shops/ownerId?_item=1"')
    // Stored already, so it is shown by its name.
    expect(owner).toContain('<span class="related">Bob</span>')
    expect(owner).not.toContain('data-script')
  })

  test('lists are filtered by any record, and several records are changed to any', async () => {
    const list = (await editor.html.get(shop)).text
    expect(list).toContain('data-search="/admin/async-search/cities/id"')
    expect(list).toContain('data-search="/admin/async-search/people/id"')
    expect((await editor.html.get(`${shop}?_find[ownerId]=b`)).text).toContain('Bob')
    const ask = (await editor.html.post('/admin/resource/shops/handler/massUpdate?_ask=1', new URLSearchParams({ 'ids[]': '1' }))).text
    expect(ask).toContain('data-search="/admin/async-search/shops/cityId"')
    expect(ask).not.toContain('Choose Country first')
  })

  test('an action matches the other fields of its own form', async () => {
    const pick = (body: object) => editor.post('/admin/resource/shops/handler/pick', body)
    expect((await pick({ country: france, city: lyon })).json()).toMatchObject({ message: `City ${lyon}` })
    expect((await pick({ country: spain, city: lyon })).json()).toMatchObject({
      errors: { city: ['City must be one of the same Country'] },
    })
    expect((await pick({ city: lyon })).json()).toMatchObject({ errors: { city: ['Choose Country first'] } })
    expect((await admin.post('/admin/resource/shops/handler/pick', { country: france, city: hidden })).json()).toMatchObject({
      errors: { city: ['City: no such record'] },
    })
    const searched = await editor.html.post(
      '/admin/resource/shops/handler/pick',
      new URLSearchParams({ country: '1', _search: 'city', '_query[city]': '' }),
    )
    expect([...searched.text.matchAll(/type="radio" name="city" value="\d+"> <span>(\w+)/g)].map(([, name]) => name).join()).toBe(
      'Lyon,Paris',
    )
  })

  test('the form in JSON and the document say it', async () => {
    const { schema } = (await editor.get('/admin/resource/shops/form-page/1')).json() as { schema: { properties: Record<string, Data> } }
    expect(schema.properties.cityId?.description).toBe(
      'Only of the same `countryId` as this record. `async-search` finds those that can be.',
    )
    expect(schema.properties.ownerId?.description).toBe('Not every record can be chosen. `async-search` finds those that can be.')
    const hidden = ((await reader.get('/admin/resource/shops/form-page/1')).json() as { schema: { properties: Record<string, Data> } })
      .schema
    expect(JSON.stringify(hidden)).not.toContain('`size`')
  })
})

test.each(['SQLite', 'PostgreSQL'] as const)('several records all match, over %s', async (store) => {
  const opened = await stores[store]()
  try {
    const admin = testPanel(opened.panel)
    await fill(admin, opened.tables)
    const change = (body: object) => admin.as({ roles: ['editor'] }).patch(`${shop}/1`, body)
    expect((await change({ branchIds: [paris, lyon] })).status).toBe(200)
    const wrong = { errors: { branchIds: ['Branches must all be of the same Country'] } }
    expect((await change({ branchIds: [paris, madrid] })).json()).toMatchObject(wrong)
    expect((await change({ countryId: spain, cityId: madrid })).json()).toMatchObject(wrong)
    expect((await change({ countryId: spain, cityId: madrid, branchIds: [madrid] })).status).toBe(200)
    expect((await admin.get(`${shop}/1`)).json()).toMatchObject({ data: { branchIds: [madrid] } })
    expect((await change({ countryId: null, cityId: null })).json()).toMatchObject({ errors: { branchIds: ['Choose Country first'] } })
  } finally {
    await opened.end()
  }
})

const start = (relation: (of: ReturnType<typeof belongsTo<typeof cities>>) => unknown, more: object = {}) => {
  try {
    definePanel({
      auth: 'open',
      resources: [
        defineResource({
          model: memoryStore(shops),
          fields: {
            id: id(),
            name: text('Name'),
            size: text('Size'),
            countryId: belongsTo('Country', countries),
            cityId: relation(belongsTo('City', cities)),
          },
          pages: { form: ['name', 'countryId', 'cityId'] },
          ...more,
        } as never),
        defineResource({ model: memoryStore(countries) }),
        defineResource({ model: memoryStore(cities) }),
      ],
    })
    return []
  } catch (thrown) {
    return (thrown as DeclarationError).problems.map(({ id, where, text }) => `${id} ${where}: ${text}`)
  }
}

const any = (value: unknown) => value as never

test.each<[string, Parameters<typeof start>[0], string]>([
  [
    'a column that is none',
    (of) => of.matching(any({ nope: 'countryId' })),
    'relation-matching shops.fields.cityId.matching: "nope" is not a column of "cities". Valid: id, name, countryId, size, secret',
  ],
  [
    'a field that is none',
    (of) => of.matching({ countryId: 'nope' }),
    'relation-matching shops.fields.cityId.matching: "nope" is not a field. Valid: name, countryId',
  ],
  [
    'a column that is no field',
    (of) => of.matching({ countryId: 'ownerId' }),
    'relation-matching shops.fields.cityId.matching: "ownerId" is not a field. Valid: name, countryId',
  ],
  [
    'a field out of the form',
    (of) => of.matching({ size: 'size' }),
    'relation-matching shops.fields.cityId.matching: "size" is not in the form, so nobody could choose it first. Valid: name, countryId',
  ],
  [
    'the relation itself',
    (of) => of.matching({ id: 'cityId' }),
    'relation-matching shops.fields.cityId.matching: "cityId" is the relation itself; name another field. Valid: name, countryId',
  ],
  [
    'types that are never equal',
    (of) => of.matching({ countryId: 'name' }),
    'relation-matching shops.fields.cityId.matching: "countryId" of "cities" is of type integer, but the field "name" of type text',
  ],
  [
    'nothing',
    (of) => of.matching({}),
    "relation-matching shops.fields.cityId.matching: it takes columns of the related table, each with the name of a field: { countryId: 'countryId' }",
  ],
  ['a list', (of) => of.matching(any(['countryId'])), 'field-methods shops.fields.cityId: matching(): a list is not an object'],
  [
    'a condition on no column',
    (of) => of.where(any({ nope: 1 })),
    'relation-where shops.fields.cityId.where: A condition names "nope", which is not a column. Valid: id, name, countryId, size, secret',
  ],
  [
    'a condition with what no value is',
    (of) => of.where(any({ secret: 'yes' })),
    expect.stringContaining('relation-where shops.fields.cityId.where: The condition on "secret" has what no value of it is compared with'),
  ],
  ['no condition', (of) => of.where(any('active')), 'field-methods shops.fields.cityId: where(): "active" is not an object'],
])('start-up refuses %s', (_what, relation, problem) => {
  expect(start(relation)).toEqual([problem])
})

test('start-up takes what can be', () => {
  expect(start((of) => of.matching({ countryId: 'countryId' }).where({ secret: false, name: { ne: 'x' } }))).toEqual([])
})
