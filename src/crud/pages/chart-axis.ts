import type { Bound } from '../../field/field.js'
import type { Span } from '../../field/span.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Groups } from '../../resource/pages/groups.js'
import type { Resource } from '../../resource/resource.js'
import type { Aggregated, Grouping } from '../../store/store.js'
import type { PageCall } from '../call/call.js'
import type { ChartGroup } from '../outcomes/pages.js'

/** What a chart asks of the store: a number over groups, of the records that the caller may see. */
export interface ChartQuery {
  /** Who asks. */
  readonly call: Pick<PageCall, 'identity' | 'realm'>
  /** Whose records they are. */
  readonly resource: Resource
  /** The field that shows the numbers as its own, with its decimals; null: none does. */
  readonly shownAs: Bound | null
  /** The filters by which the list of the resource has the records of the chart; null: no filters can say which they are. */
  readonly kept: readonly (readonly [name: string, text: string])[] | null
  /** Whether the numbers of groups add up to that of all: of no records it is 0 then, else there is none. */
  readonly adds: boolean
  /** Whether what is beyond the most groups or series is one more. */
  readonly hasOthers: boolean
  /** Asks for the numbers of some records. */
  ask(by: readonly Grouping[], within: Condition, limit: number, order?: Groups['order']): Promise<readonly Aggregated[]>
}

/** The groups along a chart, or its series. */
export interface Axis {
  /** How the store forms them. */
  readonly grouping: Grouping
  /** The value that the store gives each. */
  readonly keys: readonly unknown[]
  /** What users read at each. */
  readonly groups: readonly ChartGroup[]
  /** The condition that a record is in one of them. */
  readonly within: Condition
  /** Their numbers, if they are known already; else null. */
  readonly values: readonly (number | null)[] | null
  /** The days that they are periods of; null: they are none. */
  readonly span: Pick<Span, 'from' | 'until'> | null
  /** Whether there are records in none of them that belong beside them, as one more group. */
  readonly hasMore: boolean
}
