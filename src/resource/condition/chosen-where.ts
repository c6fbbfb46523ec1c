import type { Table } from 'drizzle-orm'
import { combined, type Where } from './condition.js'
import { isChoice, type PageFilter, type PeriodBefore } from './page-choice.js'
import { isValuesOf, picked, type ValuesOf } from './values-of.js'

/** What was chosen: the value in a condition; null: nothing. */
export type ChosenValue = (choice: PageFilter | PeriodBefore) => unknown

type Written = Where<Record<string, unknown>>

/**
 * A condition with what was chosen on its page in place of the filters that it names. Where nothing was chosen, the test is left out, and
 * with it a condition that has no other: no filter, then, ever narrows.
 *
 * @returns null: nothing is left of it
 */
export function chosenWhere(where: Written, chosen: ChosenValue): Written | null {
  if (combined in where) {
    const { op, of } = where[combined]
    const left = of.map((one) => chosenWhere(one, chosen)).filter((one) => one !== null)
    return of.length > 0 && left.length === 0 ? null : { [combined]: { op, of: left } }
  }
  // Whatever else it is, it is refused as it stands.
  if (Object.getPrototypeOf(where) !== Object.prototype) return where
  const tests = Object.entries(where)
  const left = tests.flatMap(([key, test]) => {
    const met = chosenTest(test, chosen)
    return met === leftOut ? [] : [[key, met] as const]
  })
  return tests.length > 0 && left.length === 0 ? null : Object.fromEntries(left)
}

// Not undefined, which is a mistake of a declaration.
const leftOut = Symbol('left out')

function chosenTest(test: unknown, chosen: ChosenValue): unknown {
  if (isChoice(test)) return chosen(test) ?? leftOut
  if (typeof test !== 'object' || test === null || Object.getPrototypeOf(test) !== Object.prototype) return test
  const operators = Object.entries(test)
  const left = operators.flatMap(([operator, value]) => {
    const met = isChoice(value) ? (chosen(value) ?? leftOut) : isValuesOf(value) ? chosenValuesOf(value, chosen) : value
    // Before any time there is nothing.
    if (met === leftOut && isChoice(value) && value.is === 'before') return [['in', []] as const]
    return met === leftOut ? [] : [[operator, met] as const]
  })
  return operators.length > 0 && left.length === 0 ? leftOut : Object.fromEntries(left)
}

function chosenValuesOf(values: ValuesOf<unknown>, chosen: ChosenValue): unknown {
  const { where, ...of } = values[picked]
  const [one] = where
  if (one === undefined) return values
  const left = chosenWhere(one as Written, chosen)
  return left === null ? leftOut : { [picked]: { ...of, where: [left] } }
}

/** A column that a condition compares with what is chosen. */
export interface ComparedColumn {
  readonly column: string
  /** The table of `valuesOf` that has it; null: that of the condition itself. */
  readonly table: Table | null
  readonly choice: PageFilter | PeriodBefore
}

/** The columns that a condition compares with what is chosen on its page. */
export function comparedIn(where: Written | null, table: Table | null = null): readonly ComparedColumn[] {
  if (where === null) return []
  if (combined in where) return where[combined].of.flatMap((one) => comparedIn(one, table))
  return Object.entries(where).flatMap(([column, test]) => {
    if (isChoice(test)) return [{ column, table, choice: test }]
    if (typeof test !== 'object' || test === null) return []
    return Object.values(test).flatMap((value): readonly ComparedColumn[] => {
      if (isChoice(value)) return [{ column, table, choice: value }]
      if (!isValuesOf(value)) return []
      const { where, table: of } = value[picked]
      return where[0] === undefined ? [] : comparedIn(where[0] as Written, of)
    })
  })
}

/** The filters of pages that a condition names. */
export function choicesIn(where: Written | null): readonly (PageFilter | PeriodBefore)[] {
  return comparedIn(where).map(({ choice }) => choice)
}
