import type { Span } from '../../field/span.js'
import type { Within } from '../../field/within.js'

/** What a user chooses on a page, by the type that a function gets it as. */
export interface PageChoice<V> {
  readonly [valued]?: V
}
declare const valued: unique symbol

/** A chosen period, as a function gets it. */
export interface ChosenPeriod {
  /** When its first day begins, in the time zone of the panel or of the user. */
  readonly from: Date
  /** When the day after its last one begins. */
  readonly until: Date
}

/** A period that users choose on a page, made with `pageFilter.period()`. In a condition: `{ createdAt: { within: period } }`. */
export interface PeriodFilter extends PageChoice<ChosenPeriod> {
  /** Its kind. */
  readonly is: 'period'
  /** What users read beside it; null: the panel's word for a period. */
  readonly label: string | null
  /** The ready periods to choose from. */
  readonly options: readonly Within[]
  /** The period of a page whose URL names none; null: any time. */
  readonly initial: Within | null
  /** The period before the chosen one, as long as that. In a condition: `{ createdAt: { within: period.before } }`. */
  readonly before: PeriodBefore
}

/** The period before one that users choose. */
export interface PeriodBefore extends PageChoice<ChosenPeriod> {
  /** Its kind. */
  readonly is: 'before'
}

/** A value of a field that users choose on a page, made with `pageFilter.of()`. In a condition: `{ status: status }`. */
export interface ValueFilter<V = unknown> extends PageChoice<V> {
  /** Its kind. */
  readonly is: 'value'
  /** The resource whose field it is, or its URI. */
  readonly resource: { readonly uriKey: string } | string
  /** The field. */
  readonly field: string
  /** What users read beside it; null: the label of the field. */
  readonly label: string | null
}

/** What users choose on a page. */
export type PageFilter = PeriodFilter | ValueFilter

// What conditions may contain. Kept here, so that nobody's own object is taken for one.
const all = new WeakSet<object>()

/** Notes that it may be in conditions. */
export function asChoice<C extends PeriodFilter | PeriodBefore | ValueFilter>(choice: C): C {
  all.add(choice)
  return choice
}

/** The filter by which it is chosen, among those of a page; undefined: it is none of them. */
export function filterOf(choice: PageFilter | PeriodBefore, filters: Iterable<PageFilter>): PageFilter | undefined {
  return [...filters].find((one) => one === choice || (one.is === 'period' && one.before === choice))
}

export function isChoice(one: unknown): one is PeriodFilter | PeriodBefore | ValueFilter {
  return typeof one === 'object' && one !== null && all.has(one)
}

const spans = new WeakSet<object>()

/** Days that a condition may be told in place of the period that was chosen. */
export function asSpan(span: Span): Span {
  spans.add(span)
  return span
}

export const isSpan = (one: unknown): one is Span => typeof one === 'object' && one !== null && spans.has(one)
