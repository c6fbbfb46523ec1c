import { a } from '../../base/setting.js'
import type { ColumnsOf, Declared, NamesOf, WhereOf } from '../condition/declared.js'
import { aCondition, aResource } from '../model/sorts.js'
import type { Common, TableBuilder } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

/** What the settings of a list may be. */
export const tableSettings = {
  resource: aResource,
  name: a.text,
  title: a.text,
  columns: a.list(a.text),
  where: aCondition,
  sort: a.either(a.text, a.list(a.text)),
  limit: a.value,
  perPage: a.value,
  async: a.switch,
  can: a.value,
}

/**
 * A list of a resource on a page, with the resource's policies, scope and row menus.
 *
 * @param resource the resource, or its URI
 */
export function tableBuilder<const R extends Declared | string>(
  resource: R,
  spec: Common & {
    /**
     * Unique on its page: lower-case letters, digits and hyphens. It prefixes the list's parameters (`name[page]=2`) and is in client
     * events.
     */
    readonly name: string
    /** Its heading. Default: none. */
    readonly title?: string
    /** Fields and computed values to show. Default: those of the resource's index page. */
    readonly columns?: readonly NamesOf<NoInfer<R>>[]
    /** The condition that records must meet. Default: all records. */
    readonly where?: WhereOf<NoInfer<R>>
    /** One column to sort by or several, `-` for descending. Default: the resource's order. */
    readonly sort?: ColumnsOf<NoInfer<R>> | `-${ColumnsOf<NoInfer<R>>}` | readonly (ColumnsOf<NoInfer<R>> | `-${ColumnsOf<NoInfer<R>>}`)[]
    /** Shows this many rows only, without a count and without pagination. Default: none. */
    readonly limit?: number
    /** The page size, up to the resource's `maxItemsPerPage`. Default: the resource's `itemsPerPage`. */
    readonly perPage?: number
    /** Whether it sorts and pages without a reload, and updates its rows. Default: the resource's `isAsync`. */
    readonly async?: boolean
  },
): TableBuilder {
  refuseWrong('tableBuilder()', { resource, ...spec }, tableSettings, 'resource', 'name')
  const { can, name, title, columns, where, sort, limit, perPage, async } = spec
  return Object.freeze({
    is: 'table',
    name,
    title: title ?? null,
    resource,
    columns: columns ? Object.freeze([...columns]) : null,
    where: (where ?? null) as TableBuilder['where'],
    sort: sort === undefined ? null : Object.freeze(typeof sort === 'string' ? [sort] : [...sort]),
    limit: limit ?? null,
    perPage: perPage ?? null,
    async: async ?? null,
    ...(can !== undefined && { can }),
  })
}
