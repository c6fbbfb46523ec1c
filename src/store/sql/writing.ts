import type { Row } from '../store.js'
import type { WrittenField } from '../written.js'
import type { Codec } from './dialect.js'
import type { Plan } from './plan.js'

/** How a database writes a value as JSON, and when that would not be what `JSON.stringify` writes. */
export interface Writing {
  readonly json: string
  /** A condition on a value that is not null, null counting as false; null: it is always the same. */
  readonly unlike: string | null
}

/** The writings of the types of columns that a database can write, by Drizzle's name of the type. */
export type WritingsOf = Readonly<Record<string, (name: string, codec: Codec) => Writing>>

/** What writes the rows of a plan. */
export interface Parts {
  /** The columns of the plan: `c0,c1,…`. */
  readonly columns: string
  /** The names and the expressions of the record's fields. */
  readonly fields: readonly { readonly name: string; readonly json: string }[]
  /** The condition on a row that must not be written. */
  readonly unlike: string
}

/** @returns null if a column is of a type that cannot be written */
export function partsOf(plan: Plan, fields: readonly WrittenField[], ways: WritingsOf): Parts | null {
  const parts = fields.map(({ name, at }) => {
    const codec = plan.columns[at]
    const writing = codec && !codec.linked && !codec.tally && ways[codec.column.drizzle.columnType]?.(`c${at}`, codec)
    return writing ? { ...writing, name } : null
  })
  if (!parts.every((part) => part !== null)) return null
  const unlike = parts.flatMap((part) => (part.unlike === null ? [] : [part.unlike])).join(' or ')
  // A subquery's own column names are not guaranteed.
  const columns = plan.columns.map((_, index) => `c${index}`).join()
  return { columns, fields: parts, unlike: unlike || 'false' }
}

/** The statements that write the rows of plans, made once for each list of fields. */
export class Writings {
  readonly #known = new WeakMap<Plan, WeakMap<readonly WrittenField[], Map<string, Plan | null>>>()
  /** @param write null: they cannot be written. `apart` is what stands between two records */
  constructor(readonly write: (plan: Plan, fields: readonly WrittenField[], apart: string) => Plan | null) {}

  of(plan: Plan, fields: readonly WrittenField[], apart: string): Plan | null {
    const known = this.#of(plan, fields)
    let writing = known.get(apart)
    if (writing === undefined) {
      writing = this.write(plan, fields, apart)
      known.set(apart, writing)
    }
    return writing
  }

  /** Called when a page of a list cannot be written: others would have such values, too. */
  giveUp(plan: Plan, fields: readonly WrittenField[]): void {
    const known = this.#of(plan, fields)
    for (const apart of known.keys()) known.set(apart, null)
  }

  #of(plan: Plan, fields: readonly WrittenField[]): Map<string, Plan | null> {
    const lists = this.#known.get(plan) ?? new WeakMap()
    this.#known.set(plan, lists)
    const known = lists.get(fields) ?? new Map()
    lists.set(fields, known)
    return known
  }
}

const times: ReadonlySet<string> = new Set(['SQLiteTimestamp', 'PgTimestamp'])

/** A written record as the row that it was made of, with the columns of its fields alone. */
export function rowOf(text: string, { columns }: Plan, fields: readonly WrittenField[]): Row {
  const record = JSON.parse(text) as Record<string, unknown>
  const row: unknown[] = []
  for (const { name, at } of fields) {
    const value = record[name]
    row[at] = value !== null && times.has(columns[at]?.column.drizzle.columnType ?? '') ? new Date(value as string) : value
  }
  return row
}

/** Records in the order of the list: the one too many was read last, whichever end was read from. */
export function inOrder(records: readonly string[], backwards: boolean, most: number): string[] {
  const some = records.slice(0, most)
  return backwards ? some.reverse() : some
}
