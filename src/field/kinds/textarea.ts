import * as z from 'zod'
import { html } from '../../base/html.js'
import { lengthFault } from '../bounds.js'
import { controlAttributes, defineKind } from '../kind.js'

/** Several lines of text, over text columns. Index pages leave it out unless they name it. */
export const textarea = defineKind<
  string,
  {
    /** The most characters that a value may have: a whole number, at least 1. Default: what the column takes. */
    max(length: number): { max: number }
    /** The fewest characters that a value may have: a whole number. Default: 0, or 1 if the field is required. */
    min(length: number): { min: number }
    /** The height of the form control, in lines. Default: 5. */
    rows(lines: number): { rows: number }
    /** Includes the field in searches. */
    searchable(): { searchable: true }
  },
  'contains' | 'startsWith' | 'null' | 'eq' | 'ne'
>({
  name: 'textarea',
  columns: ['text'],
  operators: ['contains', 'startsWith', 'null', 'eq', 'ne'],
  long: true,
  own: { max: (max) => ({ max }), min: (min) => ({ min }), rows: (rows) => ({ rows }), searchable: () => ({ searchable: true }) },
  fault: ({ own, column }) => lengthFault(own, column),
  schema: ({ own, column, required }) => {
    const max = Math.min(own.max ?? Number.POSITIVE_INFINITY, column.maxLength ?? Number.POSITIVE_INFINITY)
    const min = own.min ?? (required ? 1 : 0)
    const one = min > 0 ? z.string().min(min) : z.string()
    return Number.isFinite(max) ? one.max(max) : one
  },
  cell: (value) => html`<span class="text-block">${value}</span>`,
  // The HTML parser drops the line break after the tag. Without it, a value would lose a line break of its own at the start.
  input: (typed, field, ctx) =>
    html`<textarea rows="${field.own.rows ?? 5}"${field.own.max !== undefined && html` maxlength="${field.own.max}"`}${controlAttributes(field, ctx)}>
${typed}</textarea>`,
  filter: (typed, field, ctx) => html`<input type="text" value="${typed}"${controlAttributes(field, ctx)}>`,
})
