import { aggregateCases } from './contract/aggregates.js'
import type { StoreCase } from './contract/case.js'
import { positionCases } from './contract/positions.js'
import { readCases } from './contract/reads.js'
import { searchCases } from './contract/search.js'
import { transactionCases } from './contract/transactions.js'
import { valueCases } from './contract/values.js'
import { writeCases } from './contract/writes.js'

export type { StoreCase } from './contract/case.js'
export { contractSchema, contractTables } from './contract/tables.js'

/**
 * What every store must do, as cases for any test runner. A store passes if every case does.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStore } from 'daymark'
 * import { storeContract } from 'daymark/testing'
 *
 * for (const { name, run } of storeContract) test(name, () => run(() => memoryStore()))
 * ```
 */
export const storeContract: readonly StoreCase[] = [
  ...readCases,
  ...aggregateCases,
  ...positionCases,
  ...searchCases,
  ...writeCases,
  ...valueCases,
  ...transactionCases,
]
