import type { Bound } from '../../field/field.js'
import { inAddress } from '../../field/zone.js'
import { permits, tellFault } from '../../resource/action/policy.js'
import type { HasMany } from '../../resource/components/has-many.js'
import { both } from '../../resource/condition/condition.js'
import type { TableBuilder } from '../../resource/pages/component.js'
import type { Call, PageCall } from '../call/call.js'
import type { Preset } from '../call/preset.js'
import { resourceNamed } from '../call/resource-named.js'
import { list } from '../list/list.js'
import type { Listed } from '../outcomes/lists.js'
import type { RelatedList } from '../outcomes/records.js'
import { filterCondition } from '../query/filter-condition.js'
import { incomingOperator, incomingRelations } from '../relation/incoming-relations.js'
import { tableCall } from './component-call.js'

// The page is about the record itself, so its lists are short.
const mostRows = 10

/** The call of a list of related records. */
interface RelatedListCall {
  readonly table: TableBuilder
  readonly by: Bound
  readonly own: Call
}

/** Reads the lists of related records on a detail page, as far as the caller may see them. If one fails, the others are still shown. */
export function relatedLists(call: Call, key: string): Promise<readonly RelatedList[]> {
  return Promise.all(
    relatedListCalls(call, key).map(async ({ table, by, own }) => {
      const about = { table, by, resource: own.resource }
      try {
        return { ...about, list: (await list(own)) as Listed }
      } catch (thrown) {
        tellFault(call.identity, thrown)
        return { ...about, list: null }
      }
    }),
  )
}

/** The calls of the lists of related records. */
export function relatedListCalls(call: Call, key: string): readonly RelatedListCall[] {
  return call.resource.related.flatMap((one) => callOfOne(call, one, key) ?? [])
}

/** Null: the caller may not see this list. */
function callOfOne(call: Call, { by, table }: HasMany, key: string): RelatedListCall | null {
  const { realm, identity, resource, seen: _, ...rest } = call
  if (table.can !== undefined && !permits(table.can, identity)) return null
  const other = resourceNamed(realm.resources, table.resource)
  const leading = [...incomingRelations(realm, identity, resource)].find(
    (one) => one.other === other && one.to === resource && (by === null || one.field.key === by),
  )
  if (!leading) return null
  const { field } = leading
  const leads = filterCondition(field, incomingOperator(field), [key], inAddress(realm))
  // No record could refer to this key.
  if (leads === null) return null
  const page: PageCall = { ...rest, realm, identity, resource, pageUri: 'detail-page', part: null }
  const own = tableCall(page, table, null)
  const preset = own.preset as Preset
  const narrowed: Preset = {
    ...preset,
    // What the relation itself leads to is the same in each row.
    fields: preset.fields ?? other.pages.index.filter((name) => name.split('.')[0] !== field.key),
    where: both(preset.where, leads),
    perPage: preset.perPage ?? Math.min(mostRows, other.itemsPerPage),
    of: { field, key },
  }
  return { table, by: field, own: { ...own, preset: narrowed } }
}
