import { createRequire } from 'node:module'

type PgCore = typeof import('drizzle-orm/pg-core')

const load = createRequire(import.meta.url)
let core: PgCore | undefined

/**
 * Drizzle's part for PostgreSQL, which is loaded when a table or a database of that kind is first met: it is a tenth of a start. It may be another copy than the one that a
 * table was made with; Drizzle tells its kinds by their names (`is`), never by their classes.
 */
export function pgCore(): PgCore {
  core ??= load('drizzle-orm/pg-core') as PgCore
  return core
}
