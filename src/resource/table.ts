import type { InferSelectModel, Table } from 'drizzle-orm'
import type { Identity } from '../auth/identity.js'
import type { Attributes, Html } from '../base/html.js'

/** What a part of the table is made with. */
export interface TableContext {
  readonly user: Identity
  readonly locale: string
  readonly timeZone: string
  /** The columns that are shown, in their order. */
  readonly columns: readonly { readonly key: string; readonly label: string }[]
  /** The cells of a whole row: the columns, and where there are such, the checkbox and the menu. What spans them all needs this number. */
  readonly cells: number
  /** How many records the list has; null where nobody counted them. */
  readonly total: number | null
  /** What would stand there otherwise. */
  own(): Html
}

/** The rows of a part of the table: as they stand, or made from the records of the page. */
export type TablePart<R> = Html | ((rows: readonly R[], ctx: TableContext) => Html)

/** The table of the index page. */
export interface TableSettings<T extends Table> {
  /** The component's name in client events. Default `index-table-{uriKey}`. */
  readonly name?: string
  /** Attributes of a body row; rows count from 0. `attributes` is what the row has anyway; what is returned is laid over it. */
  trAttributes?(record: InferSelectModel<T>, rowNumber: number, attributes: Attributes): Attributes
  /** Attributes of a cell; cells count from 0 among the shown ones. */
  tdAttributes?(record: InferSelectModel<T>, rowNumber: number, cellNumber: number, attributes: Attributes): Attributes
  /** The rows of the head, in place of ours. */
  readonly thead?: TablePart<InferSelectModel<T>>
  /** The rows of the body, in place of ours. */
  readonly tbody?: TablePart<InferSelectModel<T>>
  /** The rows of a foot; there is none otherwise. */
  readonly tfoot?: TablePart<InferSelectModel<T>>
  /** Rows directly before the first row of the body. */
  readonly tbodyBefore?: TablePart<InferSelectModel<T>>
  /** Rows directly after the first row of the body. */
  readonly tbodyAfter?: TablePart<InferSelectModel<T>>
}

type AnyRow = Record<string, unknown>

/** The table, with every part that was left out as null. */
export interface BoundTable {
  readonly name: string
  readonly trAttributes: ((record: AnyRow, rowNumber: number, attributes: Attributes) => Attributes) | null
  readonly tdAttributes: ((record: AnyRow, rowNumber: number, cellNumber: number, attributes: Attributes) => Attributes) | null
  readonly thead: TablePart<AnyRow> | null
  readonly tbody: TablePart<AnyRow> | null
  readonly tfoot: TablePart<AnyRow> | null
  readonly tbodyBefore: TablePart<AnyRow> | null
  readonly tbodyAfter: TablePart<AnyRow> | null
}

export function bindTable<T extends Table>(settings: TableSettings<T> | undefined, uriKey: string): BoundTable {
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
