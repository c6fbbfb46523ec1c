const kept = new Set(['sort', 'search', 'query-tag', 'fields'])

/** What of the query of a list says which rows and columns it has and in which order, as it stands in an address; where in it one is does not. */
export function listText(pairs: Iterable<readonly [name: string, value: string]>): string {
  const said = [...pairs].filter(([name, value]) => value !== '' && (kept.has(name) || name.startsWith('filter[')))
  return new URLSearchParams(said as [string, string][]).toString()
}
