// One of everything that a user's file may export without a type: it must compile with `declaration: true`, where each inferred type is written
// down by its name. Compiled here with everything else, and by test/package.test.ts as a user's project has it.
import {
  accountEventsResource,
  actionButton,
  alert,
  allOf,
  anyOf,
  apiKeys,
  apiKeysResource,
  attributes,
  authenticate,
  averageOf,
  badge,
  belongsTo,
  belongsToMany,
  box,
  chart,
  controlAttributes,
  countOf,
  DaymarkError,
  DeclarationError,
  date,
  dateTime,
  defineKind,
  definePage,
  definePanel,
  definePanelIn,
  definePlugin,
  defineResource,
  defineWebhook,
  email,
  figure,
  file,
  folder,
  formBuilder,
  fragment,
  grid,
  groups,
  Html,
  hasMany,
  heading,
  historyResource,
  html,
  id,
  image,
  jsEvent,
  json,
  largestOf,
  memoryStore,
  metric,
  modal,
  not,
  number,
  offCanvas,
  openSqlStore,
  pageFilter,
  paragraph,
  passkeys,
  password,
  progress,
  raw,
  refuse,
  repeater,
  safeUrl,
  select,
  session,
  smallestOf,
  sumOf,
  switcher,
  tableBuilder,
  tabs,
  tags as tagsOf,
  text,
  textarea,
  time,
  trashResource,
  url,
  usersResource,
  valuesOf,
  webhooksResource,
} from 'daymark'
import { createClient, Problem } from 'daymark/client'
import { authenticateApi, jwtAuth } from 'daymark/jwt'
import { markdown } from 'daymark/markdown'
import { oag } from 'daymark/oag'
import { openId } from 'daymark/openid'
import { contractSchema, contractTables, factory, storeContract, testPanel } from 'daymark/testing'
import { xlsx } from 'daymark/xlsx'
import { integer as int, numeric, pgTable, text as pgText, serial, timestamp } from 'drizzle-orm/pg-core'
import { integer, primaryKey, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'

export const places = sqliteTable('places', { id: integer().primaryKey(), name: varchar().notNull() })
export const tags = sqliteTable('tags', { id: integer().primaryKey(), name: varchar().notNull() })
export const things = sqliteTable('my_things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  kind: varchar({ enum: ['a', 'b'] }),
  kinds: varchar({ mode: 'json' }).$type<string[]>(),
  amount: integer(),
  on: integer({ mode: 'boolean' }).notNull().default(false),
  placeId: integer().references(() => places.id),
  mail: varchar(),
  site: varchar(),
  day: varchar(),
  at: integer({ mode: 'timestamp_ms' }),
  notes: varchar(),
  paper: varchar(),
  picture: varchar(),
  pictures: varchar({ mode: 'json' }).$type<string[]>(),
  more: varchar({ mode: 'json' }).$type<{ a: 1 }>(),
  place: integer().notNull(),
  deletedAt: integer({ mode: 'timestamp' }),
  secret: varchar(),
  stars: integer(),
  version: integer().notNull().default(1),
})
export const thingTags = sqliteTable(
  'thing_tags',
  {
    thingId: integer()
      .notNull()
      .references(() => things.id),
    tagId: integer()
      .notNull()
      .references(() => tags.id),
  },
  (link) => [primaryKey({ columns: [link.thingId, link.tagId] })],
)
export const pgThings = pgTable('pg_things', {
  id: serial().primaryKey(),
  name: pgText().notNull(),
  price: numeric(),
  n: int(),
  at: timestamp(),
})

// Fields.
export const f01 = id('ID').label('x').hint('h')
export const f02 = text('x')
  .max(3)
  .min(1)
  .searchable()
  .copyable()
  .suggestions(['a'])
  .required()
  .sortable()
  .placeholder('p')
  .default('x')
  .example('y')
  .rule(z.string())
  .visible(['a'])
  .editable(false)
  .showWhen('a', 1)
