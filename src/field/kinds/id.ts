import { html } from '../../base/html.js'
import { type KeyValue, keyFromText, keyFromWire, keySchema, keyToWire } from '../key.js'
import { asCounted, controlAttributes, defineKind } from '../kind.js'
import { stating } from '../taking.js'

/**
 * The key of a record. It can be written only on create, and only if the database does not generate it.
 *
 * Over integer, bigint, uuid, text and numeric columns. In JSON it is a number for integer columns, else text.
 */
export const id = defineKind<
  KeyValue,
  {
    /** Lets `?search=` find the record whose key is a word of the search, exactly. */
    searchable(): { searchable: true }
  },
  'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'from' | 'to'
>({
  name: 'id',
  copyable: true,
  open: true,
  exact: true,
  columns: ['integer', 'bigint', 'uuid', 'text', 'numeric'],
  operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'from', 'to'],
  own: { searchable: stating({ searchable: true }) },
  schema: ({ column }) => keySchema(column),
  read: (typed, { column }) => keyFromText(typed, column.type),
  value: (wire, { column }) => keyFromWire(wire, column.type),
  wire: (key) => keyToWire(key),
  over: asCounted,
  plain: ({ column }) => column.type !== 'bigint',
  cell: (key) => html`<span class="id">${String(key)}</span>`,
  input: (typed, field, ctx) => html`<input type="text" value="${typed}" class="id" autocomplete="off"${controlAttributes(field, ctx)}>`,
})
