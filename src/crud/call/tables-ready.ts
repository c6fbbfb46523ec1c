import type { Call } from './call.js'

/**
 * Creates or migrates the panel's own tables that a write may add to. Call it before a transaction, which could not create them. Null: there
 * is nothing to wait for.
 */
export const tablesReady = ({ realm }: Pick<Call, 'realm'>): Promise<void> | null =>
  realm.history?.open() ?? realm.files?.open() ?? realm.webhooks?.open() ?? realm.notifications?.open() ?? realm.comments?.open() ?? null
