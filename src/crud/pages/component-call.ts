import { always } from '../../resource/condition/condition.js'
import type { TableBuilder } from '../../resource/pages/component.js'
import { whereOf } from '../../resource/relation/reach.js'
import type { Call, PageCall } from '../call/call.js'
import type { Preset } from '../call/preset.js'
import { resourceNamed } from '../call/resource-named.js'
import { componentQuery } from '../input/component-query.js'
import { normalizeFilters } from '../query/normalize-filters.js'

/** The call of a list or form on a page. */
export function componentCall(call: PageCall, named: TableBuilder['resource'], preset: Preset, key: string | null): Call {
  const resource = resourceNamed(call.realm.resources, named)
  const { part: _, ...rest } = call
  return { ...rest, resource, store: call.realm.storeOf(resource), input: { ...call.input, key }, preset }
}

/** The call of a list on a page; `key`: of one of its rows. */
export function tableCall(call: PageCall, component: TableBuilder, key: string | null): Call {
  const { name, title, columns, where, sort, limit, perPage, async } = component
  const resource = resourceNamed(call.realm.resources, component.resource)
  const made = componentCall(
    call,
    component.resource,
    {
      name,
      page: null,
      title,
      fields: columns,
      where: where ? whereOf(resource, where, call.realm.timeZone) : always,
      sort: sort?.map((one) => ({ column: one.replace(/^-/, ''), direction: one.startsWith('-') ? 'DESC' : 'ASC' }) as const) ?? null,
      limit,
      perPage,
      async: async ?? resource.isAsync,
    },
    key,
  )
  const asked = componentQuery(call.input.query, name)
  // As for a list of its own: people type numbers in their language.
  const query = made.wants.strict ? asked : normalizeFilters(resource, asked, call.realm)
  return { ...made, input: { ...made.input, query }, wants: { ...made.wants, view: 'index' } }
}
