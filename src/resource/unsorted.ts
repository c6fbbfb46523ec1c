import type { Resource } from './resource.js'

/** Why a list cannot be sorted by this name: it is no declared field, or no column if the fields are derived; null: it can. */
export function unsortedText({ derived, fields, model }: Resource, name: string): string | null {
  const names = derived ? model.columns : fields
  if (model.columns.get(name)?.link) return `"${name}" lists records, and has no order`
  if (names.has(name)) return null
  const what = model.columns.has(name) ? 'is not declared as a field, and lists can only be sorted by declared fields' : 'is not a column'
  return `"${name}" ${what}. Valid: ${[...names.keys()].join(', ')}`
}
