import { parseText } from '../../field/check.js'
import { inAddress } from '../../field/zone.js'
import { may } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { FilterRelations, SearchedFilter } from '../outcomes/lists.js'
import type { Listing } from '../query/list-query.js'
import { searchChoices } from '../query/search-choices.js'
import { type RelatedRows, readTarget } from '../relation/related.js'
import { keysIn } from '../relation/relation.js'
import { withTrashed } from '../relation/trashed.js'

export const noFilterRelations: FilterRelations = { named: new Map(), found: new Map() }

/** Reads the related records among the filters. Without JavaScript, a user filters by a related record that a search has found. */
export async function readFilterRelations(
  call: Pick<Call, 'identity' | 'realm' | 'input'>,
  { filterable, filters }: Pick<Listing, 'filterable' | 'filters'>,
): Promise<FilterRelations> {
  const { identity, realm, input } = call
  const wanted = [...filterable.values()].filter(
    (one) => input.query.has(`_find[${one.key}]`) || filters.some(({ field }) => field === one),
  )
  if (wanted.length === 0) return noFilterRelations
  const named = new Map<string, RelatedRows>()
  const found = new Map<string, SearchedFilter>()
  for (const field of wanted) {
    const target = realm.links.get(field)
    if (!target || !may(realm, identity, target, 'viewAny')) continue
    const texts = filters.flatMap((one) => (one.field === field && one.operator !== 'null' ? one.texts : []))
    const values = texts.map((text) => parseText(field, text, inAddress(realm))?.value)
    const keys = values.flatMap((value) => keysIn(field, value))
    named.set(field.key, await withTrashed(call, target, await readTarget(identity, target, keys, realm.storeOf), keys))
    const [query, before] = ['_find', '_asked'].map((name) => input.query.get(`${name}[${field.key}]`)?.at(-1) ?? '') as [string, string]
    // A repeated query was answered already: the user has now chosen one of its results.
    if (query !== '' && query !== before) found.set(field.key, { query, choices: await searchChoices(realm, identity, target, query) })
  }
  return { named, found }
}
