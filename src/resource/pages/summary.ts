import type { Bound, Kind } from '../../field/field.js'

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

/** Why no number over stored values says anything of fields of a kind; null: it does. */
export function overFault({ name, relation, over }: Kind): string | null {
  if (relation) return 'refers to records, and holds no numbers'
  return over !== null
    ? null
    : `is of the kind "${name}", whose JSON is not what is stored: its \`over\` would say what a sum of stored values is in JSON`
}

/** Why no numbers can be computed over the values of a field; null: they can. */
export function summaryFault({ column, kind }: Bound): string | null {
  const isNumber = ['integer', 'bigint', 'real', 'numeric'].includes(column.type) && kind.align === 'end'
  return isNumber || kind.relation ? overFault(kind) : 'holds no numbers'
}
