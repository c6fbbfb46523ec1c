import type { Bound, Json } from '../../field/field.js'
import { legible } from '../../field/illegible.js'
import type { Resource } from '../../resource/resource.js'
import type { Changes } from '../../store/panel/history.js'
import type { Row } from '../../store/store.js'
import type { Lens } from '../call/lens.js'
import type { FieldChange } from '../outcomes/records.js'

/** What an entry of the list of all changes says of each field; null instead of one that the resource has no more. */
export interface EntryChange {
  readonly label: string
  readonly field: Bound | null
  readonly before: Json
  readonly after: Json
}

/**
 * What an entry of the list of all changes says, whoever may see those fields: in the order of the resource, then what it has no more.
 *
 * @param of the resource of the record; null: the panel has none, any more
 */
export function entryChanges(of: Resource | null, lens: Lens, row: Row): readonly EntryChange[] {
  const changes = new Map(Object.entries(storedChanges(lens, row)))
  const fields = of ? [...of.fields.values()].filter(({ key }) => changes.has(key)) : []
  const known = fields.map((field): EntryChange => ({ label: field.label, field, ...sides(changes.get(field.key)) }))
  const unknown = [...changes].filter(([name]) => !of?.fields.has(name))
  return [...known, ...unknown.map(([label, change]): EntryChange => ({ label, field: null, ...sides(change) }))]
}

/** The changes that an entry holds. */
export function storedChanges(lens: Lens, row: Row): Changes {
  const kept = legible(row[lens.at.get('changes') as number])
  return typeof kept === 'string' ? (JSON.parse(kept) as Changes) : {}
}

const sides = ([before = null, after = null]: readonly Json[] = []) => ({ before, after })

/** Those of fields that the resource has. */
export const fieldChanges = (of: Resource, lens: Lens, row: Row): readonly FieldChange[] =>
  entryChanges(of, lens, row).flatMap(({ field, before, after }) => (field ? [{ field, before, after }] : []))
