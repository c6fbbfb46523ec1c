import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apiKeys,
  authenticate,
  badge,
  belongsTo,
  chart,
  definePage,
  definePanel,
  definePlugin,
  defineResource,
  figure,
  file,
  folder,
  formBuilder,
  groups,
  id,
  metric,
  number,
  type Panel,
  passkeys,
  password,
  progress,
  tableBuilder,
  text,
  usersResource,
} from 'daymark'
import { oag } from 'daymark/oag'
import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { atlas } from '../../../examples/atlas/panel.js'
import { jwtSecret } from '../../auth/world.js'
import { atlasFixture } from '../../support/atlas.js'
import { Sqlite } from '../../support/sqlite.js'

/** What the sweep knows of a resource: values that it takes, each time others. */
export interface Sample {
  /** What makes a record. */
  body(n: number): Record<string, unknown>
  /** A field of text, which no two records share. */
  readonly field: string
  /** Its table and the column of that field, as the database names them. */
  readonly table: string
  readonly column: string
}

/** A panel that is swept, over a database of its own. */
export interface Swept {
  readonly name: string
  open(): Promise<{ readonly panel: Panel; readonly path: string; remove(): void }>
  readonly samples: Readonly<Record<string, Sample>>
  /** What handlers and methods read, by their names. */
  readonly inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const letters = (n: number) => String.fromCharCode(65 + (Math.floor(n / 26) % 26), 65 + (n % 26))
const users: Sample = {
  body: (n) => ({ username: `sweep-${n}`, name: 'Swept', password: 'correct horse battery', roles: ['reader'], active: true }),
  field: 'username',
  table: 'daymark_users',
  column: 'username',
}
const apiKeySample: Sample = { body: () => ({}), field: 'name', table: 'daymark_api_keys', column: 'name' }
const atlasSamples = {
  countries: {
    body: (n: number) => ({ code: letters(n).toLowerCase(), name: `Sweep ${n}` }),
    field: 'name',
    table: 'countries',
    column: 'name',
  },
  cities: { body: (n: number) => ({ name: `Sweep ${n}`, countryId: 1 }), field: 'name', table: 'cities', column: 'name' },
  languages: { body: (n: number) => ({ code: `sweep-${n}`, name: `Sweep ${n}` }), field: 'name', table: 'languages', column: 'name' },
  stops: { body: (n: number) => ({ name: `Sweep ${n}`, cityId: 1 }), field: 'name', table: 'stops', column: 'name' },
  users,
  'api-keys': apiKeySample,
}
const atlasInputs = { grow: { growth: 1 }, massUpdate: { notes: 'Swept' } }

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: varchar().notNull(),
  amount: integer(),
  papers: varchar({ mode: 'json' }).$type<readonly string[]>(),
  ownerId: integer('owner_id').references(() => owners.id),
})
const owners = sqliteTable('owners', { id: integer().primaryKey(), name: varchar().notNull() })
const streams = sqliteTable('streams', { id: integer().primaryKey(), name: varchar().notNull() })
const tables = [
  'create table owners (id integer primary key, name text not null)',
  'create table things (id integer primary key, name text not null, amount integer, papers text, owner_id integer references owners (id))',
  'create table streams (id integer primary key, name text not null)',
]

