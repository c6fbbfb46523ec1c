import { block, type Html, html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import { lengthFault } from '../bounds.js'
import type { Bound, ViewContext } from '../field.js'
import { liveControl, type SavesInPlace, savesInPlace } from '../in-place.js'
import { controlAttributes, defineKind } from '../kind.js'
import { givenSuggestions, type Suggestions, someSuggestions, suggested } from '../suggested.js'
import { stating, taking } from '../taking.js'
import { mostAttribute, textSchema } from '../text-length.js'

/** One line of text, over text and uuid columns. */
export const text = defineKind<
  string,
  {
    /** The most characters that a value may have: a whole number, at least 1. Default: what the column takes. */
    max(length: number): { max: number }
    /** The fewest characters that a value may have: a whole number. Default: 0, or 1 if the field is required. */
    min(length: number): { min: number }
    /** Includes the field in searches. */
    searchable(): { searchable: true }
    /** Adds a button to each cell that copies its text. */
    copyable(): { copyable: true }
    /**
     * Texts that forms and filters offer while the user types; a function is called once, when they are first needed. Any other text is valid too: use
     * `select` to allow only these. Default: none.
     */
    suggestions(texts: Suggestions): { suggestions: () => readonly string[] }
  } & SavesInPlace,
  'eq' | 'ne' | 'contains' | 'startsWith' | 'null'
>({
  name: 'text',
  columns: ['text', 'uuid'],
  operators: ['eq', 'ne', 'contains', 'startsWith', 'null'],
  adds: ['events'],
  own: {
    max: taking((max) => ({ max }), a.number),
    min: taking((min) => ({ min }), a.number),
    searchable: stating({ searchable: true }),
    copyable: stating({ copyable: true }),
    suggestions: taking((texts) => ({ suggestions: givenSuggestions(texts) }), someSuggestions),
    ...savesInPlace,
  },
  fault: ({ own, column }) => lengthFault(own, column),
  schema: textSchema,
  input: line,
  live: (typed, field, ctx) => liveControl(typed, field, ctx, line),
})

// The longest text that gets a narrow control: a code of two letters doesn't need a full line.
const short = 24

function width(max: number): Html | null {
  return max > short ? null : html` class="short" size="${Math.max(max, 6)}"`
}

function line(typed: string, field: Bound<{ max?: number; suggestions?: () => readonly string[] }>, ctx: ViewContext): Html {
  // Browsers remove line breaks from an <input>, so saving such a text untouched would change it.
  return /[\r\n]/.test(typed)
    ? html`<textarea rows="3"${mostAttribute(field)}${controlAttributes(field, ctx)}>
${typed}</textarea>`
    : block`
      <input
        type="text"
        value="${typed}"
        ${field.own.max !== undefined && width(field.own.max)}
        ${mostAttribute(field)}
        ${controlAttributes(field, ctx)}
        ${field.own.suggestions && html` list="${ctx.id}-list"`}
      >
      ${field.own.suggestions && suggested(`${ctx.id}-list`, field.own.suggestions())}
    `
}
