import {
  actionButton,
  alert,
  badge,
  belongsTo,
  box,
  definePage,
  definePanel,
  defineResource,
  figure,
  formBuilder,
  fragment,
  grid,
  heading,
  html,
  id,
  memoryStore,
  metric,
  modal,
  number,
  offCanvas,
  type Panel,
  paragraph,
  progress,
  refuse,
  type Store,
  switcher,
  tableBuilder,
  tabs,
  text,
  textarea,
} from 'daymark'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres'
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import Libsql from 'libsql'
import pg from 'pg'
import { z } from 'zod'
import type { LogEntry } from '../../src/http/app.js'
import { always } from '../../src/resource/condition/condition.js'
import { modelOf as boundModel } from '../../src/resource/model/model.js'
import { openSqlStore } from '../../src/store/sql/open.js'
import { openDatabase } from '../support/postgresql-shared.js'
import { postgresqlSchema, postgresqlTables, schema, type TableName, type Tables, tables } from './tables.js'

export const oddWords = [
  'a/b',
  'c d',
  '"q"',
  "it's",
  '100%',
  '%2F',
  'x?y#z',
  'é😀',
  '+',
  'a\\b',
  '<b>',
  'semi;colon',
  'a,b',
  '__proto__',
  '…',
  'crud',
  '%',
  'a&b=c',
]

const rows: { readonly [T in TableName]: readonly Record<string, unknown>[] } = {
  countries: [
    { id: 1, code: 'DE', name: 'Germany' },
    { id: 2, code: 'FR', name: 'France' },
    { id: 3, code: 'XX', name: 'Nowhere' },
  ],
  cities: [
    { id: 1, name: 'Berlin', countryId: 1, population: 3_426_354, area: 891.7, isCapital: true, secret: 'sesame' },
    { id: 2, name: 'Hamburg', countryId: 1, population: 1_739_117 },
    { id: 3, name: 'Köln', countryId: 1, population: 963_395, notes: 'Dom\nRhein' },
    { id: 4, name: 'Paris', countryId: 2, population: 2_138_551, isCapital: true },
    { id: 5, name: 'Marseille', countryId: 2, population: 794_811, area: 240.6 },
  ],
  words: oddWords.map((word) => ({ word, meaning: `about ${word}` })),
  coins: [{ id: 1, mint: 9_007_199_254_740_993n }],
  vaults: [{ id: 1, name: 'First' }],
  archives: [{ id: 1, name: 'Old' }],
}

/** A panel over some store, fresh for one scenario, and the means to look behind it. */
export interface World {
  readonly panel: Panel
  readonly log: readonly LogEntry[]
  counts(): Promise<{ readonly [T in TableName]: number }>
  close(): Promise<void>
}

interface Opened {
  readonly store: Store
  readonly tables: Tables
  modelOf(name: TableName): unknown
  readonly database: object | undefined
  end(): void
}

export const stores = {
  'the memory store': async () => {
    const store = memoryStore()
    await fill(store, tables)
    return { store, tables, modelOf: (name) => ({ ...store, table: tables[name] }), database: undefined, end: () => {} }
  },
  'SQLite in memory': async () => {
    const client = new Libsql(':memory:')
    for (const statement of schema) client.exec(statement)
    const database = drizzle(client)
    const store = openSqlStore({ database })
    await fill(store, tables)
    return { store, tables, modelOf: (name) => tables[name], database, end: () => client.close() }
  },
  PostgreSQL: async () => {
    const { database, renew } = await postgresql()
    await renew()
    return {
      store: openSqlStore({ database }),
      tables: postgresqlTables,
      modelOf: (name) => postgresqlTables[name],
      database,
      end: () => {},
    }
  },
} satisfies Record<string, () => Promise<Opened>>

export type StoreName = keyof typeof stores

async function fill(store: Store, into: Tables): Promise<void> {
  await store.transaction(async (tx) => {
    for (const [name, all] of Object.entries(rows)) for (const row of all) await tx.create(boundModel(into[name as TableName]), row)
  })
}

