import { listParameter } from '../../crud/input/named-list.js'
import type { Prefill } from '../../crud/outcomes/forms.js'
import type { Listed } from '../../crud/outcomes/lists.js'

/** The name of a list on its page, used by client events and in ids. */
export function listName({ resource, preset }: Pick<Listed, 'resource' | 'preset'>): string {
  return preset?.name ?? resource.table.name
}

/** Where a list of related records is on the page of theirs, to return to; null: it is on none. */
export function listAnchor(list: Pick<Listed, 'resource' | 'preset'>): string | null {
  return list.preset?.of ? `#${listName(list)}` : null
}

/** The initial values of a record created from a list: the relation to the record that owns the list. */
export function prefillFromPreset({ preset }: Pick<Listed, 'preset'>): Prefill {
  return preset?.of ? [[preset.of.field.key, preset.of.key]] : []
}

/** The parameter by which an export and a selection of all records name a list that is not the resource's own. */
export function listNameParameters({ preset }: Pick<Listed, 'preset'>): readonly (readonly [name: string, value: string])[] {
  return preset?.page ? [[listParameter, preset.page]] : []
}

/** Whether a list is a component of a page, without toolbar and selection. */
export function isComponent({ preset }: Pick<Listed, 'preset'>): boolean {
  return (preset?.name ?? null) !== null
}
