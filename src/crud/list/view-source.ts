import type { Condition } from '../../resource/condition/condition.js'
import type { Order, Row } from '../../store/store.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { Listed, ListViewData } from '../outcomes/lists.js'
import type { Listing } from '../query/list-query.js'

/** Where a view reads: whose list it is, and how its rows are read. */
export interface ViewSource {
  readonly call: Call
  readonly listing: Listing
  readonly lens: Lens
  /** Reads rows of the list that also meet a condition. */
  rows(where: Condition, order: readonly Order[], limit: number): Promise<readonly Row[]>
}

/** What a view shows: its rows, and how many records the list has; null: nobody counted. */
export interface ViewRows {
  readonly drawn: ListViewData
  readonly rows: readonly Row[]
  readonly total: Listed['total']
}
