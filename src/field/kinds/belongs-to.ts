import { block, html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import type { Builder, OwnMethods } from '../builder.js'
import { type KeyValue, keyFromText, keyFromWire, keySchema, keyToWire, type TableRef } from '../key.js'
import { controlAttributes, defineKind } from '../kind.js'
import { relatedShown } from '../related-shown.js'
import { taking } from '../taking.js'

/** The methods of `belongsTo` that need not know the related table. */
export interface RelationMethods {
  /** The related table. Default: the one that the column's foreign key references. */
  to(table: TableRef): { table: TableRef }
  /** The name of the relation in `include` and in records. Default: the key without `Id`, so `author` for `authorId`. */
  as(name: string): { as: string }
  /** The `uriKey` of the related resource, if several manage the table. Default: the only one that does. */
  resource(uriKey: string): { resource: string }
  /** `false`: forms don't offer to create a related record. Default: they do to users who may create and list them. */
  createInForm(on: boolean): { createInForm: boolean }
}

interface Methods extends RelationMethods, OwnMethods {
  /** A condition of the related table: only what meets it can be chosen. Default: all that the user may see. */
  where(condition: object): { where: object }
  /** Columns of the related table, each with the name of the field that it must equal. Default: none. */
  matching(columns: object): { matching: object }
  /** Fields of this record, each with the column of the related table whose value it takes while it is blank. Default: none. */
  fills(fields: object): { fills: object }
}

const relation = defineKind<KeyValue, Methods, 'eq' | 'ne' | 'null'>({
  name: 'belongsTo',
  columns: ['integer', 'bigint', 'uuid', 'text', 'numeric'],
  operators: ['eq', 'ne', 'null'],
  relation: true,
  open: true,
  own: {
    to: (table) => ({ table }),
    as: taking((as) => ({ as }), a.text),
    resource: taking((resource) => ({ resource }), a.text),
    createInForm: taking((createInForm) => ({ createInForm }), a.switch),
    where: taking((where) => ({ where }), a.object),
    matching: taking((matching) => ({ matching: Object.freeze({ ...matching }) }), a.byName(a.text)),
    fills: taking((fills) => ({ fills: Object.freeze({ ...fills }) }), a.byName(a.text)),
  },
  schema: ({ column }) => keySchema(column),
  read: (typed, { column }) => keyFromText(typed, column.type),
  value: (wire, { column }) => keyFromWire(wire, column.type),
  wire: (key) => keyToWire(key),
  plain: ({ column }) => column.type !== 'bigint',
  cell: (key, _field, ctx) => (ctx.related ? relatedShown({ ...ctx.related, key: String(key) }, ctx) : html`${String(key)}`),
  input: (typed, field, ctx) =>
    block`
      <input
        type="text"
        value="${typed}"
        autocomplete="off"
        ${ctx.searchUrl !== null && html` data-search="${ctx.searchUrl}"`}
        ${controlAttributes(field, ctx)}
      >
    `,
})

/** The untyped `belongsTo`: what its related table has, the room of resources knows. */
export function belongsTo(label?: string, table?: TableRef): Builder<KeyValue, Methods, 'eq' | 'ne' | 'null' | 'relation'> {
  const field: ReturnType<typeof belongsTo> = relation(label)
  return table === undefined ? field : field.to(table)
}
