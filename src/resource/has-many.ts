import type { TableBuilder } from './component.js'
import { tableBuilder } from './components/table-builder.js'
import type { ColumnsOf, Declared } from './declared.js'

/** A list of what belongs to a record, on its page. */
export interface HasMany {
  /** The field by which they belong; null: the one relation that leads here. */
  readonly by: string | null
  readonly table: TableBuilder
}

type TableSpec<R extends Declared | string> = Parameters<typeof tableBuilder<R>>[1]

/**
 * A list of the records that belong to a record, on its page: as far as the caller may list them, in their scope.
 *
 * @param resource theirs, or its `uriKey`
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
    /** The field by which they belong. Default: the one relation of theirs that leads here. */
    readonly by?: ColumnsOf<NoInfer<R>>
    /** As of every table of a page. Default: the `uriKey` of the resource. */
    readonly name?: string
  } = {},
): HasMany {
  const { by, name = typeof resource === 'string' ? resource : resource.uriKey, ...table } = spec
  return Object.freeze({ by: by ?? null, table: tableBuilder(resource, { ...table, name } as TableSpec<R>) })
}
