import { createRequire } from 'node:module'

type PgCore = typeof import('drizzle-orm/pg-core')

const load = createRequire(import.meta.url)
let core: PgCore | undefined

/**
 * Drizzle's PostgreSQL module, loaded when a table or database of that kind first appears, since it takes a tenth of a start. It may be
 * another copy than the one that made the table: Drizzle's `is` compares class names, not classes.
 */
export function pgCore(): PgCore {
  core ??= load('drizzle-orm/pg-core') as PgCore
  return core
}
