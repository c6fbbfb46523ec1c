import type { Row } from '../store.js'
import type { WrittenField } from '../written.js'
import type { Codec } from './dialect.js'
import type { Plan } from './plan.js'

/** How a database writes a value as JSON, and when that would not be what `JSON.stringify` writes. */
export interface Writing {
  readonly json: string
  /** Whether the column is of the type that it is declared as. Left out: `unlike` says so, for each value. */
  readonly typed?: string
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
  /** The condition that the columns are of the types that they are declared as. */
  readonly typed: string
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
  const typed = parts.flatMap((part) => part.typed ?? []).join(' and ')
  return { columns, fields: parts, unlike: unlike || 'false', typed: typed || 'true' }
}

// How long a list that could not be written is read as rows, in milliseconds: what is stored may be changed, and a failure may pass.
const pause = 60_000

interface Statements {
  /** By what stands between two records. */
  readonly plans: Map<string, Plan | null>
  pausedUntil: number
}

/** The statements that write the rows of plans, made once for each list of fields. */
export class Writings {
  readonly #known = new WeakMap<Plan, WeakMap<readonly WrittenField[], Statements>>()
  /** @param write null: they cannot be written. `apart` is what stands between two records */
  constructor(readonly write: (plan: Plan, fields: readonly WrittenField[], apart: string) => Plan | null) {}

  of(plan: Plan, fields: readonly WrittenField[], apart: string): Plan | null {
    const { plans, pausedUntil } = this.#of(plan, fields)
    if (pausedUntil > 0 && performance.now() < pausedUntil) return null
    let writing = plans.get(apart)
    if (writing === undefined) {
      writing = this.write(plan, fields, apart)
      plans.set(apart, writing)
    }
    return writing
  }

  /** Called when a page of a list cannot be written: for a minute, none of its pages is tried, since others would have such values, too. */
  giveUp(plan: Plan, fields: readonly WrittenField[]): void {
    this.#of(plan, fields).pausedUntil = performance.now() + pause
  }

  #of(plan: Plan, fields: readonly WrittenField[]): Statements {
    let lists = this.#known.get(plan)
    if (lists === undefined) {
      lists = new WeakMap()
      this.#known.set(plan, lists)
    }
    let known = lists.get(fields)
    if (known === undefined) {
      known = { plans: new Map(), pausedUntil: 0 }
      lists.set(fields, known)
    }
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
