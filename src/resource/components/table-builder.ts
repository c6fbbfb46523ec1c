import type { Common, TableBuilder } from '../component.js'
import type { ColumnsOf, Declared, NamesOf, WhereOf } from '../declared.js'

/** A list of a resource as a part of a page: with its policies, scope and row menus. */
export function tableBuilder<const R extends Declared | string>(
  resource: R,
  spec: Common & {
    /** Unique on its page: its parameters carry it (`name[page]=2`), and so do client events. */
    readonly name: string
    readonly title?: string
    /** Default: those of the resource's index page. */
    readonly columns?: readonly NamesOf<NoInfer<R>>[]
    readonly where?: WhereOf<NoInfer<R>>
    /** Default: the resource's own order. */
    readonly sort?: ColumnsOf<NoInfer<R>> | `-${ColumnsOf<NoInfer<R>>}` | readonly (ColumnsOf<NoInfer<R>> | `-${ColumnsOf<NoInfer<R>>}`)[]
    /** The first so many: nothing is counted, and there are no further pages. */
    readonly limit?: number
    /** Default: the resource's. */
    readonly perPage?: number
    /** Sorted and paged without a reload, and its rows brought up to date. Default: as the resource's `isAsync`. */
    readonly async?: boolean
  },
): TableBuilder {
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
