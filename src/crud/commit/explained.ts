import type { Realm } from '../call/call.js'
import { stillUsed } from './conflict.js'
import { takenInTrash } from './in-trash.js'

/**
 * Adds to a store's refusal what takes further queries: which records still refer to those to delete, and that a deleted record has a value
 * that is taken. Call it after the transaction: a failed one answers no query.
 */
export async function explained(thrown: unknown, realm: Realm): Promise<unknown> {
  return takenInTrash(await stillUsed(thrown, realm), realm)
}
