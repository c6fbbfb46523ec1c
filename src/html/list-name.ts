import type { Begun, Listed } from '../crud/outcome.js'

/** What a list is called on its page: by client events, and in the ids of what belongs to it. */
export function listName({ resource, preset }: Pick<Listed, 'resource' | 'preset'>): string {
  return preset?.name ?? resource.table.name
}

/** What a record that is made for a list begins with: that it belongs to the one whose list it is. */
export function begunOf({ preset }: Pick<Listed, 'preset'>): Begun {
  return preset?.of ? [[preset.of.field.key, preset.of.key]] : []
}

/** Whether a list is one component of a page among others, which has neither tools nor a selection. */
export function isComponent({ preset }: Pick<Listed, 'preset'>): boolean {
  return (preset?.name ?? null) !== null
}