export const f02b = text('x').editableWhen({ a: { in: ['x'] } }, 'y')
export const f03 = text('x').updateOnPreview().event('a').updateRow('x')
export const f04 = textarea('x').rows(3)
export const f05 = number('x').min(1).max(2).step(1).decimals(2).updateOnPreview()
export const f06 = select('x').options({ a: 'A' }).updateOnPreview()
export const f07b = repeater('x')
  .of({ a: text('A').required(), b: number().min(1) })
  .minRows(1)
  .maxRows(3)
export const f07c = tagsOf('x').suggestions(['a']).max(3).itemMax(20).required().default(['a'])
export const f07 = select('x').options(['a']).tones({ a: 'good' }).multiple()
export const f07d = select('x')
  .options(['a', 'b'])
  .transitions({ a: [{ to: 'b', roles: ['a'] }], b: ['a'] }, { begins: ['a'] })
export const f08 = switcher('x').updateOnPreview()
export const f09 = date('x').min('2020-01-01').max('2020-01-01').updateOnPreview()
export const f10 = dateTime('x').seconds()
export const storedTime = dateTime('x').stored('YYYY-MM-DD HH:MM:SS')
export const cents = number('x').currency('EUR', { minor: true })
export const f10b = time('x').seconds().min('08:00').max('18:00:30').updateOnPreview().sortable()
export const f11 = email('x')
export const f12 = url('x')
export const f13 = file('x').extensions('pdf').maxBytes(3).multiple()
export const f14 = image('x').maxBytes(3).multiple()
export const f15 = json('x').rows(3)
export const passwords = password()
export const f17 = belongsTo('x', places).as('where').resource('places').createInForm(false).where({}).matching({ id: 'x' })
export const f18 = belongsToMany('x', thingTags.tagId).as('tags').max(3).where({}).matching({ id: 'x' }).from(thingTags.thingId).to(tags)
export const f19 = markdown('x')
export const f27 = belongsTo('x', places).fills({ note: 'name' }).required()
export const formats = [xlsx()]
export const kind = defineKind<number, { stars(most: number): { stars: number } }>({
  name: 'rating',
  columns: ['integer'],
  own: { stars: (stars) => ({ stars }) },
  schema: () => z.int(),
  input: (text, field, ctx) => html`<input value="${text}"${controlAttributes(field, ctx)}>`,
})
export const kind2 = defineKind<number>({ name: 'rating2', columns: ['integer'], schema: () => z.int(), input: () => html`` })
export const f20 = kind('x').stars(3).required()
export const f21 = kind2('x').readOnly().columnSelection(true)
export const f22 = countOf('x', things, 'placeId').where({ on: true }).sortable().visible(['a'])
export const f23 = sumOf('x', things, 'placeId', 'amount').decimals(2)
export const f24 = averageOf('x', things, 'placeId', 'amount')
export const f25 = smallestOf('x', things, 'placeId', 'at').where({ placeId: { in: valuesOf(places, 'id') } })
export const f26 = largestOf('x', things, 'placeId', 'amount').label('y')
export const tallies = { countOf, sumOf, averageOf, smallestOf, largestOf }
export {
  belongsTo as bt,
  belongsToMany as btm,
  date as d,
  file as fi,
  id as i,
  image as im,
  json as j,
  markdown as m,
  number as n,
  select as s,
  switcher as w,
  text as t,
}
export const kinds = {
  id,
  text,
  textarea,
  number,
  select,
  switcher,
  date,
  dateTime,
  email,
  url,
  file,
  image,
  json,
  belongsTo,
  belongsToMany,
  markdown,
}

