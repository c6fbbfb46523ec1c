import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Seeds the World Atlas where that has not been done, in a process of its own: libsql holds the file open until that process ends,
 * and the panel may read it by another copy of SQLite, whose locks the first would break.
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
