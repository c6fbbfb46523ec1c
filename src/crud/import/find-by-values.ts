import { withoutZeros } from '../../field/steps.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Column } from '../../resource/model/model.js'
import { isOfType } from '../../resource/model/value.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Row } from '../../store/store.js'
import { chunkSize, rowsAfter } from '../query/selection.js'

/** Values of several columns, in the order of these; none is null. */
export type Values = readonly unknown[]

interface Lookup {
  readonly reads: Reads
  readonly resource: Resource
  /** The columns that no two records have the same values in, among those that meet `where`. */
  readonly by: readonly Column[]
  /** The columns to return, those of `by` and the key among them. */
  readonly columns: readonly string[]
  /** The condition that records must also meet. */
  readonly where: Condition
}

/**
 * Finds records by values that only one of them should have, in a few statements for any number. What is the same, the database says: where
 * it ignores case, `abc` finds `ABC`. Returns the record by the text of its values (`textOf`); null: there are several.
 */
export async function recordsByValues(lookup: Lookup, wanted: readonly Values[]): Promise<ReadonlyMap<string, Row | null>> {
  const { by, columns } = lookup
  const at = by.map(({ key }) => columns.indexOf(key))
  const valuesOf = (row: Row) => at.map((one) => row[one])
  // What a column cannot hold, no record has.
  const possible = wanted.filter((values) => by.every((column, i) => isOfType(column, values[i])))
  const once = new Map(possible.map((values) => [textOf(values, by), values]))
  const texts = [...once.keys()]
  const found = new Map<string, Row | null>()
  const keep = (text: string, row: Row) => found.set(text, found.has(text) ? null : row)
  for (let from = 0; from < texts.length; from += chunkSize) {
    const some = texts.slice(from, from + chunkSize)
    const asIn = (list: readonly string[]) => list.map((text) => once.get(text) as Values)
    const rows = await rowsWith(lookup, asIn(some))
    const exact = new Set(rows.map((row) => textOf(valuesOf(row), by)))
    for (const row of rows) {
      const text = textOf(valuesOf(row), by)
      if (once.has(text)) keep(text, row)
    }
    // Written otherwise, they may be the same or not: those alone are asked for again.
    const alike = new Set([...exact].map(loosely))
    const others = some.filter((text) => !exact.has(text) && alike.has(loosely(text)))
    if (others.length === 0) continue
    const same = new Map<string, Row | null>()
    for (const row of await rowsWith(lookup, asIn(others))) {
      const text = loosely(textOf(valuesOf(row), by))
      same.set(text, same.has(text) ? null : row)
    }
    for (const text of others) {
      const row = same.get(loosely(text))
      if (row !== undefined) found.set(text, row)
    }
  }
  return found
}

/** Without the blanks before each quote. `/\s+"/g` would look at each of a million blanks from each of them. */
const loosely = (text: string) => {
  const parts = text.normalize('NFC').toLowerCase().split('"')
  return parts.map((part) => part.trimEnd()).join('"')
}

/** The text by which values are told apart. A decimal can be written in several ways. */
export function textOf(values: Values, by: readonly Column[]): string {
  return JSON.stringify(
    values.map((value, i) => {
      if (value instanceof Date) return String(value.getTime())
      const text = String(value)
      return by[i]?.type === 'numeric' ? plainDecimal(text) : text
    }),
  )
}

function plainDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = withoutZeros(fraction)
  return digits === '' ? whole : `${whole}.${digits}`
}

async function rowsWith({ reads, resource, by, columns, where }: Lookup, wanted: readonly Values[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  const condition = both(where, anyOf(by, wanted))
  const key = columns.indexOf(resource.model.key.key)
  // One more than there can be, so that one statement is enough.
  const limit = chunkSize + 1
  for (let after: unknown = null; ; after = rows.at(-1)?.[key]) {
    const more = await rowsAfter({ resource, columns }, reads, condition, after, limit)
    rows.push(...more)
    if (more.length < limit) return rows
  }
}

/** Records that have one of these. Those that share all values but one are asked for together. */
function anyOf(by: readonly Column[], wanted: readonly Values[]): Condition {
  const numbers = by.map((_, i) => new Set(wanted.map((values) => String(values[i]))).size)
  const most = numbers.indexOf(Math.max(...numbers))
  const groups = new Map<string, Values[]>()
  for (const values of wanted) {
    const rest = JSON.stringify(values.flatMap((value, i) => (i === most ? [] : [String(value)])))
    const group = groups.get(rest)
    if (group) group.push(values)
    else groups.set(rest, [values])
  }
  const all = [...groups.values()].map((group): Condition => {
    const one: Condition = { op: 'in', column: (by[most] as Column).key, values: group.map((values) => values[most]) }
    const equal = by.flatMap(({ key }, i): Condition[] => (i === most ? [] : [{ op: 'eq', column: key, value: group[0]?.[i] }]))
    return equal.length === 0 ? one : { op: 'and', all: [...equal, one] }
  })
  return all.length === 1 ? (all[0] as Condition) : { op: 'or', all }
}
