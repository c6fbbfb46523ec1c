import type { Bound } from '../../field/field.js'
import type { Span } from '../../field/span.js'
import type { PeriodFilter, ValueFilter } from '../../resource/condition/page-choice.js'
import type { Resource } from '../../resource/resource.js'

interface Chosen {
  /** The name of its parameter. */
  readonly name: string
  /** What users read beside it. */
  readonly label: string
  /** What is wrong with what was asked, by parameter. */
  readonly problems: ReadonlyMap<string, readonly string[]>
}
/** A period of a page, as it was chosen. */
export interface ChosenPeriodFilter extends Chosen {
  readonly filter: PeriodFilter
  /** The days; null: any time. */
  readonly span: Span | null
}
/** A value of a page, as it was chosen. */
export interface ChosenValueFilter extends Chosen {
  readonly filter: ValueFilter
  /** The resource whose field it is. */
  readonly resource: Resource
  /** The field. */
  readonly field: Bound
  /** The value, as it is stored; null: any. */
  readonly value: unknown
  /** Its text in the URL. */
  readonly text: string
}
/** What users choose on a page, as it was chosen. */
export type ChosenFilter = ChosenPeriodFilter | ChosenValueFilter
