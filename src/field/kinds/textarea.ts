import { html } from '../../base/html.js'
import { defineKind } from '../kind.js'
import { type LongTextMethods, longText, longTextControl } from '../long-text.js'

/** Several lines of text, over text columns. Index pages leave it out unless they name it. */
export const textarea = defineKind<string, LongTextMethods, 'contains' | 'startsWith' | 'null' | 'eq' | 'ne'>({
  ...longText,
  name: 'textarea',
  cell: (value) => html`<span class="text-block">${value}</span>`,
  input: longTextControl,
})
