import { boolean, date, doublePrecision, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, varchar } from 'drizzle-orm/pg-core'

const id = () => integer('id').primaryKey().generatedByDefaultAsIdentity()
/** Milliseconds only, as a Date has: a more precise column could not be compared with a Date and sorted by the same index. */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 }).notNull()
const now = () => new Date()

export const countries = pgTable('countries', {
  id: id(),
  code: text('code').notNull().unique(),
  name: text('name').notNull(),
  officialName: text('official_name'),
  region: text('region'),
  subregion: text('subregion'),
  capital: text('capital'),
  area: doublePrecision('area'),
  landlocked: boolean('landlocked').notNull().default(false),
  independent: boolean('independent'),
  unMember: boolean('un_member').notNull().default(false),
  flag: text('flag'),
  latitude: doublePrecision('latitude'),
  longitude: doublePrecision('longitude'),
  notes: text('notes'),
  updatedAt: moment('updated_at').$defaultFn(now).$onUpdate(now),
})

export const languages = pgTable('languages', {
  id: id(),
  code: varchar('code', { length: 32 }).notNull().unique(),
  name: text('name').notNull(),
  rtl: boolean('rtl').notNull().default(false),
  notes: text('notes'),
  deletedAt: timestamp('deleted_at', { withTimezone: true, precision: 3 }),
})

/** A row for each language of a country. */
export const countryLanguages = pgTable(
  'country_languages',
  {
    id: id(),
    countryId: integer('country_id')
      .notNull()
      .references(() => countries.id),
    languageId: integer('language_id')
      .notNull()
      .references(() => languages.id),
  },
  (link) => [
    uniqueIndex('country_languages_country').on(link.countryId, link.languageId),
    index('country_languages_language').on(link.languageId, link.countryId),
  ],
)

export const cities = pgTable(
  'cities',
  {
    id: id(),
    name: text('name').notNull(),
    countryId: integer('country_id')
      .notNull()
      .references(() => countries.id),
    population: integer('population').notNull().default(0),
    isCapital: boolean('is_capital').notNull().default(false),
    latitude: doublePrecision('latitude').notNull().default(0),
    longitude: doublePrecision('longitude').notNull().default(0),
    notes: text('notes'),
    /** The path of a picture. */
    photo: text('photo'),
    documents: jsonb('documents').$type<readonly string[]>(),
    sourceId: integer('source_id'),
    createdAt: moment('created_at').$defaultFn(now),
    updatedAt: moment('updated_at').$defaultFn(now).$onUpdate(now),
  },
  // For the sorts and filters of listings. Each index ends with the id, which breaks ties.
  (city) => [
    index('cities_name').on(city.name, city.id),
    index('cities_population').on(city.population, city.id),
    index('cities_country_population').on(city.countryId, city.population, city.id),
    index('cities_capital_population').on(city.isCapital, city.population, city.id),
  ],
)

/** The stops of a journey, in the order that their travellers put them in. */
export const stops = pgTable(
  'stops',
  {
    id: id(),
    name: text('name').notNull(),
    cityId: integer('city_id')
      .notNull()
      .references(() => cities.id),
    state: text('state').notNull().default('planned'),
    arrival: date('arrival'),
    nights: integer('nights').notNull().default(1),
    themes: jsonb('themes').$type<readonly string[]>(),
    notes: text('notes'),
    position: doublePrecision('position').notNull(),
  },
  (stop) => [
    index('stops_position').on(stop.position, stop.id),
    index('stops_city').on(stop.cityId, stop.id),
    index('stops_arrival').on(stop.arrival, stop.id),
    index('stops_state').on(stop.state, stop.position, stop.id),
  ],
)
