import { type Html, html } from '../base/html.js'
import { lengthFault } from './bounds.js'
import type { Bound, ViewContext } from './field.js'
import { controlAttributes } from './kind.js'
import { stating } from './taking.js'
import { mostAttribute, textSchema } from './text-length.js'

// A type, since an interface has no index signature.
/** The methods of kinds of several lines of text. */
export type LongTextMethods = {
  /** The most characters that a value may have: a whole number, at least 1. Default: what the column takes. */
  max(length: number): { max: number }
  /** The fewest characters that a value may have: a whole number. Default: 0, or 1 if the field is required. */
  min(length: number): { min: number }
  /** The height of the form control, in lines. Default: 5. */
  rows(lines: number): { rows: number }
  /** Includes the field in searches. */
  searchable(): { searchable: true }
}

/** What those methods state. */
interface Facts {
  readonly max?: number
  readonly min?: number
  readonly rows?: number
}

/** What kinds of several lines of text have in common. */
export const longText = {
  columns: ['text'],
  operators: ['contains', 'startsWith', 'null', 'eq', 'ne'],
  long: true,
  own: {
    max: (max: number) => ({ max }),
    min: (min: number) => ({ min }),
    rows: (rows: number) => ({ rows }),
    searchable: stating({ searchable: true }),
  },
  fault: ({ own, column }: Bound<Facts>) => lengthFault(own, column),
  schema: textSchema,
  filter: (typed: string, field: Bound<Facts>, ctx: ViewContext): Html =>
    html`<input type="text" value="${typed}"${controlAttributes(field, ctx)}>`,
} as const

/** Its control. The HTML parser drops the line break after the tag. Without it, a value would lose a line break of its own at the start. */
export function longTextControl(typed: string, field: Bound<Facts>, ctx: ViewContext): Html {
  return html`<textarea rows="${field.own.rows ?? 5}"${mostAttribute(field)}${controlAttributes(field, ctx)}>
${typed}</textarea>`
}
