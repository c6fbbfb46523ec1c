import type { TableBuilder } from './component.js'
import { tableBuilder } from './components/table-builder.js'
import type { Declared, RelationsOf } from './declared.js'

/** A list of related records on the detail page, made with `hasMany`. */
export interface HasMany {
  /** The relation that links them; null: the only one that leads here. */
  readonly by: string | null
  /** The table that shows them. */
  readonly table: TableBuilder
}

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
export function hasMany<const R extends Declared | string>(
  resource: R,
  spec: Omit<TableSpec<NoInfer<R>>, 'name'> & {
    /** The `belongsTo` or `belongsToMany` field that links them; required if several lead here. Default: the only one that does. */
    readonly by?: RelationsOf<NoInfer<R>>
    /** The name of the table, unique on the page. Default: the `uriKey` of the resource. */
    readonly name?: string
  } = {},
): HasMany {
  const { by, name = typeof resource === 'string' ? resource : resource.uriKey, ...table } = spec
  return Object.freeze({ by: by ?? null, table: tableBuilder(resource, { ...table, name } as TableSpec<R>) })
}
