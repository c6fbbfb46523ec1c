const names = new Set(['match', 'search', 'query-tag'])

/** Whether a parameter of a list says which records it has, rather than how it shows them. */
export function isFilterParameter(name: string): boolean {
  return name.startsWith('filter[') || names.has(name)
}

/** The names of such parameters, for who sent another. */
export const filterParameterNames = 'filter[…], match, search, query-tag'
