import { html } from '../../base/html.js'
import type { Builder, OwnMethods } from '../builder.js'
import { type KeyValue, keyFromText, keyFromWire, keySchema, keyToWire } from '../key.js'
import { controlAttributes, defineKind } from '../kind.js'

/** Anything that stands for a table: a Drizzle table. Compared by identity only. */
export type TableRef = object

interface Own extends OwnMethods {
  to(table: TableRef): { table: TableRef }
  /** The name of the relation in `include` and in records; by default the key without `Id`. */
  as(name: string): { as: string }
  /** The `uriKey` of the related resource, where several manage the same table. */
  resource(uriKey: string): { resource: string }
}

const relation = defineKind<KeyValue, Own, 'eq' | 'ne' | 'null'>({
  name: 'belongsTo',
  columns: ['integer', 'bigint', 'uuid', 'text', 'numeric'],
  operators: ['eq', 'ne', 'null'],
  relation: true,
  open: true,
  own: { to: (table) => ({ table }), as: (as) => ({ as }), resource: (resource) => ({ resource }) },
  schema: ({ column }) => keySchema(column),
  read: (typed, { column }) => keyFromText(typed, column.type),
  value: (wire, { column }) => keyFromWire(wire, column.type),
  wire: (key) => keyToWire(key),
  cell: (key, _field, ctx) => {
    const label = ctx.related?.label ?? String(key)
    return ctx.related?.href ? html`<a href="${ctx.related.href}">${label}</a>` : html`${label}`
  },
  input: (typed, field, ctx) =>
    html`<input type="text" value="${typed}" autocomplete="off"${ctx.searchUrl !== null && html` data-search="${ctx.searchUrl}"`}${controlAttributes(field, ctx)}>`,
})

/**
 * A relation to one record of another table (or of the same).
 *
 * @param label shown to people; by default the key, humanised, without `Id`
 * @param table the Drizzle table; left out, the column's foreign key names it. Start-up finds the resource that manages it
 */
export function belongsTo(label?: string, table?: TableRef): Builder<KeyValue, Own, 'eq' | 'ne' | 'null' | 'relation'> {
  const field: ReturnType<typeof belongsTo> = relation(label)
  return table === undefined ? field : field.to(table)
}
