import { invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import type { PartAsked } from '../crud/call/call.js'
import type { Query } from '../crud/call/input.js'
import type { Route } from '../route/routes.js'

// Parameters that only the panel reads: a page's own code never sees them.
const own = ['_fragment-load', '_component_name', '_key', '_row']

/** Whether the request is for a part of a page, which has no menu around it. */
export function requestsPart(route: Route, query: string): boolean {
  return route.name === 'component' || (route.page !== undefined && /(?:^|&)_fragment-load=./.test(query))
}

/**
 * Takes the requested part of a page out of the query; `part` is null if the whole page is meant.
 *
 * @throws DaymarkError `invalid`, naming the parameter
 */
export function splitPart(route: Route, query: Query, t: Translate): { readonly part: PartAsked | null; readonly query: Query } {
  const component = route.name === 'component'
  if (!component && route.page === undefined) return { part: null, query }
  const naming = component ? '_component_name' : '_fragment-load'
  const name = one(naming)
  if (name === '') {
    if (component) throw invalid(naming, t('query.missing', { name: naming }))
    return { part: null, query }
  }
  const key = one('_key')
  const row = one('_row')
  if (row !== '' && !/^\d{1,9}$/.test(row)) throw invalid('_row', t('query.notWhole', { name: '_row', min: 0 }))
  const rest = new Map([...query].filter(([parameter]) => !own.includes(parameter)))
  return { part: { name, key: key === '' ? null : key, rowNumber: Number(row) }, query: rest }

  function one(parameter: string): string {
    const values = query.get(parameter) ?? []
    if (values.length > 1) throw invalid(parameter, t('query.repeated', { name: parameter }))
    return values[0] ?? ''
  }
}
