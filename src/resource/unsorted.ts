import type { Resource } from './resource.js'

/** Why nothing is sorted by a name: it is not a field, which nobody could read; or, where the fields are derived, no column. Null: it is. */
export function unsortedText({ derived, fields, model }: Resource, name: string): string | null {
  const names = derived ? model.columns : fields
  if (names.has(name)) return null
  const what = model.columns.has(name) ? 'is not declared as a field, and lists can only be sorted by declared fields' : 'is not a column'
  return `"${name}" ${what}. Valid: ${[...names.keys()].join(', ')}`
}
