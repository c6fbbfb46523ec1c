import { randomBytes } from 'node:crypto'
import type { Store } from '../store.js'
import { panelTable } from './table.js'
import { settings } from './tables.js'

const table = panelTable(settings)

/** The secret that signs what browsers keep for the panel. Created once and shared by all processes. */
export async function storedSecret(store: Store): Promise<string> {
  const known = await table.find(store, 'secret')
  if (known) return known.value
  const value = randomBytes(32).toString('base64')
  try {
    await store.transaction((tx) => table.create(tx, { name: 'secret', value }))
    return value
  } catch (error) {
    // If another process was quicker, its secret is the one; else something is wrong.
    const made = await table.find(store, 'secret')
    if (!made) throw error
    return made.value
  }
}