/** It has a verb, a handler and a method of every sort. */
function sweepPanel(database: string, uploads: string): Panel {
  const done = async () => 'Done'
  const Owners = defineResource({
    model: owners,
    fields: { id: id(), name: text('Name').required() },
    requireIfMatch: true,
    simplePaginate: true,
    can: { view: true },
  })
  const Things = defineResource({
    model: things,
    fields: {
      id: id(),
      name: text('Name').required().sortable().searchable(),
      amount: number('Amount').sortable(),
      papers: file('Papers').multiple().maxBytes(1000),
      ownerId: belongsTo('Owner', owners),
    },
    computed: { half: { label: 'Half', needs: ['amount'], value: ({ amount }) => (amount ?? 0) / 2 } },
    filters: ['name', 'amount'],
    queryTags: { many: { label: 'Many', where: { amount: { gt: 3 } } } },
    count: 'capped',
    handlers: {
      peek: { method: 'GET', safe: true, input: z.object({ at: z.string() }), run: ({ input }) => input.at },
      add: { fields: { by: number('By').required() }, run: done },
      put: { method: 'PUT', input: z.strictObject({ to: z.string() }), run: done },
      patch: { method: 'PATCH', run: done },
      drop: { method: 'DELETE', ability: 'delete', run: done },
      long: { long: true, run: done },
      only: { ability: 'delete', input: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), run: done },
    },
    methods: {
      look: { method: 'GET', safe: true, fields: { at: text('At') }, run: done },
      say: { input: z.object({ word: z.string() }), run: done },
      shout: { run: done },
      set: { method: 'PUT', run: done },
      mend: { method: 'PATCH', run: done },
      lose: { method: 'DELETE', ability: 'delete', run: done },
    },
    pages: {
      more: [
        { uri: 'many', title: 'Many', type: 'index', fields: ['name'], where: { amount: { gt: 3 } } },
        { uri: 'short', title: 'Short', type: 'detail', fields: ['name'], can: ['admin'] },
        { uri: 'rename', title: 'Rename', type: 'form', fields: ['name'] },
        definePage({
          uri: 'report',
          title: 'Report',
          components: [metric({ name: 'all', label: 'All', value: () => 1 })],
          methods: {
            glance: { method: 'GET', safe: true, fields: { at: text('At') }, run: done },
            order: { input: z.object({ word: z.string() }), run: done },
          },
        }),
      ],
    },
  })
  const Streams = defineResource({
    model: streams,
    fields: { id: id(), name: text('Name').required() },
    usePagination: false,
    activeActions: ['view', 'create', 'delete'],
    can: { massDelete: false },
  })
  const plugin = definePlugin({
    id: 'more',
    routes: () => [
      {
        name: 'open',
        methods: ['GET'],
        path: '/open',
        ability: 'public',
        query: 'none',
        verb: { on: 'guest', ends: ['answered'], run: async () => ({ is: 'answered', data: { said: 'this' }, view: null }) },
      },
      {
        name: 'told',
        methods: ['POST'],
        path: '/told/{word}',
        ability: 'signedIn',
        body: 'fields',
        query: 'own',
        verb: { on: 'panel', ends: ['answered', 'invalid'], run: async () => ({ is: 'answered', data: { said: 'that' }, view: null }) },
      },
    ],
  })
  return definePanel({
    title: 'Sweep',
    database,
    files: folder(uploads),
    url: 'http://localhost:3000/below/this',
    auth: { middleware: authenticate(), pipelines: [password(), passkeys(), apiKeys()] },
    resources: [Owners, Things, Streams, usersResource({ roles: ['admin', 'reader'] })],
    pages: [
      definePage({
        uri: 'numbers',
        title: 'Numbers',
        components: [
          metric({ name: 'things', label: 'Things', value: figure.count(Things) }),
          metric({ name: 'most', label: 'Most', value: figure.largest(Things, 'amount') }),
          progress({ name: 'share', label: 'Share', value: figure.average(Things, 'amount'), max: 100 }),
          badge({ name: 'state', value: () => 'good' }),
          chart({ name: 'by-owner', label: 'By owner', data: groups.sum(Things, 'amount', { by: 'ownerId', split: 'name' }) }),
          tableBuilder(Things, { name: 'some', columns: ['name'], limit: 3 }),
          formBuilder(Things, { name: 'new', fields: ['name'] }),
        ],
      }),
      definePage({
        uri: 'open',
        title: 'Open',
        can: true,
        components: [],
        methods: {
          watch: { method: 'GET', safe: true, run: done },
          keep: {
            fields: { name: text('Name').required() },
            run: async ({ of, input }) => void (await of(Owners).create({ name: String(input.name) })),
          },
        },
      }),
      definePage({ uri: 'closed', title: 'Closed', can: false, components: [] }),
    ],
    plugins: [oag({ access: 'signedIn' }), plugin],
    log: () => {},
  })
}

const named = (table: string): Sample => ({ body: (n) => ({ name: `Sweep ${n}` }), field: 'name', table, column: 'name' })

export const swept: readonly Swept[] = [
  {
    name: 'the atlas, by sessions',
    async open() {
      const { path, remove } = await atlasFixture()
      return { panel: atlas(`sqlite:${path}`), path, remove }
    },
    samples: atlasSamples,
    inputs: atlasInputs,
  },
  {
    name: 'the atlas, by tokens',
    async open() {
      const { path, remove } = await atlasFixture()
      process.env.JWT_SECRET = jwtSecret
      try {
        return { panel: atlas(`sqlite:${path}`), path, remove }
      } finally {
        delete process.env.JWT_SECRET
      }
    },
    samples: atlasSamples,
    inputs: atlasInputs,
  },
  {
    name: 'a panel with something of everything',
    async open() {
      const { path, remove } = databaseOf(tables)
      return { panel: sweepPanel(`sqlite:${path}`, `${path}-files`), path, remove }
    },
    samples: { owners: named('owners'), things: named('things'), streams: named('streams'), users },
    inputs: {
      peek: { at: 'x' },
      add: { by: 1 },
      put: { to: 'x' },
      only: { a: 'x' },
      say: { word: 'x' },
      order: { word: 'x' },
      keep: { name: 'Kept' },
    },
  },
]

/** A database with these tables. */
function databaseOf(tables: readonly string[]): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-sweep-'))
  const path = join(folder, 'panel.db')
  const client = new Sqlite(path)
  for (const statement of tables) client.exec(statement)
  client.close()
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
