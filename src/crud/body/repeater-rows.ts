import type { Bound } from '../../field/field.js'
import { formText } from '../input/form-text.js'

type Given = ReadonlyMap<string, readonly string[]>

/**
 * What a form sent, with the rows of a field as one text under its name: they come part by part, as `lines.0.amount`, in the order in which
 * the form has them, since a user may have moved one.
 */
export function joinRepeaterRows(given: Given, fields: ReadonlyMap<string, Bound>): Given {
  if (![...fields.values()].some(({ kind }) => kind.rows)) return given
  const whole = new Map<string, readonly string[]>()
  const rows = new Map<Bound, Map<string, Map<string, string>>>()
  for (const [name, texts] of given) {
    const at = fields.has(name) ? null : rowAt(name, fields)
    if (!at) {
      whole.set(name, texts)
      continue
    }
    const own = rows.get(at.field) ?? new Map<string, Map<string, string>>()
    rows.set(at.field, own.set(at.row, (own.get(at.row) ?? new Map<string, string>()).set(at.part.key, formText(at.part, texts))))
  }
  for (const [field, all] of rows) {
    const parts = [...(field.kind.rows?.parts(field).keys() ?? [])]
    const texts = [...all.values()].map((row) => parts.map((name) => row.get(name) ?? ''))
    whole.set(field.key, [field.kind.rows?.text(texts, field) ?? ''])
  }
  return whole
}

/** Which part of which row of a field a name means; null: none. */
function rowAt(
  name: string,
  fields: ReadonlyMap<string, Bound>,
): { readonly field: Bound; readonly row: string; readonly part: Bound } | null {
  const [, key = '', row = '', last = ''] = /^(.+)\.(\d{1,6})\.([^.]+)$/.exec(name) ?? []
  const field = fields.get(key)
  const part = field?.kind.rows?.parts(field).get(last)
  return field && part ? { field, row, part } : null
}
