import type { Resource } from './resource.js'

/** Why nothing is sorted by a name: it is no field, which nobody could read; or, where the fields are derived, no column. Null: it is. */
export function unsortedText({ derived, fields, model }: Resource, name: string): string | null {
  const names = derived ? model.columns : fields
  if (names.has(name)) return null
  const what = model.columns.has(name) ? 'is not declared as a field, and nothing is sorted by what nobody reads' : 'is no column'
  return `"${name}" ${what}. There are: ${[...names.keys()].join(', ')}`
}
