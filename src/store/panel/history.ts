import type { Json } from '../../field/field.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { Last } from '../ending.js'
import type { Reads, Writes } from '../store.js'
import { opening } from './opening.js'
import { eq, panelTable } from './table.js'
import { history } from './tables.js'

/** Fields with their values before and after a write, as in JSON. */
export type Changes = { readonly [field: string]: readonly [before: Json, after: Json] }

/** What one write did to a record. */
export interface Entry {
  readonly at: Date
  /** `restore`: an update that took the record out of the trash. */
  readonly action: 'create' | 'update' | 'delete' | 'restore'
  /** The user, and the name that they had then. */
  readonly userId: string
  readonly userName: string
  readonly changes: Changes
}

/** The history of records: what each write did, kept in the transaction of the write. */
export interface HistoryStore {
  /** Creates or migrates the panel's own tables. Call it before the transaction; null: that has been done. */
  open(): Promise<void> | null
  /** Adds an entry. With `last`, it ends the transaction. */
  add(tx: Writes, last: Last | undefined, of: Model, record: string, entry: Entry): Promise<void>
  /** The entries of a record, the newest first: those before `before`, an entry's id, or all. */
  of(reads: Reads, of: Model, record: string, limit: number, before: number | null): Promise<readonly (Entry & { readonly id: number })[]>
}

const table = panelTable(history)

export function historyStore(ready: () => Promise<unknown>): HistoryStore {
  return {
    open: opening(ready),
    async add(tx, last, of, record, { changes, ...entry }) {
      await table.create(tx, { of: of.fullName, record, ...entry, changes: JSON.stringify(changes) }, last)
    },
    async of(reads, of, record, limit, before) {
      const all = both(eq('of', of.fullName), eq('record', record))
      const older: Condition = before === null ? all : both(all, { op: 'lt', column: 'id', value: before })
      const entries = await table.first(reads, limit, older, { column: 'id', direction: 'DESC' })
      return entries.map((entry) => ({ ...entry, changes: JSON.parse(entry.changes) as Changes }))
    },
  }
}
