import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  json,
  numeric,
  pgTable,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import { type Model, modelOf } from '../../src/resource/model/model.js'
import { models as sqliteModels } from '../../src/store/contract/tables.js'
import type { SqlStore } from '../../src/store/sql/sql-store.js'
import type { Reads, Store, Writes } from '../../src/store/store.js'

const bytea = customType<{ data: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver(value) {
    if (!(value instanceof Uint8Array)) throw new TypeError('Must be bytes')
    return value
  },
})

const regions = pgTable('contract_regions', { id: integer().primaryKey(), name: text().notNull().unique() })
const places = pgTable(
  'contract_places',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    code: text().unique(),
    regionId: integer('region_id').references(() => regions.id),
    parentId: integer('parent_id').references((): AnyPgColumn => places.id),
    people: bigint({ mode: 'number' }),
    area: doublePrecision(),
    open: boolean().notNull().default(true),
    status: text().notNull().default('draft'),
    seenAt: timestamp('seen_at', { withTimezone: true, precision: 3 }),
    tags: json().$type<unknown>(),
    photo: bytea(),
    views: bigint({ mode: 'bigint' }),
    price: numeric(),
    madeBy: text('made_by').$defaultFn(() => 'the schema'),
    changes: integer().$onUpdateFn(() => 7),
    slot: integer(),
  },
  (table) => [unique('contract_places_slot').on(table.regionId, table.slot)],
)
const flakes = pgTable('contract_flakes', { id: bigint({ mode: 'bigint' }).primaryKey(), name: text() })
const slugs = pgTable('contract_slugs', { slug: text().primaryKey(), name: text() })

/** The models of the contract over PostgreSQL tables. */
export const models = { regions: modelOf(regions), places: modelOf(places), flakes: modelOf(flakes), slugs: modelOf(slugs) }

/** SQL that makes them. Keys are counted on from the greatest, as SQLite does. */
export const schema = `
  create table contract_regions (id integer primary key, name text not null unique);
  create table contract_places (id integer primary key, name text not null, code text unique, region_id integer references contract_regions (id),
    parent_id integer references contract_places (id), people bigint, area double precision, open boolean not null default true,
    status text not null default 'draft', seen_at timestamptz(3), tags json, photo bytea, views bigint, price numeric, made_by text, changes integer,
    slot integer, constraint contract_places_slot unique (region_id, slot));
  create table contract_flakes (id bigint primary key, name text);
  create table contract_slugs (slug text primary key, name text);
  create function next_region() returns integer language sql as 'select coalesce(max(id), 0) + 1 from contract_regions';
  create function next_place() returns integer language sql as 'select coalesce(max(id), 0) + 1 from contract_places';
  alter table contract_regions alter id set default next_region();
  alter table contract_places alter id set default next_place()`

export const empty = 'truncate contract_places, contract_regions, contract_flakes, contract_slugs'

const twins = new Map<Model, Model>(Object.entries(sqliteModels).map(([name, model]) => [model, models[name as keyof typeof models]]))

/** A store that takes the contract's own models for those of PostgreSQL. */
export function asContract(store: SqlStore): Store {
  const twin = (model: Model) => twins.get(model) ?? model
  const reads = (from: Reads): Reads => ({
    list: (model, query) => from.list(twin(model), query),
    count: (model, where, cap) => from.count(twin(model), where, cap),
    aggregate: (model, aggregation) => from.aggregate(twin(model), aggregation),
    find: (model, key, columns, where) => from.find(twin(model), key, columns, where),
    findMany: (model, keys, columns, where) => from.findMany(twin(model), keys, columns, where),
  })
  const writes = (to: Writes): Writes => ({
    create: (model, values) => to.create(twin(model), values),
    update: (model, key, values, where) => to.update(twin(model), key, values, where),
    delete: (model, key, where) => to.delete(twin(model), key, where),
    deleteMany: (model, keys, where) => to.deleteMany(twin(model), keys, where),
  })
  return {
    ...reads(store),
    transaction: (fn, waiting) => store.transaction((tx) => fn({ ...reads(tx), ...writes(tx) }), waiting),
    close: () => store.close(),
  }
}
