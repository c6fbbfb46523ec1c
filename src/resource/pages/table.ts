import type { Table } from 'drizzle-orm'
import type { Identity } from '../../auth/identity.js'
import type { Attributes, Html } from '../../base/html.js'
import type { Whole } from '../condition/declared.js'

/** What the function of a part of the table gets besides the records. */
export interface TableContext {
  /** The user who sees the table. */
  readonly user: Identity
  /** The panel's `locale`, a BCP 47 tag. */
  readonly locale: string
  /** The user's IANA time zone. */
  readonly timeZone: string
  /** The visible columns, in order. */
  readonly columns: readonly {
    /** The name of the field or computed value. */
    readonly key: string
    /** What users read in the head. */
    readonly label: string
  }[]
  /** The number of cells in a row, for `colspan`: the columns, and the checkbox and the menu if there are any. */
  readonly cells: number
  /** The number of records in the list; null if it was not counted exactly. */
  readonly total: number | null
  /** What the panel would render here. */
  own(): Html
}

/** The rows of a part of the table: markup, or a function of the page's records. */
export type TablePart<R> = Html | ((rows: readonly R[], ctx: TableContext) => Html)

/** Customizes the table of the index page. Callbacks get every column of a record, whatever the user may see. */
export interface TableSettings<T extends Table, F = Record<never, never>> {
  /** The table's name in client events. Default: `index-table-{uriKey}`. */
  readonly name?: string
  /**
   * The attributes of a body row, merged over `attributes`, which the row has anyway: classes are added, null removes. Rows count from 0.
   */
  trAttributes?(record: Whole<T, F>, rowNumber: number, attributes: Attributes): Attributes
  /**
   * The attributes of a cell, merged over `attributes`, which it has anyway: classes are added, null removes. Cells count from 0 among the
   * visible ones.
   */
  tdAttributes?(record: Whole<T, F>, rowNumber: number, cellNumber: number, attributes: Attributes): Attributes
  /** Replaces the rows of the head. Default: the panel's own. */
  readonly thead?: TablePart<Whole<T, F>>
  /** Replaces the rows of the body. Default: the panel's own. */
  readonly tbody?: TablePart<Whole<T, F>>
  /** The rows of the foot. Default: no foot. */
  readonly tfoot?: TablePart<Whole<T, F>>
  /** Rows directly before the first row of the body. Default: none. */
  readonly tbodyBefore?: TablePart<Whole<T, F>>
  /** Rows directly after the first row of the body. Default: none. */
  readonly tbodyAfter?: TablePart<Whole<T, F>>
}

type AnyRow = Record<string, unknown>

/** The settings of a table; null for parts that were left out. */
export interface BoundTable {
  /** The table's name in client events. */
  readonly name: string
  /** The attributes of a row. */
  readonly trAttributes: ((record: AnyRow, rowNumber: number, attributes: Attributes) => Attributes) | null
  /** The attributes of a cell. */
  readonly tdAttributes: ((record: AnyRow, rowNumber: number, cellNumber: number, attributes: Attributes) => Attributes) | null
  /** Replaces the rows of the head. */
  readonly thead: TablePart<AnyRow> | null
  /** Replaces the rows of the body. */
  readonly tbody: TablePart<AnyRow> | null
  /** The rows of the foot. */
  readonly tfoot: TablePart<AnyRow> | null
  /** Rows directly before the first row of the body. */
  readonly tbodyBefore: TablePart<AnyRow> | null
  /** Rows directly after the first row of the body. */
  readonly tbodyAfter: TablePart<AnyRow> | null
}

export function bindTable<T extends Table, F>(settings: TableSettings<T, F> | undefined, uriKey: string): BoundTable {
  const { name, trAttributes, tdAttributes, thead, tbody, tfoot, tbodyBefore, tbodyAfter } = (settings ?? {}) as Partial<BoundTable>
  return Object.freeze({
    name: name ?? `index-table-${uriKey}`,
    trAttributes: trAttributes ?? null,
    tdAttributes: tdAttributes ?? null,
    thead: thead ?? null,
    tbody: tbody ?? null,
    tfoot: tfoot ?? null,
    tbodyBefore: tbodyBefore ?? null,
    tbodyAfter: tbodyAfter ?? null,
  })
}