// Resources.
export const Places = defineResource({ model: places })
export const Tags = defineResource({ model: tags, uriKey: 'tags' })
export const Counted = defineResource({
  model: places,
  uriKey: 'counted',
  fields: { id: id(), name: text(), things: f22, last: f25 },
  filters: ['things'],
})
export const PgThings = defineResource({
  model: pgThings,
  fields: { id: id(), name: text(), price: number(), n: number(), at: dateTime() },
})
export const Things = defineResource({
  model: things,
  uriKey: 'things',
  fields: {
    id: f01,
    name: f02.required(),
    kind: f06,
    kinds: f07,
    amount: number(),
    on: f08,
    placeId: f17,
    mail: f11,
    site: f12,
    day: f09,
    at: f10,
    notes: f04,
    paper: file(),
    picture: image(),
    pictures: f14,
    more: f15,
    stars: f20,
    tagIds: f18,
    place: number(),
  },
  computed: { both: { label: 'B', needs: ['name', 'amount'], value: (row) => `${row.name} ${row.amount}` } },
  display: { name: (value) => html`<b>${value}</b>` },
  pages: {
    index: ['name', 'amount', 'both'],
    detail: ['name'],
    form: ['name', { section: 'S', fields: ['amount'] }],
    more: [{ uri: 'm', title: 'M', type: 'index', fields: ['name'], where: { amount: { gt: 1 } } }],
  },
  related: [hasMany('tags')],
  filters: ['name', 'amount'],
  summary: { amount: ['sum'] },
  queryTags: { some: { label: 'Some', where: { amount: { gt: 3 } } } },
  handlers: {
    go: {
      label: 'Go',
      fields: { n: number('N').required(), k: select('K').options({ a: 'A' }), c: kind('c').stars(2) },
      run: ({ input }) => String(input.n),
    },
    plain: { run: () => 'x' },
    schema: {
      input: z.object({ a: z.string(), at: z.date() }),
      run: async ({ input, of }) => {
        await of(Places).list()
        return input.a
      },
    },
  },
  methods: { taken: { fields: { name: text() }, run: ({ input }) => String(input.name) }, none: { run: () => ({ message: 'x' }) } },
  indexButtons: [{ label: 'Go', handler: 'go' }],
  buttons: [{ label: 'Go', method: 'taken' }],
  hooks: { beforeSave: ({ values }) => values },
  validate: () => null,
  canRecord: { update: () => true },
  can: { view: () => true },
  scope: () => ({ amount: { gt: 1 } }),
  softDelete: 'deletedAt',
  reorderable: 'place',
})
export const ToldPlaces = defineResource({
  model: places,
  uriKey: 'told',
  fields: { id: id(), name: text(), count: f22, sum: f23 },
  pages: { detail: ['id', { section: 'S', fields: ['count', 'sum'] }] },
  related: [hasMany(Things, { name: 'lines', inForm: ['name', 'amount'] })],
  scope: () => ({ id: { in: valuesOf(things, 'placeId') } }),
})
export const edited = hasMany(Things, { inForm: true })
export const Trash = trashResource(Things)
export const Users = usersResource()
export const Events = accountEventsResource()
export const Keys = apiKeysResource()
export const History = historyResource()
export const Hooks = webhooksResource()
export const told = defineWebhook({
  name: 'a',
  url: 'https://a.example',
  secret: 'x',
  of: [Things],
  when: ({ record }) => record.name === 'a',
})
export const related = hasMany(Tags, { columns: ['id'] })

