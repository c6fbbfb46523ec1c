import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const countries = sqliteTable('countries', {
  id: integer('id').primaryKey(),
  /** ISO 3166-1 alpha-2, by which GeoNames, the source of the cities, refers to countries. */
  code: text('code').notNull().unique(),
  name: text('name').notNull(),
  officialName: text('official_name'),
  region: text('region'),
  subregion: text('subregion'),
  capital: text('capital'),
  area: real('area'),
  landlocked: integer('landlocked', { mode: 'boolean' }).notNull().default(false),
  independent: integer('independent', { mode: 'boolean' }),
  unMember: integer('un_member', { mode: 'boolean' }).notNull().default(false),
  flag: text('flag'),
  latitude: real('latitude'),
  longitude: real('longitude'),
  notes: text('notes'),
  updatedAt: integer('updated_at', { mode: 'timestamp_ms' })
    .notNull()
    .$defaultFn(() => new Date())
    .$onUpdate(() => new Date()),
})

export const languages = sqliteTable('languages', {
  id: integer('id').primaryKey(),
  /** ISO 639-3 if the source has one. */
  code: text('code', { length: 32 }).notNull().unique(),
  name: text('name').notNull(),
  rtl: integer('rtl', { mode: 'boolean' }).notNull().default(false),
  notes: text('notes'),
  /** When it was moved to the trash. */
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})

/** A row for each language of a country. */
export const countryLanguages = sqliteTable(
  'country_languages',
  {
    id: integer('id').primaryKey(),
    countryId: integer('country_id')
      .notNull()
      .references(() => countries.id),
    languageId: integer('language_id')
      .notNull()
      .references(() => languages.id),
  },
  // One for each direction: a country's languages, and a language's countries.
  (link) => [
    uniqueIndex('country_languages_country').on(link.countryId, link.languageId),
    index('country_languages_language').on(link.languageId, link.countryId),
  ],
)

export const cities = sqliteTable(
  'cities',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    countryId: integer('country_id')
      .notNull()
      .references(() => countries.id),
    population: integer('population').notNull().default(0),
    isCapital: integer('is_capital', { mode: 'boolean' }).notNull().default(false),
    latitude: real('latitude').notNull().default(0),
    longitude: real('longitude').notNull().default(0),
    notes: text('notes'),
    /** The path of a picture. */
    photo: text('photo'),
    documents: text('documents', { mode: 'json' }).$type<readonly string[]>(),
    /** The GeoNames id; none for a city added here. */
    sourceId: integer('source_id'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' })
      .notNull()
      .$defaultFn(() => new Date()),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' })
      .notNull()
      .$defaultFn(() => new Date())
      .$onUpdate(() => new Date()),
  },
  // For the sorts and filters of listings. SQLite ends every index with the rowid, so ties are in order, too.
  (city) => [
    index('cities_name').on(city.name),
    index('cities_population').on(city.population),
    index('cities_country_population').on(city.countryId, city.population),
    index('cities_capital_population').on(city.isCapital, city.population),
  ],
)

/** The stops of a journey, in the order that their travellers put them in. */
export const stops = sqliteTable(
  'stops',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    cityId: integer('city_id')
      .notNull()
      .references(() => cities.id),
    state: text('state').notNull().default('planned'),
    arrival: text('arrival'),
    nights: integer('nights').notNull().default(1),
    themes: text('themes', { mode: 'json' }).$type<readonly string[]>(),
    notes: text('notes'),
    position: real('position').notNull(),
  },
  (stop) => [
    index('stops_position').on(stop.position),
    index('stops_city').on(stop.cityId),
    index('stops_arrival').on(stop.arrival),
    index('stops_state').on(stop.state, stop.position),
  ],
)
