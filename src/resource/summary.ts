import type { Bound } from '../field/field.js'

/** A number over the values of a column: over all records of a list that have one. */
export type SummaryOf = 'sum' | 'average' | 'smallest' | 'largest'

/** All of them, in the order in which lists show them. */
export const summaries: readonly SummaryOf[] = ['sum', 'average', 'smallest', 'largest']

/** The numbers below a column of a list. */
export interface Summary {
  /** The column. */
  readonly column: string
  /** What is computed. */
  readonly of: readonly SummaryOf[]
}

/** The numbers below the columns of a list, as they were declared. What they are of is checked at start-up. */
export function summaryOf(
  spec: { readonly [column: string]: SummaryOf | readonly SummaryOf[] | undefined } | undefined,
): readonly Summary[] {
  const all = Object.entries(spec ?? {}).flatMap(([column, of]) => (of === undefined ? [] : [{ column, of: [of].flat() }]))
  return Object.freeze(
    all.map(({ column, of }) => Object.freeze({ column, of: Object.freeze(summaries.filter((one) => of.includes(one))) })),
  )
}

/** Why no numbers can be computed over the values of a field; null: they can. */
export function summaryFault({ column, kind }: Bound): string | null {
  if (kind.relation) return 'refers to records, and holds no numbers'
  const isNumber = ['integer', 'bigint', 'real', 'numeric'].includes(column.type) && kind.align === 'end'
  // What a kind shows otherwise than it is stored cannot be told by the sum of what is stored.
  return isNumber && kind.open ? null : 'holds no numbers'
}
