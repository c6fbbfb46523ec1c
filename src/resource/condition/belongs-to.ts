import type { InferSelectModel, Table } from 'drizzle-orm'
import type { Builder, FillsOf, OwnMethods } from '../../field/builder.js'
import type { KeyValue, TableRef } from '../../field/key.js'
import { type RelationMethods, belongsTo as relation } from '../../field/kinds/belongs-to.js'
import type { Where } from './condition.js'

/** A row of a related table; without a table, start-up alone knows its columns. */
export type RelatedRow<T> = T extends Table ? InferSelectModel<T> : Record<string, unknown>

/** The methods of `belongsTo`, where `R` is a row of the related table. */
export interface BelongsToMethods<R = Record<string, unknown>> extends RelationMethods, OwnMethods {
  /**
   * Only records that meet this condition can be chosen: `.where({ active: true })`. What a record has already, it may keep. A further call
   * replaces the condition. Default: all that the user may see.
   */
  where(condition: Where<R>): { where: object }
  /**
   * Only records can be chosen whose column equals a field of this record: their column, and the name of the field in this form, as in
   * `.matching({ countryId: 'countryId' })`. Where the field is empty, nothing can be chosen. Default: they need not.
   */
  matching(columns: { readonly [K in keyof R & string]?: string }): { matching: object }
  /**
   * Choosing a record fills these fields of this one while they are blank: each with the column of the related table whose value it takes, as
   * in `.fills({ price: 'price' })`. What was sent, or is stored, is never overwritten. Default: it fills none.
   */
  fills(fields: { readonly [field: string]: keyof R & string }): FillsOf<R>
}

/**
 * A relation to one record of another table, or of the same. Start-up finds the resource that manages the table.
 *
 * Over integer, bigint, uuid, text and numeric columns. In JSON it is the key of the related record: a number for integer columns, else
 * text.
 *
 * @param label what users read; by default the key as words, without `Id`
 * @param table the related Drizzle table; by default the one that the column's foreign key references
 */
export function belongsTo<T extends TableRef = TableRef>(
  label?: string,
  table?: T,
): Builder<KeyValue, BelongsToMethods<RelatedRow<T>>, 'eq' | 'ne' | 'null' | 'relation'> {
  return relation(label, table) as never
}
