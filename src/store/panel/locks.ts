import type { Reads } from '../store.js'
import { locked } from './migrations.js'
import { panelTable } from './table.js'
import { locks } from './tables.js'

const table = panelTable(locks)

/**
 * If the database has concurrent writers, serializes those that count the same key: the rows that stand for the keys stay locked to the
 * end of the transaction.
 */
export async function lock(tx: Reads, keys: readonly string[]): Promise<void> {
  await table.findMany(tx, [...new Set(keys.map(rowOf))])
}

function rowOf(key: string): number {
  let sum = 0
  for (let i = 0; i < key.length; i++) sum = (sum * 31 + key.charCodeAt(i)) % locked
  return sum
}
