import * as z from 'zod'
import { html } from '../../base/html.js'
import { controlAttributes, defineKind, lineInput } from '../kind.js'
import { stating } from '../taking.js'

/** An e-mail address, over text columns. Cells have a copy button. */
export const email = defineKind<
  string,
  {
    /** Includes the field in searches. */
    searchable(): { searchable: true }
  },
  'eq' | 'ne' | 'contains' | 'startsWith' | 'null'
>({
  name: 'email',
  copyable: true,
  columns: ['text'],
  operators: ['eq', 'ne', 'contains', 'startsWith', 'null'],
  own: { searchable: stating({ searchable: true }) },
  schema: ({ column }) => z.email().max(column.maxLength ?? 254),
  read: (typed) => typed.trim(),
  cell: (value) => html`<a href="mailto:${encodeURIComponent(value).replaceAll('%40', '@')}">${value}</a>`,
  input: (typed, field, ctx) => lineInput(typed, 'email', field, ctx),
  filter: (typed, field, ctx) => html`<input type="text" value="${typed}"${controlAttributes(field, ctx)}>`,
})
