import { humanise } from '../../base/humanise.js'
import { withStoredDefault } from '../../field/default-value.js'
import type { Bound, Field } from '../../field/field.js'
import type { Column, Model } from './model.js'

/** `worldCities`, `world_cities` → `world-cities`. */
export function kebab(name: string): string {
  return humanise(name).toLowerCase().replaceAll(' ', '-')
}

/** The key of a relation as the name of what it leads to: `countryId`, `countryID` → `country`; `several`: `languageIds` → `language`. */
export function withoutId(key: string, several: boolean): string {
  return key.replace(several ? /(?<=.)(?:Ids|_ids)$|(?<=\p{Ll}.*)IDs$/u : /(?<=.)(?:Id|_id)$|(?<=\p{Ll}.*)ID$/u, '')
}

/** The name of a relation in `include` and in records: the declared one, or the key without `Id`; null: a list of records without one. */
export function relationName(field: Bound): string | null {
  const { key, kind, own } = field
  return (own.as as string | undefined) ?? (kind.many(field) ? null : withoutId(key, false))
}

/**
 * Binds the fields to their columns. Fields without a column are left out; the start-up checks report them.
 *
 * @param filled a column that a new record gets a value in by itself; null: none
 */
export function bindFields(model: Model, fields: ReadonlyMap<string, Field>, filled: Column | null = null): ReadonlyMap<string, Bound> {
  const bound = new Map<string, Bound>()
  for (const [key, field] of fields) {
    const column = model.columns.get(key)
    if (!column) continue
    const { kind, facts } = field
    const isKey = column === model.key
    const hasDefault = facts.default !== undefined || column.hasDefault || column === filled
    const leads = column.references !== null || column.link !== null
    bound.set(
      key,
      withStoredDefault({
        ...facts,
        key,
        // "Country" for countryId, "ID" for id.
        label: facts.label ?? (isKey && key === 'id' ? 'ID' : humanise(leads ? withoutId(key, column.link !== null) : key)),
        kind,
        column,
        // Generated columns, and keys that the database generates, are never written.
        readOnly: facts.readOnly || column.generated || ((isKey || column.primary) && column.hasDefault),
        sortable: facts.sortable || column === filled,
        required: facts.required || (column.notNull && !hasDefault),
        nullable: !column.notNull && !facts.required && !isKey,
        hasDefault,
        own: facts,
      }),
    )
  }
  return bound
}
