import type { Column, Model } from '../../resource/model/model.js'
import { identity } from './compare.js'

/** A record: its values by column. Immutable. */
export type Stored = ReadonlyMap<string, unknown>

interface Index {
  readonly columns: readonly Column[]
  readonly found: Map<string, Stored>
}

/** The records of a table, indexed by its key and by each unique constraint. Made from `before`, it is a copy. */
export class Records {
  readonly #indexes: readonly Index[]
  constructor(
    readonly model: Model,
    before?: Records,
  ) {
    this.#indexes = before
      ? before.#indexes.map(({ columns, found }) => ({ columns, found: new Map(found) }))
      : [[model.key.key], ...model.uniques.filter((keys) => keys.length > 1 || keys[0] !== model.key.key)].map((keys) => ({
          columns: keys.map((key) => model.columns.get(key) as Column),
          found: new Map(),
        }))
  }

  all(): readonly Stored[] {
    return [...(this.#indexes[0] as Index).found.values()]
  }

  add(record: Stored): void {
    for (const { columns, found } of this.#indexes) {
      const name = nameOf(columns, record)
      if (name !== null) found.set(name, record)
    }
  }

  remove(record: Stored): void {
    for (const { columns, found } of this.#indexes) found.delete(nameOf(columns, record) ?? '')
  }

  /** The columns of a unique constraint that another record than `self` already satisfies with the same values. */
  taken(record: Stored, self: Stored | null): readonly string[] | null {
    for (const { columns, found } of this.#indexes) {
      const other = found.get(nameOf(columns, record) ?? '')
      if (other && other !== self) return columns.map((column) => column.key)
    }
    return null
  }

  /** Whether a record has this value in a unique column. */
  has(key: string, value: unknown): boolean {
    return this.#indexes.some(
      ({ columns, found }) => columns.length === 1 && columns[0]?.key === key && found.has(identity(columns[0], value)),
    )
  }
}

// Nulls are never equal, so a record with one is not in an index over its column.
function nameOf(columns: readonly Column[], record: Stored): string | null {
  const values = columns.map((column) => record.get(column.key))
  if (values.includes(null)) return null
  return columns.length === 1
    ? identity(columns[0] as Column, values[0])
    : JSON.stringify(columns.map((column, index) => identity(column, values[index])))
}
