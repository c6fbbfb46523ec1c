import * as z from 'zod'
import { html, safeUrl } from '../../base/html.js'
import { controlAttributes, defineKind, lineInput } from '../kind.js'
import { stating } from '../taking.js'
import { mostCharacters, textOf } from '../text-length.js'

// Parsing an internationalised host takes time quadratic in its length, so the length is checked first. No server accepts a longer URL.
const longest = 8000

/** A URL of at most 8000 characters, over text columns. Only `http`, `https` and `mailto` URLs become links. Cells have a copy button. */
export const url = defineKind<
  string,
  {
    /** Includes the field in searches. */
    searchable(): { searchable: true }
  },
  'eq' | 'ne' | 'contains' | 'startsWith' | 'null'
>({
  name: 'url',
  copyable: true,
  columns: ['text'],
  operators: ['eq', 'ne', 'contains', 'startsWith', 'null'],
  own: { searchable: stating({ searchable: true }) },
  schema: ({ column }) => textOf({ max: mostCharacters(longest, column) }, true).check(z.url()),
  read: (typed) => typed.trim(),
  cell: (value) =>
    /^(?:https?|mailto):/i.test(value) && safeUrl(value) === value
      ? html`<a href="${value}" rel="noopener noreferrer nofollow" target="_blank">${value}</a>`
      : html`${value}`,
  input: (typed, field, ctx) => lineInput(typed, 'url', field, ctx),
  filter: (typed, field, ctx) => html`<input type="text" value="${typed}"${controlAttributes(field, ctx)}>`,
})
