import * as postgresql from './postgresql-schema.js'
import * as sqlite from './sqlite-schema.js'

/** The demo runs on either database; an application has one schema, for the one it uses. */
const tables = /^postgres(?:ql)?:/.test(process.env.DATABASE_URL ?? '') ? (postgresql as unknown as typeof sqlite) : sqlite

export const { countries, languages, countryLanguages, cities, stops } = tables
