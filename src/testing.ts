export type { Outcome } from './crud/outcome.js'
export { contractSchema, contractTables, type StoreCase, storeContract } from './store/contract.js'
export { type Factory, factory } from './testing/factory.js'
export { type TestAnswer, type TestBody, type TestInit, type TestPanel, type TestUser, testPanel } from './testing/panel.js'
