import type { Realm } from '../call/call.js'
import { explainUses } from './conflict.js'
import { explainTakenInTrash } from './taken-in-trash.js'

/**
 * Adds to a store's refusal what takes further queries: which records still refer to those to delete, and that a deleted record has a value
 * that is taken. Call it after the transaction: a failed one answers no query.
 */
export async function explainRefusal(thrown: unknown, realm: Realm): Promise<unknown> {
  return explainTakenInTrash(await explainUses(thrown, realm), realm)
}
