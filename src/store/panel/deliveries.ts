import { randomBytes } from 'node:crypto'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Last } from '../ending.js'
import type { Store, Writes } from '../store.js'
import { opening } from './opening.js'
import { eq, panelTable } from './table.js'
import { deliveries } from './tables.js'

/** A message to a webhook. */
export interface Message {
  /** The webhook's name. */
  readonly webhook: string
  /** What it tells of: `cities.created`. */
  readonly type: string
  /** The key of the record, as text. */
  readonly record: string
  /** The JSON that is posted. */
  readonly body: string
}

/** A message that is to be sent now, by whoever has taken it. */
export interface Due extends Message {
  readonly id: string
  /** How often it has been sent before. */
  readonly attempts: number
}

/** The messages to webhooks. A message is stored in the transaction of the write that it tells of. */
export interface DeliveryStore {
  /** Creates or migrates the panel's own tables. Call it before the transaction; null: that has been done. */
  open(): Promise<void> | null
  /** Adds a message, to be sent at once. With `last`, it ends the transaction. */
  add(tx: Writes, last: Last | undefined, message: Message): Promise<void>
  /** Takes messages that are due, the oldest first: for so many milliseconds nobody else gets them. */
  take(webhook: string, most: number, lease: number): Promise<readonly Due[]>
  /** When the next message of a webhook is due; null: there is none. */
  next(webhook: string): Promise<Date | null>
  /** Notes how an attempt has ended, with what the service answered. `again`: when to try next; null: not any more. */
  ended(due: Due, said: string, state: 'sent' | 'failed' | 'waiting', again: Date | null): Promise<void>
  /** Gives messages back that were not sent, for somebody else to take. */
  giveBack(due: Due): Promise<void>
  /** Deletes what was sent, or has failed, before these moments. */
  forget(before: { readonly sent: Date; readonly failed: Date }): Promise<void>
}

const table = panelTable(deliveries)

/** @param panel the id of the panel, since several may share a database */
export function deliveryStore(ready: () => Promise<Store>, panel: string): DeliveryStore {
  const waiting = (webhook: string): Condition =>
    both(both(eq('panel', panel), eq('webhook', webhook)), { op: 'ne', column: 'dueAt', value: null })
  return {
    open: opening(ready),
    async add(tx, last, message) {
      const now = new Date()
      // Standard Webhooks: an identifier by which the service knows a message that it has taken before.
      const id = `msg_${randomBytes(16).toString('base64url')}`
      await table.create(tx, { id, panel, ...message, state: 'waiting', attempts: 0, createdAt: now, dueAt: now }, last)
    },
    async take(webhook, most, lease) {
      const store = await ready()
      const now = new Date()
      const due = both(waiting(webhook), { op: 'lte', column: 'dueAt', value: now })
      const found = await table.first(store, most, due, { column: 'dueAt', direction: 'ASC' })
      if (found.length === 0) return []
      return store.transaction(async (tx) => {
        const mine: Due[] = []
        for (const { id, record, type, body, attempts, dueAt } of found) {
          // Of two that found it, one takes it.
          const count = await table.update(tx, id, { dueAt: new Date(now.getTime() + lease) }, eq('dueAt', dueAt))
          if (count === 1) mine.push({ id, webhook, record, type, body, attempts })
        }
        return mine
      })
    },
    async next(webhook) {
      const [one] = await table.first(await ready(), 1, waiting(webhook), { column: 'dueAt', direction: 'ASC' })
      return one?.dueAt ?? null
    },
    async ended({ id, attempts }, said, state, again) {
      await table.updateAlone(await ready(), id, {
        state,
        attempts: attempts + 1,
        said,
        dueAt: again,
        endedAt: again === null ? new Date() : null,
      })
    },
    async giveBack({ id }) {
      await table.updateAlone(await ready(), id, { dueAt: new Date() })
    },
    async forget({ sent, failed }) {
      const store = await ready()
      for (const [state, before] of [
        ['sent', sent],
        ['failed', failed],
      ] as const)
        await table.deleteInTurn(store, both(both(eq('panel', panel), eq('state', state)), { op: 'lt', column: 'endedAt', value: before }))
    },
  }
}
