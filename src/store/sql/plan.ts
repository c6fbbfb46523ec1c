import { is, Placeholder, type SQL, sql } from 'drizzle-orm'
import { always } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { Codec, Columns, Dialect, Mapped } from './dialect.js'
import type { Draft, Slot } from './draft.js'
import { linkCodec } from './link-codec.js'
import { type Counted, tallyCodec } from './tally-codec.js'
import { modelIn, tableFault } from './twin.js'

/** A planned statement: its text, which value belongs to which parameter, and how to decode its rows. */
export interface Plan {
  /** Unique within its planner. */
  readonly id: number
  readonly text: string
  /** For each `?`, the index of its value, or a constant; null: the values are already in order. */
  readonly marks: readonly Mark[] | null
  /** The columns of its rows, if they are columns of the table. */
  readonly columns: readonly Codec[]
  readonly decoders: readonly Decoder[]
  readonly table: Mapped
  /** The other tables that it reads: those of links, and those whose values its condition compares with. */
  readonly others: readonly Mapped[]
  /** The key of the column that each parameter is set to or compared with; none: of no column. */
  readonly parameters: readonly (string | undefined)[]
  /** The keys of the columns that it sets to values. */
  readonly sets: readonly string[]
  /** Whether it changes rows: then it must never run twice. */
  readonly writes: boolean
  /**
   * The columns that an update sets, or that a read depends on besides which rows exist, by their names in the database. Null: a
   * write inserts or deletes rows, or a read depends on all columns or on other tables.
   */
  readonly about: readonly string[] | null
  /** Whether it will be used again, so that preparing is worth it. */
  readonly cached: boolean
}

/** A statement and the values of one call. */
export interface Planned {
  readonly plan: Plan
  readonly values: readonly unknown[]
  /** Whether rows are read from the end: whoever runs the statement reverses them. */
  readonly backwards?: boolean
  /** How many rows it skips. */
  readonly skips?: number
  /** Whether it counts all rows of its table. */
  readonly whole?: boolean
  /** Whether it always returns exactly one row. */
  readonly single?: boolean
  /** Whether its rows are groups, which end with a number that is no column. */
  readonly grouped?: boolean
}

type Mark = { readonly index: number } | { readonly constant: unknown }
type Decoder = readonly [index: number, codec: Codec]

interface Building {
  readonly columns?: readonly Codec[]
  readonly writes?: boolean
  /** Called where the statement is new. */
  readonly about?: () => readonly string[] | null
  readonly cached?: boolean
}

/** Columns to select, and their part of a shape. */
export const columnsOf = (codecs: readonly Codec[]): Columns => ({ shape: codecs.map(({ id }) => `${id},`).join(''), codecs })

interface Kept {
  readonly plan: Plan
  used: boolean
}

const capacity = 500

/** Caches the latest statements by the shape of their query, so that each SQL text is written once. */
export class Planner {
  readonly #plans = new Map<string, Kept>()
  #tables = new WeakMap<Model, Mapped>()
  #tablesSeen = 0
  #plansMade = 0
  /** @param counted which records of a table count where others tell of them */
  constructor(
    readonly dialect: Dialect,
    readonly counted: Counted = () => always,
  ) {}

  table(asked: Model): Mapped {
    const known = this.#tables.get(asked)
    if (known) return known
    const fault = tableFault(this.dialect.name, asked)
    if (fault !== null) throw new TypeError(`The table ${fault}`)
    const model = modelIn(this.dialect.name, asked)
    const codecs = new Map<string, Codec>()
    const links: Mapped[] = []
    for (const [key, column] of model.columns) {
      // The columns come before what lists records, or tells of them, by the key.
      const byKey = codecs.get(model.key.key) as Codec
      const codec = column.link
        ? linkCodec(this, column, column.link, byKey, codecs.size)
        : column.tally
          ? tallyCodec(this, column, column.tally, byKey, codecs.size)
          : this.dialect.codec(column, codecs.size)
      if (codec.linked) links.push(codec.linked.table)
      if (codec.tally) links.push(...codec.tally.tables)
      codecs.set(key, codec)
    }
    const lists = new WeakMap<readonly string[], Columns>()
    const table: Mapped = {
      id: this.#tablesSeen++,
      model,
      codecs,
      key: codecs.get(model.key.key) as Codec,
      links,
      beside: (model) => this.table(model),
      column(key) {
        const codec = codecs.get(key)
        if (codec === undefined) throw new TypeError(`A query names "${key}", which is not a column of "${model.name}"`)
        return codec
      },
      columns(keys) {
        let columns = lists.get(keys)
        if (!columns) {
          columns = columnsOf(keys.map(table.column))
          lists.set(keys, columns)
        }
        return columns
      },
    }
    this.#tables.set(asked, table)
    return table
  }

  plan(draft: Draft, build: (slot: Slot) => SQL, { columns = [], writes = false, about, cached = true }: Building = {}): Plan {
    const known = this.#plans.get(draft.shape)
    if (known) {
      known.used = true
      return known.plan
    }
    let next = 0
    const { sql: text, params } = this.dialect.write(build(() => sql`${sql.placeholder(String(next++))}`))
    const marks = params.map((param) => (is(param, Placeholder) ? { index: Number(param.name) } : { constant: param }))
    // A slot may be taken and not used: a word that is searched for in no column is missing from the text.
    const inOrder = marks.length === next && marks.every((mark, position) => mark.index === position)
    const decoders = columns.flatMap((codec, index) => (codec.decode ? [[index, codec] as const] : []))
    const { table } = draft
    const others = [...table.links, ...[...(draft.others ?? [])].flatMap((one) => [one, ...one.links])]
    const plan: Plan = {
      id: this.#plansMade++,
      text,
      marks: inOrder ? null : marks,
      columns,
      decoders,
      table,
      others,
      sets: draft.sets,
      parameters: marks.map((mark) => ('index' in mark ? draft.keys[mark.index] : undefined)),
      writes,
      about: about?.() ?? null,
      cached,
    }
    if (!cached) return plan
    if (this.#plans.size === capacity) this.#forgetOne()
    this.#plans.set(draft.shape, { plan, used: false })
    return plan
  }

  /** Discards all tables and statements, since the dialect now writes some differently. */
  forget(): void {
    this.#tables = new WeakMap()
    this.#plans.clear()
  }

  /**
   * Second-chance eviction: removes the oldest plan that was not used since it was last spared. A hit, which is far more frequent, moves
   * nothing.
   */
  #forgetOne(): void {
    for (const [shape, known] of this.#plans) {
      this.#plans.delete(shape)
      if (!known.used) return
      // A Map iterates in insertion order, so a spared plan goes to the end.
      known.used = false
      this.#plans.set(shape, known)
    }
  }
}
