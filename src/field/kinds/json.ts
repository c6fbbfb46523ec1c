import * as z from 'zod'
import { html } from '../../base/html.js'
import { a } from '../../base/setting.js'
import { type Json, Unreadable } from '../field.js'
import { faultText, scanJson } from '../json-scan.js'
import { controlAttributes, defineKind } from '../kind.js'
import { taking } from '../taking.js'

// The checks and the display recurse once per level.
const deepest = 200

/**
 * Any JSON value, over json and array columns. It cannot be sorted, filters only ask for null, and index pages leave it out unless they
 * name it.
 */
export const json = defineKind<
  unknown,
  {
    /** The height of the form control, in lines. Default: 8. */
    rows(lines: number): { rows: number }
  },
  'null'
>({
  name: 'json',
  columns: ['json'],
  operators: ['null'],
  long: true,
  own: { rows: taking((rows) => ({ rows }), a.number) },
  schema: () => z.json(),
  read: (typed) => {
    try {
      const value: unknown = JSON.parse(typed)
      scanJson(typed, deepest, (at) => {
        throw new Unreadable((t) => faultText(at, deepest, t))
      })
      return value
    } catch (thrown) {
      return thrown instanceof Unreadable ? thrown : new Unreadable((t, label) => t('field.notJson', { label }))
    }
  },
  wire: (value) => value as Json,
  text: (value) => JSON.stringify(value, null, 2),
  // Lists collapse the line breaks, so there it is one line anyway.
  cell: (value) => html`<code class="json">${lines(value)}</code>`,
  input: (typed, field, ctx) =>
    html`<textarea class="json" rows="${field.own.rows ?? 8}" spellcheck="false"${controlAttributes(field, ctx)}>
${typed}</textarea>`,
})

// Values of at most this length are shown on one line of the detail page.
const short = 60

function lines(value: unknown): string {
  const line = JSON.stringify(value)
  return line.length <= short ? line : JSON.stringify(value, null, 2)
}
