import type { Table } from 'drizzle-orm'
import { DaymarkError } from '../../base/errors.js'
import type { Model } from '../../resource/model/model.js'
import { Records } from './records.js'

/** The records of all tables at one moment. Made from `before`, it copies a table only when it is changed. */
export class Tables {
  /** Why a write was refused; after that, these tables must not be used. */
  failed: DaymarkError | undefined
  readonly #tables: Map<Table, Records>
  readonly #own = new Set<Table>()
  constructor(before?: Tables) {
    this.#tables = new Map(before ? before.#tables : [])
  }

  of(model: Model): Records {
    return this.#tables.get(model.table) ?? new Records(model)
  }

  /** The records of a table to change: copied first unless they are this object's own. */
  changing(model: Model): Records {
    const known = this.#tables.get(model.table)
    if (known && this.#own.has(model.table)) return known
    const own = new Records(model, known)
    this.#own.add(model.table)
    this.#tables.set(model.table, own)
    return own
  }

  /** The tables that were ever written to: references between these are enforced. */
  models(): readonly Model[] {
    return [...this.#tables.values()].map(({ model }) => model)
  }

  refuse(code: 'conflict' | 'invalid', text: string, columns: readonly string[] = []): never {
    this.failed = new DaymarkError(code, text, { errors: columns.map((key) => [key, [text]]) })
    throw this.failed
  }
}
