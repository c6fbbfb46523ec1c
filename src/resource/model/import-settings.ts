import type { Bound, RoleRule } from '../../field/field.js'
import type { Column, Model } from './model.js'

/** How records are imported. */
export interface ImportSettings<X extends string = string> {
  /**
   * Who may: `true`, everybody who may create or update records; role names, those of them with one of these; `false`, nobody. Default:
   * `true`.
   */
  readonly roles?: RoleRule
  /**
   * The column whose value says which record a row is about, or the columns whose values do together: `'sku'`, `['companyId', 'number']`. No
   * two records may have the same, by a unique constraint or index; in a resource with a `scope`, one over further columns does, too. A key
   * in the row goes first. Default: the key alone.
   */
  readonly match?: X | readonly [X, ...X[]]
}

export const isImportSettings = (given: unknown): given is ImportSettings =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** What a resource says of imports. */
interface Imports {
  /** Who may. */
  readonly import: RoleRule
  /** The fields by which records are found. */
  readonly importMatch: readonly string[]
}

/** The same, with its defaults. */
export function importOf(given: RoleRule | ImportSettings | undefined, ruleOf: (rule: RoleRule | undefined) => RoleRule): Imports {
  if (!isImportSettings(given)) return { import: ruleOf(given), importMatch: [] }
  const { roles = true, match = [] } = given
  return { import: ruleOf(roles), importMatch: Object.freeze([match].flat()) }
}

/** The types of columns whose values are the same exactly if the database says so. A double is not: it may be shown rounded. */
const comparable: ReadonlySet<Column['type']> = new Set(['text', 'integer', 'bigint', 'uuid', 'numeric', 'boolean', 'date', 'dateTime'])

/** Whether records can be found by the values of a column. */
export const isFindable = ({ type, link, tally }: Column) => comparable.has(type) && !link && !tally

/** What is wrong with what records are found by: what to change. */
export function* matchFaults({
  importMatch,
  fields,
  model,
  scope,
}: Pick<Imports, 'importMatch'> & {
  readonly fields: ReadonlyMap<string, Bound>
  readonly model: Model
  readonly scope: unknown
}): Iterable<string> {
  if (importMatch.length === 0) return
  const can = [...fields.values()].filter((field) => {
    const column = model.columns.get(field.key)
    return column && isFindable(column) && field.key !== model.key.key && !field.kind.secret && !field.kind.file
  })
  const names = can.map(({ key }) => key)
  for (const [i, name] of importMatch.entries()) {
    if (name === model.key.key) yield `"${name}" is the key, which names records already: leave it out`
    else if (!names.includes(name)) yield `"${name}" is no field that records can be found by. Valid: ${names.join(', ') || 'none'}`
    else if (importMatch.indexOf(name) !== i) yield `"${name}" is there twice`
  }
  // A scope may leave one value of the others, as the company of the user: what it does is known with each user alone.
  const isUniqueWithin = (all: readonly string[]) => Boolean(scope) && importMatch.every((name) => all.includes(name))
  const isUnique = model.uniques.some((all) => all.every((one) => importMatch.includes(one)) || isUniqueWithin(all))
  if (!isUnique && importMatch.every((name) => names.includes(name)))
    yield `several records may have the same ${importMatch.join(' and ')}: the table needs a unique constraint or index over ${importMatch.length > 1 ? 'these columns' : 'it'}, without a condition`
}
