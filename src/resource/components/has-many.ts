import { a } from '../../base/setting.js'
import type { Declared, NamesOf, RelationsOf } from '../condition/declared.js'
import type { TableBuilder } from '../pages/component.js'
import { refuseWrong } from '../problem.js'
import { tableBuilder, tableSettings } from './table-builder.js'

/** The types of a list of related records: a phantom, never set at run time. */
declare const nested: unique symbol

/**
 * A list of related records on the detail page, made with `hasMany`. Its type knows the name, the resource, and what is edited in the form
 * of the record.
 */
export interface HasMany<K extends string = string, R = unknown, I = unknown> {
  /** The relation that links them; null: the only one that leads here. */
  readonly by: string | null
  /** The table that shows them. */
  readonly table: TableBuilder
  /** The fields of the related records that are edited in the form of the record; null: they are not. */
  readonly inForm: true | readonly string[] | null
  readonly [nested]?: { readonly name: K; readonly resource: R; readonly fields: I }
}

/** The name of a list whose resource is named by itself or by its URI. */
type NameOf<R> = R extends string ? R : R extends { readonly uriKey: infer U extends string } ? U : string

type TableSpec<R extends Declared | string> = Parameters<typeof tableBuilder<R>>[1]

/**
 * Shows the records that belong to a record on its detail page. Only users who may list them and read the linking field see the list,
 * within their scope. Page size by default: 10, or the resource's `itemsPerPage` if that is smaller.
 *
 * @param resource the resource of the related records, or its `uriKey`
 *
 * @example
 * ```ts
 * import { belongsTo, defineResource, hasMany, id, text } from 'daymark'
 * import { integer, sqliteTable, text as varchar } from 'drizzle-orm/sqlite-core'
 *
 * const shops = sqliteTable('shops', { id: integer().primaryKey(), name: varchar().notNull() })
 * const orders = sqliteTable('orders', { id: integer().primaryKey(), note: varchar(), shopId: integer().references(() => shops.id) })
 *
 * const Orders = defineResource({ model: orders, fields: { id: id(), note: text('Note'), shopId: belongsTo('Shop') } })
 * export const Shops = defineResource({ model: shops, related: [hasMany(Orders, { columns: ['id', 'note'], sort: '-id', perPage: 5 })] })
 * ```
 */
export function hasMany<
  const R extends Declared | string,
  const K extends string = NameOf<R>,
  const I extends true | readonly NamesOf<NoInfer<R>>[] | undefined = undefined,
>(
  resource: R,
  spec: Omit<TableSpec<NoInfer<R>>, 'name'> & {
    /** The `belongsTo` or `belongsToMany` field that links them; required if several lead here. Default: the only one that does. */
    readonly by?: RelationsOf<NoInfer<R>>
    /** The name of the table, unique on the page. Default: the `uriKey` of the resource. */
    readonly name?: K
    /**
     * Edits the related records in the form of this one, too, and saves them along with it: those fields of theirs, or with `true` all of
     * their form. Computed values and read-only fields among them are shown. In JSON, `name` is then a field of the body. Default: they have
     * only forms of their own.
     */
    readonly inForm?: I
  } = {},
): HasMany<K, R, I> {
  const settings = { ...tableSettings, by: a.text, inForm: a.either(a.literal(true), a.list(a.text)) }
  refuseWrong('hasMany()', { resource, ...spec }, settings, 'resource')
  const { by, name = typeof resource === 'string' ? resource : resource.uriKey, inForm, ...table } = spec
  const names: true | readonly string[] | undefined = inForm
  return Object.freeze({
    by: by ?? null,
    table: tableBuilder(resource, { ...table, name } as TableSpec<R>),
    inForm: names === undefined ? null : names === true ? true : Object.freeze([...names]),
  })
}
