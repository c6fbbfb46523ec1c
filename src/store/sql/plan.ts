import { is, Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Model } from '../../resource/model.js'
import type { Codec, Columns, Dialect, Mapped } from './dialect.js'
import { modelIn } from './twin.js'

/** A statement made ready: its text, which value stands at which mark, and what its rows need. */
export interface Plan {
  /** No other of its planner has it. */
  readonly id: number
  readonly text: string
  /** For each `?` the index of its value, or a constant; null: the values as they come. */
  readonly marks: readonly Mark[] | null
  /** What a row of it has, where it is of a table's columns. */
  readonly columns: readonly Codec[]
  readonly decoders: readonly Decoder[]
  readonly table: Mapped
  /** It changes rows: never to be run twice. */
  readonly writes: boolean
  /** It is about which rows there are: by one that writes they come or go, and what one that reads says is another thing only where they do. */
  readonly rows: boolean
  /** It will be used again: worth preparing. */
  readonly cached: boolean
}

/** A statement and the values of one call. */
export interface Planned {
  readonly plan: Plan
  readonly values: readonly unknown[]
  /** Rows are read from the end: whoever runs the statement turns them round. */
  readonly backwards?: boolean
  /** How many rows it walks past before the first that it gives. */
  readonly skips?: number
  /** It gives one row, whatever there is. */
  readonly single?: boolean
}

type Mark = { readonly index: number } | { readonly constant: unknown }
type Decoder = readonly [index: number, codec: Codec]

/** What a call asks for: the shape of its statement and the values in it. Whoever reads a query adds to both in one order, whoever writes its SQL takes slots in the same. */
export class Draft {
  shape: string
  readonly values: unknown[] = []
  constructor(
    verb: string,
    readonly table: Mapped,
  ) {
    this.shape = `${verb}${table.id}`
  }
}

export type Slot = () => SQL

interface Building {
  readonly columns?: readonly Codec[]
  readonly writes?: boolean
  readonly rows?: boolean
  readonly cached?: boolean
}

interface Kept {
  readonly plan: Plan
  used: boolean
}

const capacity = 500
const makers = { sqlite: 'sqliteTable', postgresql: 'pgTable' } as const

/** Keeps the last statements by the shape of their query, so that their SQL is written once. */
export class Planner {
  readonly #plans = new Map<string, Kept>()
  readonly #tables = new WeakMap<Model, Mapped>()
  #tablesSeen = 0
  #plansMade = 0
  constructor(readonly dialect: Dialect) {}

  table(asked: Model): Mapped {
    const known = this.#tables.get(asked)
    if (known) return known
    const model = modelIn(this.dialect.name, asked)
    if (model.dialect !== this.dialect.name)
      throw new TypeError(`The table "${model.name}" is not made with ${makers[this.dialect.name]}, which its database needs`)
    const codecs = new Map([...model.columns].map(([key, column], id) => [key, this.dialect.codec(column, id)]))
    const lists = new WeakMap<readonly string[], Columns>()
    const table: Mapped = {
      id: this.#tablesSeen++,
      model,
      codecs,
      key: codecs.get(model.key.key) as Codec,
      column(key) {
        const codec = codecs.get(key)
        if (codec === undefined) throw new TypeError(`A query names "${key}", which is not a column of "${model.name}"`)
        return codec
      },
      columns(keys) {
        let columns = lists.get(keys)
        if (!columns) {
          const named = keys.map(table.column)
          columns = { shape: named.map(({ id }) => `${id},`).join(''), codecs: named }
          lists.set(keys, columns)
        }
        return columns
      },
    }
    this.#tables.set(asked, table)
    return table
  }

  plan(draft: Draft, build: (slot: Slot) => SQL, { columns = [], writes = false, rows = false, cached = true }: Building = {}): Plan {
    const known = this.#plans.get(draft.shape)
    if (known) {
      known.used = true
      return known.plan
    }
    let next = 0
    const { sql: text, params } = this.dialect.write(build(() => sql`${sql.placeholder(String(next++))}`))
    const marks = params.map((param) => (is(param, Placeholder) ? { index: Number(param.name) } : { constant: param }))
    // Not every slot that is taken stands in the text: a word to be found in no column does not.
    const inOrder = marks.length === next && marks.every((mark, position) => mark.index === position)
    const decoders = columns.flatMap((codec, index) => (codec.decode ? [[index, codec] as const] : []))
    const { table } = draft
    const plan: Plan = { id: this.#plansMade++, text, marks: inOrder ? null : marks, columns, decoders, table, writes, rows, cached }
    if (!cached) return plan
    if (this.#plans.size === capacity) this.#forgetOne()
    this.#plans.set(draft.shape, { plan, used: false })
    return plan
  }

  /** Has every statement written anew: the dialect has learnt something. */
  forget(): void {
    this.#plans.clear()
  }

  /** The oldest that was not used since it was last spared. Nothing is moved where a plan is used, which is far more often. */
  #forgetOne(): void {
    for (const [shape, known] of this.#plans) {
      this.#plans.delete(shape)
      if (!known.used) return
      // A Map gives its entries in the order of insertion: what is spared comes last.
      known.used = false
      this.#plans.set(shape, known)
    }
  }
}