// Pages and what is on them.
export const page = definePage({
  uri: 'a',
  title: 'A',
  components: [grid(2, [heading('x')])],
  methods: { m: { fields: { n: number('N') }, run: ({ input }) => String(input.n) }, k: { run: () => 'x' } },
  buttons: [{ label: 'x', method: 'm' }],
})
export const c01 = actionButton({ label: 'x', event: 'a' })
export const c02 = alert('info', 'x', { text: 'a' })
export const c03 = badge({ name: 'x', value: 'a' })
export const c04 = box([c02])
export const c05 = chart({ name: 'c', label: 'C', data: groups.count(Things, { by: 'kind' }) })
export const c06 = formBuilder(Things, { name: 'f' })
export const c07 = fragment('f', [c02])
export const c08 = grid(2, [c02])
export const c09 = heading('x')
export const c10 = metric({ name: 'm', label: 'M', value: figure.count(Things) })
export const c11 = modal('m', [c02], { label: 'x' })
export const c12 = offCanvas('m', [c02], { label: 'x' })
export const c13 = paragraph('x')
export const c14 = progress({ name: 'p', label: 'P', value: 3 })
export const c15 = tableBuilder(Things, { name: 't' })
export const c16 = tabs({ name: 't', label: 'T', tabs: [{ uri: 'a', label: 'A', components: [c02] }] })
export const g1 = groups.sum(Things, 'amount', { by: 'kind' })
export const fi1 = figure.sum(Things, 'amount')
export const pf1 = pageFilter.period({ initial: 'today' })
export const pf2 = pageFilter.of(Things, 'kind')
export const pf3 = figure.count(Things, { kind: pf2 })
export const factories = {
  alert,
  badge,
  box,
  chart,
  formBuilder,
  fragment,
  grid,
  heading,
  metric,
  modal,
  offCanvas,
  paragraph,
  progress,
  tableBuilder,
  tabs,
  actionButton,
  groups,
  figure,
  pageFilter,
  hasMany,
  definePage,
  defineResource,
  definePanel,
  definePanelIn,
  definePlugin,
  defineKind,
  defineWebhook,
  trashResource,
  usersResource,
  accountEventsResource,
  apiKeysResource,
  historyResource,
  webhooksResource,
}
export const conditions = [allOf<{ a: number }>({ a: 1 }, { a: 2 }), anyOf<{ a: number }>({ a: 1 }), not<{ a: number }>({ a: 1 })]
export const conditionsOf = { allOf, anyOf, not, valuesOf, values: valuesOf(things, 'placeId', { on: true }) }
export const markup = { html, raw, safeUrl, attributes, jsEvent, a: html`x`, b: raw('x'), e: jsEvent('TABLE_UPDATED', 'x') }

// Panels.
export const plugin = definePlugin({ id: 'p', resources: [Tags], menu: [] })
export const routed = definePlugin({
  id: 'r',
  routes: ({ realm }) => [
    {
      name: 'a',
      methods: ['GET'],
      path: '/a',
      ability: 'signedIn',
      query: 'own',
      verb: {
        on: 'panel',
        ends: ['answered'],
        run: async ({ input, of, transaction }) => ({
          is: 'answered',
          data: { n: await of(Places).count(), m: await transaction((within) => within.of(Tags).count()), q: input.query.get('a') },
          view: null,
        }),
        again: async (call) => ({ is: 'answered', data: { id: call.identity.id }, view: null }),
      },
    },
    {
      name: 'b',
      methods: ['POST'],
      path: '/b',
      ability: 'public',
      query: 'none',
      body: 'fields',
      verb: { on: 'guest', ends: ['answered'], run: async ({ identity }) => ({ is: 'answered', data: { identity }, view: null }) },
    },
    {
      name: 'c',
      methods: ['GET'],
      path: '/{resourceUri}/c',
      ability: 'view',
      query: 'none',
      verb: {
        on: 'resource',
        ends: ['answered'],
        run: async ({ resource }) => ({ is: 'answered', data: { of: resource.title, realm }, view: null }),
      },
    },
    {
      name: 'd',
      methods: ['GET'],
      path: '/d',
      ability: 'signedIn',
      query: 'none',
      verb: { on: 'page', asks: [], ends: ['answered'], run: async ({ pageUri }) => ({ is: 'answered', data: { pageUri }, view: null }) },
    },
  ],
})
export const docs = oag({ title: 'x' })
export const auth = {
  a: authenticate,
  s: session(),
  j: jwtAuth(),
  api: authenticateApi,
  keys: apiKeys(),
  o: openId({ label: 'x', issuer: 'https://id.example', clientId: 'x' }),
}
export const storage = folder('x')
export const stores = { m: memoryStore(), o: openSqlStore({ database: 'sqlite:x.db' }) }
export const panel = definePanel({
  auth: 'open',
  database: 'sqlite:x.db',
  resources: [Places, Things, PgThings],
  plugins: [plugin, routed, docs],
  pages: [page],
})
export const panel2 = definePanel({
  url: 'https://panel.example',
  auth: { middleware: authenticate(), pipelines: [password(), passkeys(), apiKeys()] },
  database: 'sqlite:x.db',
  resources: [Places, Users, Trash],
  files: storage,
})
export default definePanel({ auth: 'open', database: 'sqlite:x.db', resources: [Tags] })
export const inLanguages = definePanelIn(['en', 'de'], (locale) => ({
  auth: 'open',
  title: { en: 'x', de: 'y' }[locale],
  resources: [Tags],
}))
export const urls = panel.urls(Things)
export const pageUrls = panel.urls(page)
export const url1 = urls.detailPage(1)
export const toPage = panel.toPage
export const route = panel.route('crud.index', { resource: 'things' })
export const route2 = panel.route('r.c', { resource: Things })
export const listening = () => panel.listen({ port: 0 })
export const warnings = panel.warnings
export const resources = panel.resources

