import { html } from '../../base/html.js'
import type { Builder, OwnMethods } from '../builder.js'
import { type KeyValue, keyFromText, keyFromWire, keySchema, keyToWire, type TableRef } from '../key.js'
import { controlAttributes, defineKind } from '../kind.js'
import { relatedShown } from '../related-shown.js'

/** The methods of `belongsTo`. */
export interface BelongsToMethods extends OwnMethods {
  /** The related table. Default: the one that the column's foreign key references. */
  to(table: TableRef): { table: TableRef }
  /** The name of the relation in `include` and in records. Default: the key without `Id`, so `author` for `authorId`. */
  as(name: string): { as: string }
  /** The `uriKey` of the related resource, if several manage the table. Default: the only one that does. */
  resource(uriKey: string): { resource: string }
  /** `false`: forms don't offer to create a related record. Default: they do to users who may create and list them. */
  createInForm(on: boolean): { createInForm: boolean }
}

const relation = defineKind<KeyValue, BelongsToMethods, 'eq' | 'ne' | 'null'>({
  name: 'belongsTo',
  columns: ['integer', 'bigint', 'uuid', 'text', 'numeric'],
  operators: ['eq', 'ne', 'null'],
  relation: true,
  open: true,
  own: {
    to: (table) => ({ table }),
    as: (as) => ({ as }),
    resource: (resource) => ({ resource }),
    createInForm: (createInForm) => ({ createInForm }),
  },
  schema: ({ column }) => keySchema(column),
  read: (typed, { column }) => keyFromText(typed, column.type),
  value: (wire, { column }) => keyFromWire(wire, column.type),
  wire: (key) => keyToWire(key),
  cell: (key, _field, ctx) => (ctx.related ? relatedShown({ ...ctx.related, key: String(key) }, ctx) : html`${String(key)}`),
  input: (typed, field, ctx) =>
    html`<input type="text" value="${typed}" autocomplete="off"${ctx.searchUrl !== null && html` data-search="${ctx.searchUrl}"`}${controlAttributes(field, ctx)}>`,
})

/**
 * A relation to one record of another table, or of the same. Start-up finds the resource that manages the table.
 *
 * Over integer, bigint, uuid, text and numeric columns. In JSON it is the key of the related record: a number for integer columns, else
 * text.
 *
 * @param label what users read; by default the key as words, without `Id`
 * @param table the related Drizzle table; by default the one that the column's foreign key references
 */
export function belongsTo(label?: string, table?: TableRef): Builder<KeyValue, BelongsToMethods, 'eq' | 'ne' | 'null' | 'relation'> {
  const field: ReturnType<typeof belongsTo> = relation(label)
  return table === undefined ? field : field.to(table)
}