let known: Promise<{ pool: pg.Pool; database: object; renew(): Promise<unknown>; drop(): Promise<void> }> | undefined

/** One database for all worlds of a test file, in which the rows are renewed: made anew it would take most of the time. */
function postgresql() {
  known ??= openDatabase().then(async ({ url, query, drop }) => {
    await query(postgresqlSchema.join(';'))
    const pool = new pg.Pool({ connectionString: url })
    const database = drizzlePostgresql(pool)
    await fill(openSqlStore({ database }), postgresqlTables)
    const names = Object.keys(postgresqlTables)
    await query(`create schema first; ${names.map((name) => `create table first.${name} as table ${name}`).join(';')}`)
    // Faster than TRUNCATE, and the next key is the one after those of the first rows, as in SQLite.
    const renewing = [
      ...names.toReversed().map((name) => `delete from ${name}`),
      ...names.map((name) => `insert into ${name} select * from first.${name}`),
      ...names.filter((name) => name !== 'words').map((name) => `select setval('${name}_id_seq', (select max(id) from first.${name}))`),
    ].join(';')
    return { pool, database, drop, renew: () => query(renewing) }
  })
  return known
}

/** Once after all worlds of a test file. */
export async function closeStores(): Promise<void> {
  const opened = await known
  await opened?.pool.end()
  await opened?.drop()
}

export async function openWorld(name: StoreName): Promise<World> {
  const { store, tables: kept, modelOf, database, end }: Opened = await stores[name]()
  const log: LogEntry[] = []
  const resources = resourcesOver(modelOf as <T extends TableName>(name: T) => Tables[T], kept)
  const panel = definePanel({
    auth: 'open',
    title: 'World',
    resources: Object.values(resources),
    ...(database && { database }),
    pages: pagesOver(resources, kept.countries),
    log: (entry) => log.push(entry),
    limits: { body: 50_000 },
    secret: 'of these scenarios',
  })
  return {
    panel,
    log,
    counts: async () => {
      const found = await Promise.all(
        Object.entries(resources).map(async ([table, { model }]) => [table, await store.count(model, always)] as const),
      )
      return Object.fromEntries(found) as { [T in TableName]: number }
    },
    close: async () => {
      await panel.close()
      await store.close()
      end()
    },
  }
}