// Clients and tests.
export const client = createClient<typeof panel>({ baseUrl: 'http://127.0.0.1/admin' })
export const { things: thingsClient, places: placesClient } = client
export const listed = () =>
  client.things.list({ filter: { amount: { gte: 3 } }, sort: 'name', include: ['where'], fields: ['name', 'amount'] })
export const one = () => client.things.get(1)
export const made = (body: Parameters<typeof client.things.create>[0]) => client.things.create(body)
export const all = () => client.places.each()
export const go = client.things.handlers.go
export const hist = () => client.things.history(1)
export const imported = () => client.things.import([])
export const isProblem = client.things.isProblem
export const cityFactory = factory(places, (n) => ({ name: `a ${n}` }))
export const made2 = cityFactory.make()
export const tested = testPanel(panel, { factories: [cityFactory] })
export const ada = tested.as({ roles: ['admin'] })
export const answer = () => tested.get('/')
export const created = () => tested.create(places)
export const contract = { contractSchema, contractTables, storeContract }
export const useOf = { createClient, testPanel, factory, oag, jwtAuth, session, folder, memoryStore, openSqlStore }
export const at = {
  fields: Things.fields,
  model: Things.model,
  display: Things.display,
  derived: Things.derived,
  pages: Things.pages,
  sections: Things.sections,
  summary: Things.summary,
  tags: Things.queryTags,
  fullText: Things.fullText,
  active: Things.activeActions,
  soft: Things.softDelete,
  imp: Things.import,
  impMatch: Things.importMatch,
  table: Things.table,
  hooks: Things.hooks,
  handlers: Things.handlers,
  can: Things.can,
  canRecord: Things.canRecord,
  more: Things.morePages,
  computed: Things.computed,
  filters: Things.filters,
  trash: Trash.trashOf,
  kind: f02.kind,
  facts: f02.facts,
  methods: page.methods,
  comps: page.components,
  schema: f02.kind.schema,
  ev: Things.indexButtons,
}
export const call = (r: Parameters<NonNullable<NonNullable<Parameters<typeof defineResource>[0]['hooks']>['afterSave']>>[0]) => r.of(Things)
export const answered = async () => (await tested.get('/')).is('listed')
export const outcome = async () => (await tested.get('/')).is('saved')
export const outcome3 = async () => (await tested.get('/')).is('shown')
export const errors = { DaymarkError, DeclarationError, Problem, Html, refuse, one: new DaymarkError('stale', 'x') }
