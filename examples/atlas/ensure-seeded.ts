import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Seeds the World Atlas if needed, in a process of its own: libsql keeps the file open until its process ends, and the panel may read the
 * file with another copy of SQLite, whose locks the first one would break.
 *
 * @param database `sqlite:PATH` or `postgres://…`
 */
export async function ensureSeeded(database: string): Promise<void> {
  const seeding = fork(fileURLToPath(new URL('./seed.js', import.meta.url)), [database])
  const [code] = await once(seeding, 'exit')
  if (code !== 0)
    throw new Error(
      `The World Atlas could not be seeded in ${withoutPassword(database)}: see above. DATABASE_URL names another one: sqlite:PATH or postgres://…`,
    )
}

function withoutPassword(database: string): string {
  return database.replace(/(?<=:\/\/[^/@]*):[^/@]*(?=@)/, '')
}