function pagesOver({ cities, countries, words, archives }: ReturnType<typeof resourcesOver>, countryTable: Tables['countries']) {
  const overview = definePage({
    uri: 'overview',
    title: 'Overview',
    components: [
      heading('Numbers'),
      grid(4, [
        metric({ name: 'cities', label: 'Cities', value: figure.count(cities), link: cities }),
        metric({ name: 'people', label: 'People', value: figure.sum(cities, 'population') }),
        metric({ name: 'mean', label: 'On average', value: figure.average(cities, 'population') }),
        metric({ name: 'largest', label: 'Largest', value: figure.largest(cities, 'population') }),
        metric({ name: 'smallest', label: 'Smallest', value: figure.smallest(cities, 'population') }),
        metric({ name: 'path', label: 'Where', value: ({ pageUri }) => pageUri }),
        metric({ name: 'hidden-metric', label: 'Hidden', value: 1, can: ['nobody'] }),
        metric({ name: 'unreadable', label: 'Secret', value: figure.largest(cities, 'secret') }),
        metric({ name: 'archive-count', label: 'Archives', value: figure.count(archives), can: false }),
      ]),
      tableBuilder(cities, {
        name: 'large',
        columns: ['name', 'population'],
        where: { population: { gte: 1_000_000 } },
        sort: '-population',
        perPage: 2,
      }),
      tableBuilder(cities, { name: 'all', title: 'Some', columns: ['name'], sort: 'name', limit: 2 }),
      fragment('later-fragment', [metric({ name: 'later', label: 'Later', value: async () => 3 })], { deferred: true, label: 'Later' }),
      tabs({
        name: 'by',
        label: 'By country',
        tabs: [
          { uri: 'german', label: 'German', components: [tableBuilder(countries, { name: 'german', where: { code: 'DE' } })] },
          { uri: 'french', label: 'French', components: [tableBuilder(countries, { name: 'french', where: { code: 'FR' } })] },
        ],
      }),
      box([progress({ name: 'done', label: 'Done', value: figure.count(cities, { isCapital: true }), max: figure.count(cities) })], {
        title: 'Box',
      }),
      badge({ name: 'state', label: 'State', value: 'well', tone: 'good' }),
      alert('warn', 'Mind', { text: 'the gap' }),
      modal('more', [paragraph('More of it')], { label: 'More' }),
      offCanvas('aside', [formBuilder(words, { name: 'new-word' })], { label: 'New word' }),
      formBuilder(cities, { name: 'berlin', title: 'Berlin', item: 1, fields: ['name', 'countryId'] }),
    ],
  })
  const tools = definePage({
    uri: 'tools',
    title: 'Tools',
    components: [
      actionButton({ label: 'Ring', event: 'rang' }),
      box([actionButton({ label: 'Recount all', resource: cities, handler: 'recount', confirm: 'All of them?' })]),
      fragment('later-button', [actionButton({ label: 'Later', method: 'where' })], { deferred: true }),
    ],
    buttons: [
      { label: 'Rename', method: 'rename', icon: 'edit' },
      { label: 'Where', method: 'where', confirm: 'Do you want to know?', tone: 'danger' },
      { label: 'Where at once', method: 'where' },
      { label: 'Hidden', method: 'hidden' },
      { label: 'Look', method: 'look' },
      { label: 'Elsewhere', href: '/elsewhere' },
    ],
    methods: {
      rename: {
        fields: { to: text('New name').required().max(10), countryId: belongsTo('Country', countryTable) },
        async run({ input, of }) {
          await of(cities).update(1, { name: String(input.to) })
          return { message: `Renamed to ${input.to}`, fieldsValues: { name: input.to } }
        },
      },
      where: { run: (ctx) => `${ctx.pageUri} ${ctx.resourceUri} ${cities.isIndexPage(ctx)}` },
      look: {
        method: 'GET',
        safe: true,
        input: z.object({ at: z.coerce.number() }),
        run: async ({ input, of }) => `${(await of(cities).find(input.at))?.name}`,
      },
      writes: { method: 'GET', safe: true, run: async ({ of }) => void (await of(cities).update(1, { population: 1 })) },
      fails: {
        async run({ of }) {
          await of(cities).update(1, { population: 1 })
          await of(words).create({ word: 'new' })
          refuse('by', 'Not today')
        },
      },
      swallows: {
        async run({ of }) {
          await of(cities).update(1, { population: 1 })
          await of(cities)
            .update(5, { population: 1 })
            .catch(() => {})
        },
      },
      hidden: { can: ['nobody'], run: () => 'seen' },
    },
  })
  const closed = definePage({ uri: 'closed', title: 'Closed', can: ['nobody'], components: [], methods: { open: { run: () => 'open' } } })
  return [overview, closed, tools]
}

