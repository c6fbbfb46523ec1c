import { isFilterParameter } from '../input/filter-parameters.js'

const kept = new Set(['sort', 'view', 'fields'])

/** The part of a list's query that says which rows and columns it has and in which order, but not the page. */
export function queryWithoutPage(pairs: Iterable<readonly [name: string, value: string]>): string {
  const said = [...pairs].filter(([name, value]) => value !== '' && (kept.has(name) || isFilterParameter(name)))
  return new URLSearchParams(said as [string, string][]).toString()
}
