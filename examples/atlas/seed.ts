import { fileURLToPath } from 'node:url'

/**
 * Fills the World Atlas once: a filled table is left alone, even if its rows have changed. An interrupted run is continued.
 *
 * @param database `sqlite:PATH` or `postgres://…`
 * @throws TypeError for any other database
 */
export async function seed(database: string): Promise<void> {
  const path = /^sqlite:(?!:)(.+)$/.exec(database)?.[1]
  if (path !== undefined) return (await import('./seed-sqlite.js')).seedSqlite(path)
  if (/^postgres(?:ql)?:/.test(database)) return (await import('./seed-postgresql.js')).seedPostgresql(database)
  throw new TypeError(`The World Atlas needs a database of the form sqlite:PATH or postgres://…, not ${database}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await seed(process.argv[2] ?? '').catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