function resourcesOver(modelOf: <T extends TableName>(name: T) => Tables[T], kept: Tables) {
  const allCountries = defineResource({
    model: modelOf('countries'),
    column: 'name',
    fields: { id: id(), code: text('Code').required().max(2).sortable(), name: text('Name').required().max(60).sortable().searchable() },
  })
  return {
    countries: allCountries,
    cities: defineResource({
      model: modelOf('cities'),
      fields: {
        id: id(),
        name: text('Name').required().max(60).sortable().searchable(),
        countryId: belongsTo('Country', kept.countries).sortable(),
        population: number('Population').min(0).sortable(),
        area: number('Area').min(0),
        isCapital: switcher('Capital'),
        notes: textarea('Notes'),
        secret: text('Secret').visible(false),
      },
      computed: { size: { label: 'Size', needs: ['population'], value: ({ population }) => (population > 1_000_000 ? 'large' : 'small') } },
      pages: {
        index: ['id', 'name', 'countryId', 'population', 'isCapital', 'size'],
        more: [
          { uri: 'capitals', title: 'Capital cities', type: 'index', fields: ['name'], where: { isCapital: true } },
          { uri: 'short', title: 'In short', type: 'detail', fields: ['name'] },
          { uri: 'rename', title: 'Rename', type: 'form', fields: ['name'] },
          definePage({
            uri: 'report',
            title: 'Report',
            components: [metric({ name: 'of', label: 'Of', value: ({ pageUri, resourceItem }) => `${pageUri} of ${resourceItem}` })],
            methods: { whose: { run: ({ pageUri, resourceUri, resourceItem }) => `${pageUri} of ${resourceUri} ${resourceItem}` } },
            buttons: [{ label: 'Whose', method: 'whose' }],
          }),
          definePage({ uri: 'shut', title: 'Shut', can: ['nobody'], components: [], methods: { whose: { run: () => 'seen' } } }),
          { uri: 'shut-list', title: 'Shut list', type: 'index', fields: ['name'], can: ['nobody'] },
        ],
      },
      filters: ['name', 'countryId', 'population', 'isCapital'],
      queryTags: { capitals: { label: 'Capitals', where: { isCapital: true } } },
      maxItemsPerPage: 50,
      maxMassDelete: 4,
      handlers: {
        recount: {
          confirm: 'Counts the people anew.',
          async run({ selected, update }) {
            for await (const all of selected()) for (const city of all) await update(city.id, { population: city.population + 1 })
          },
        },
        rename: {
          label: 'Rename',
          selection: 'required',
          fields: { to: text('New name').required().max(10), countryId: belongsTo('Country', kept.countries) },
          async run({ ids, input, update }) {
            for (const id of ids) await update(id, { name: String(input.to) })
            return {
              message: `${ids.length} renamed to ${input.to}`,
              messageType: 'info',
              events: ['table-updated-index-table-cities'],
              html: { 'the-name': html`<b>${input.to}</b>` },
              fieldsValues: { name: input.to },
              redirect: '/admin/resource/cities/crud',
            }
          },
        },
        halve: {
          input: z.object({ by: z.coerce.number().min(2), why: z.string().optional() }),
          run: ({ input }) => `by ${input.by}`,
        },
        fails: {
          async run({ update, create }) {
            await update(1, { population: 1 })
            await create({ name: 'Atlantis 2', countryId: 1 })
            throw new Error('SELECT * FROM cities at /secret/path.ts:1:1')
          },
        },
        swallows: {
          async run({ update }) {
            await update(1, { population: 1 })
            await update(5, { population: 1 }).catch(() => {})
          },
        },
        refuses: {
          async run({ update }) {
            await update(1, { population: 1 })
            refuse('by', 'Not today')
          },
        },
        keeps: {
          transaction: false,
          async run({ update }) {
            await update(1, { population: 1 })
            refuse('by', 'Not today')
          },
        },
        where: {
          fields: { note: text('Note') },
          run: (ctx) =>
            [ctx.page, ctx.resourceItem, ctx.isIndexPage, ctx.isDetailPage, ctx.isUpdateFormPage, allCountries.isIndexPage(ctx)].join(' '),
        },
        countries: {
          run: async ({ of }) => `${await of(allCountries).count()} countries, the first is ${(await of(allCountries).find(1))?.name}`,
        },
        report: {
          method: 'GET',
          safe: true,
          run: async ({ ids, list }) => ({
            download: { name: 'Städte.csv', type: 'text/csv', body: `${ids.length} of ${(await list()).length}` },
          }),
        },
        writes: { method: 'GET', safe: true, run: async ({ update }) => void (await update(1, { population: 1 })) },
        away: {
          async run({ update }) {
            await update(1, { population: 1 })
            return { redirect: 'https://elsewhere.example/' }
          },
        },
        abroad: { redirectsTo: ['https://elsewhere.example'], run: () => ({ redirect: 'https://elsewhere.example/x' }) },
        archive: {
          ability: 'delete',
          method: 'DELETE',
          run: async ({ ids, delete: remove }) => void (await Promise.all(ids.map((id) => remove(id)))),
        },
        touch: {
          long: true,
          async run({ ids, update }) {
            for (const id of ids) await update(id, { notes: 'touched' })
            return `${ids.length} touched`
          },
        },
      },
      methods: {
        greet: {
          method: 'GET',
          safe: true,
          input: z.object({ name: z.string() }),
          run: ({ input, user }) => `Hello ${input.name}, from ${user.name}`,
        },
        recompute: {
          method: 'POST',
          ability: 'update',
          fields: { factor: number('Factor').required().min(1) },
          run: async ({ ids, update, input }) => {
            for (const id of ids) await update(id, { population: 10 * Number(input.factor) })
          },
        },
      },
      indexButtons: [
        { label: 'Recount', bulk: true, handler: 'recount' },
        { label: 'Rename', handler: 'rename', icon: 'edit', visible: ({ record }) => record.name !== 'Köln' },
        { label: 'Archive it', handler: 'archive', tone: 'danger' },
        { label: 'Report', at: 'toolbar', handler: 'report' },
        { label: 'Where…', at: 'toolbar', handler: 'where', confirm: 'From the toolbar?' },
        { label: 'Where, too', at: 'toolbar', handler: 'where', confirm: 'From the other one?', tone: 'danger' },
        { label: 'Of these', bulk: true, handler: 'report' },
        { label: 'Touch all', at: 'toolbar', handler: 'touch', group: 'Other' },
        { label: 'Map', at: 'toolbar', href: '/map', group: 'Other' },
      ],
      buttons: [
        { label: 'Recompute', method: 'recompute', on: 'form' },
        { label: 'Open map', href: '/map/{row-id}' },
        { label: 'Help', href: '/help', visible: ({ user }) => user.roles.length > 0 },
        { label: 'Recount here', handler: 'recount', confirm: 'Here?' },
        { label: 'Of the large', href: '/large', visible: ({ record }) => Number(record.population) > 0 },
        { label: 'Ring', event: 'rang-{row-id}', visible: ({ user }) => user.roles.includes('ringer') },
      ],
      canRecord: { delete: ({ record }) => record.name !== 'Paris', update: ({ record }) => record.name !== 'Marseille' },
      hooks: {
        beforeSave: (about) => {
          const { values } = about
          if (values.notes === 'where')
            return { notes: [about.page, about.resourceItem, about.isCreateFormPage, about.isUpdateFormPage].join(' ') }
          if (values.name === 'Atlantis') refuse('name', 'This city is a legend')
          // A mistake in a user's own code: the caller must learn nothing of it.
          if (values.name === 'Bielefeld') throw new Error('SELECT * FROM cities at /secret/path.ts:1:1')
          return {}
        },
      },
    }),
    words: defineResource({
      model: modelOf('words'),
      fields: { word: id(), meaning: text('Meaning') },
      pages: { form: ['word', 'meaning'] },
    }),
    coins: defineResource({ model: modelOf('coins'), fields: { id: id(), mint: number('Mint') }, can: { delete: false } }),
    vaults: defineResource({
      model: modelOf('vaults'),
      fields: { id: id(), name: text('Name').required() },
      requireIfMatch: true,
      simplePaginate: true,
    }),
    archives: defineResource({
      model: modelOf('archives'),
      fields: { id: id(), name: text('Name').required() },
      activeActions: ['view', 'update', 'delete'],
      can: { update: false, delete: ['archivist'] },
    }),
  }
}

// What drizzle-orm/better-sqlite3 makes, without importing better-sqlite3.
function drizzle(client: Libsql.Database): object {
  const dialect = new SQLiteSyncDialect()
  const session = new BetterSQLiteSession(client as never, dialect, undefined)
  return Object.assign(new BaseSQLiteDatabase('sync', dialect as never, session as never, undefined), { $client: client })
}
