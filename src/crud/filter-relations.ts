import { parseText } from '../field/check.js'
import { inAddress } from '../field/zone.js'
import type { Call } from './call.js'
import type { Lens } from './lens.js'
import type { Listing } from './list-query.js'
import type { FilterRelations, SearchedFilter } from './outcome.js'
import { keysIn, type RelatedRows, readTarget, relationsOf } from './related.js'
import { choicesOf } from './search.js'
import { withTrashed } from './trashed.js'

export const noFilterRelations: FilterRelations = { named: new Map(), found: new Map() }

/** Reads the related records among the filters. Without JavaScript, a user filters by a related record that a search has found. */
export async function readFilterRelations(call: Call, lens: Lens, { filters }: Listing): Promise<FilterRelations> {
  const { identity, realm, resource, input } = call
  const wanted = resource.filters.filter(
    (key) => lens.readable.has(key) && (input.query.has(`_find[${key}]`) || filters.some(({ field }) => field.key === key)),
  )
  if (wanted.length === 0) return noFilterRelations
  const named = new Map<string, RelatedRows>()
  const found = new Map<string, SearchedFilter>()
  for (const { field, target } of relationsOf(realm, identity, lens)) {
    if (!wanted.includes(field.key)) continue
    const texts = filters.flatMap((one) => (one.field === field && one.operator !== 'null' ? one.texts : []))
    const values = texts.map((text) => parseText(field, text, inAddress(realm))?.value)
    const keys = values.flatMap((value) => keysIn(field, value))
    named.set(field.key, await withTrashed(call, target, await readTarget(identity, target, keys, realm.storeOf), keys))
    const [query, before] = ['_find', '_asked'].map((name) => input.query.get(`${name}[${field.key}]`)?.at(-1) ?? '') as [string, string]
    // A repeated query was answered already: the user has now chosen one of its results.
    if (query !== '' && query !== before) found.set(field.key, { query, choices: await choicesOf(realm, identity, target, query) })
  }
  return { named, found }
}
