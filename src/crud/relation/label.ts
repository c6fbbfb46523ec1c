import { legible } from '../../field/illegible.js'
import type { Row } from '../../store/store.js'
import type { Lens } from '../call/lens.js'

/**
 * The label of a record: the resource's `column` if the caller may read it, else the key. If the lens lacks that column, `row` ends with
 * it; it has all columns that a computed label needs.
 */
export function labelOf(lens: Lens, row: Row): string {
  const { column, label } = lens.resource
  if (label) return computedLabel(lens, row) ?? lens.key(row)
  const field = lens.resource.fields.get(column.key)
  if ((field || lens.narrow) && !lens.readable.has(column.key)) return lens.key(row)
  const value = legible(row[lens.at.get(column.key) ?? lens.columns.length])
  // Nobody sees one of spaces.
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return lens.key(row)
  return field ? String(field.kind.wire(value, field)) : String(value)
}

function computedLabel({ label }: Lens, row: Row): string | null {
  const value = label?.(row) ?? null
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.trim() === '' ? null : text
}
