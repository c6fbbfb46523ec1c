import { beginning } from '../field/begin.js'
import type { Bound, Field } from '../field/field.js'
import type { Model } from './model.js'

/** `countryId` → `Country id`, `world-cities` → `World cities`. */
export function humanise(key: string): string {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[-_\s]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `worldCities`, `world_cities` → `world-cities`. */
export function kebab(name: string): string {
  return humanise(name).toLowerCase().replaceAll(' ', '-')
}

/**
 * The name of a relation in `include` and in records: the declared one, or the key without `Id`. A list of keys without a declared one has
 * none of its own: its key.
 */
export function relationName({ key, own }: Bound): string {
  return (own.as as string | undefined) ?? (own.through === undefined ? key.replace(/(?<=.)(?:Id|_id)$/, '') : key)
}

/** Binds the fields to their columns. Fields without a column are left out; the start-up checks report them. */
export function bindFields(model: Model, fields: ReadonlyMap<string, Field>): ReadonlyMap<string, Bound> {
  const bound = new Map<string, Bound>()
  for (const [key, field] of fields) {
    const column = model.columns.get(key)
    if (!column) continue
    const { kind, facts } = field
    const isKey = column === model.key
    const hasDefault = facts.default !== undefined || column.hasDefault
    bound.set(
      key,
      beginning({
        ...facts,
        key,
        // "Country" for countryId, "ID" for id.
        label:
          facts.label ??
          (isKey && key === 'id'
            ? 'ID'
            : humanise(
                column.references ? key.replace(/(?<=.)(?:Id|_id)$/, '') : column.link ? key.replace(/(?<=.)(?:Ids|_ids)$/, '') : key,
              )),
        kind,
        column,
        // Generated columns, and keys that the database generates, are never written.
        readOnly: facts.readOnly || column.generated || ((isKey || column.primary) && column.hasDefault),
        required: facts.required || (column.notNull && !hasDefault),
        nullable: !column.notNull && !facts.required && !isKey,
        hasDefault,
        own: facts,
      }),
    )
  }
  return bound
}
