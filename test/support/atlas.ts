import { createHash } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seed } from '../../examples/atlas/seed.js'

const atlas = fileURLToPath(new URL('../../examples/atlas/', import.meta.url))
const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const sources = ['sqlite-schema.ts', 'rows.ts', 'seed-sqlite.ts', 'sources.ts', 'create-table.ts']

/** A private copy of the seeded World Atlas, made in milliseconds. Call `remove` when the test has closed it. */
export async function atlasFixture(): Promise<{ path: string; remove: () => void }> {
  const seeded = await seededOnce()
  const folder = mkdtempSync(join(tmpdir(), 'daymark-atlas-'))
  const path = join(folder, 'atlas.db')
  copyFileSync(seeded, path, constants.COPYFILE_FICLONE)
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Seeded anew only when what makes it has changed; moved into place whole, since test files run at the same time. */
async function seededOnce(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of sources) hash.update(readFileSync(join(atlas, name)))
  const name = `atlas-${hash.digest('hex').slice(0, 16)}.db`
  if (!existsSync(join(cache, name))) {
    mkdirSync(cache, { recursive: true })
    for (const old of readdirSync(cache)) if (/^atlas-[0-9a-f]+\.db$/.test(old)) rmSync(join(cache, old))
    const work = mkdtempSync(join(cache, 'seeding-'))
    await seed(`sqlite:${join(work, name)}`)
    renameSync(join(work, name), join(cache, name))
    rmSync(work, { recursive: true })
  }
  return join(cache, name)
}
