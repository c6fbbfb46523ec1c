import { type AnySQLiteColumn, blob, integer, numeric, real, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { modelOf } from '../../resource/model/model.js'

const regions = sqliteTable('contract_regions', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull().unique(),
})

const places = sqliteTable(
  'contract_places',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    code: text().unique(),
    regionId: integer('region_id').references(() => regions.id),
    parentId: integer('parent_id').references((): AnySQLiteColumn => places.id),
    people: integer(),
    area: real(),
    open: integer({ mode: 'boolean' }).notNull().default(true),
    status: text().notNull().default('draft'),
    seenAt: integer('seen_at', { mode: 'timestamp_ms' }),
    tags: text({ mode: 'json' }).$type<unknown>(),
    photo: blob(),
    views: blob({ mode: 'bigint' }),
    price: numeric(),
    madeBy: text('made_by').$defaultFn(() => 'the schema'),
    changes: integer().$onUpdateFn(() => 7),
    slot: integer(),
  },
  (table) => [unique('contract_places_slot').on(table.regionId, table.slot)],
)

const flakes = sqliteTable('contract_flakes', { id: numeric({ mode: 'bigint' }).primaryKey(), name: text() })
const slugs = sqliteTable('contract_slugs', { slug: text().primaryKey(), name: text() })

/** The Drizzle tables that the cases of `storeContract` use. */
export const contractTables = { regions, places, flakes, slugs }

/** The same as models. */
export const models = { regions: modelOf(regions), places: modelOf(places), flakes: modelOf(flakes), slugs: modelOf(slugs) }

/** The SQL that creates `contractTables` in SQLite, one statement each. */
export const contractSchema: readonly string[] = [
  'create table contract_regions (id integer primary key autoincrement, name text not null unique)',
  `create table contract_places (id integer primary key, name text not null, code text unique, region_id integer references contract_regions (id),
  parent_id integer references contract_places (id), people integer, area real, open integer not null default 1, status text not null default 'draft',
  seen_at integer, tags text, photo blob, views blob, price numeric, made_by text, changes integer, slot integer, unique (region_id, slot))`,
  'create table contract_flakes (id numeric primary key not null, name text)',
  'create table contract_slugs (slug text primary key not null, name text)',
]
