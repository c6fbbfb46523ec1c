import type { Lens } from '../call/lens.js'

/** The names that a caller may use in the query of a list. */
interface Names {
  /** Ascending (`name`) and descending (`-name`). */
  readonly sort: readonly string[]
  readonly fields: readonly string[]
  readonly search: readonly string[]
}

const names = new WeakMap<Lens, Names>()

/** The names that the caller of a lens may use. */
export function queryNames(lens: Lens): Names {
  let known = names.get(lens)
  if (!known) {
    const { resource, readable, computed, throughs } = lens
    const fields = [...readable.values()]
    const columns = [...fields, ...[...throughs.values()].map(({ shown }) => shown)]
    const sortable = columns.filter((field) => field.sortable || field.key === resource.model.key.key)
    known = {
      sort: sortable.flatMap(({ key }) => [key, `-${key}`]),
      fields: [...readable.keys(), ...computed.keys(), ...throughs.keys()],
      search: fields.filter((field) => field.own.searchable === true).map((field) => field.key),
    }
    names.set(lens, known)
  }
  return known
}

/** The columns that a search covers. */
export function searchColumns(lens: Lens): readonly string[] {
  return queryNames(lens).search
}
