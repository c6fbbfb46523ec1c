import type { Listed } from '../crud/outcomes/lists.js'
import type { PresenterContext } from '../face/face.js'
import { type AddressParts, othersIn, parameterIn } from '../face/within.js'

/** The position of a page in a counted list. */
export interface CountedMeta {
  readonly page: number
  readonly perPage: number
  /** Null past the end of the list. */
  readonly from: number | null
  readonly to: number | null
  readonly total: number
  /** Only if counting stopped before the end. */
  readonly totalExact?: false
  /** Null if it is unknown. */
  readonly lastPage: number | null
}

/** The position of a page in a list that was not counted; `page` only if the request named one. */
export interface CursorMeta {
  readonly page?: number
  readonly perPage: number
  readonly nextCursor: string | null
  readonly prevCursor: string | null
}

/** Absolute paths that keep all other parameters. */
export interface Links {
  readonly first: string
  readonly prev: string | null
  readonly next: string | null
  readonly last: string | null
}

/** The position of a page in its list, and the links to other pages. */
export function metaOf(listed: Listed, at: PresenterContext): { readonly meta: CountedMeta | CursorMeta; readonly links: Links } {
  const { listing, total, goesOn, nextCursor, prevCursor } = listed
  const { page, perPage } = listing
  const link = linker(at)
  if (total === null || page === null) {
    return {
      meta: { ...(page !== null && { page }), perPage, nextCursor, prevCursor },
      links: {
        first: link(null),
        prev: prevCursor === null ? null : link({ cursor: prevCursor }),
        next: nextCursor === null ? null : link({ cursor: nextCursor }),
        last: null,
      },
    }
  }
  const count = listed.written?.count ?? listed.rows.length
  const from = (page - 1) * perPage + 1
  const lastPage = total.exact ? Math.max(1, Math.ceil(total.count / perPage)) : null
  const more = lastPage === null ? goesOn : page < lastPage
  return {
    meta: {
      page,
      perPage,
      from: count > 0 ? from : null,
      to: count > 0 ? from + count - 1 : null,
      total: total.count,
      ...(!total.exact && { totalExact: false as const }),
      lastPage,
    },
    links: {
      first: link({ page: 1 }),
      prev: page > 1 ? link({ page: lastPage === null ? page - 1 : Math.min(page - 1, lastPage) }) : null,
      next: more ? link({ page: page + 1 }) : null,
      last: lastPage === null ? null : link({ page: lastPage }),
    },
  }
}

/** Returns a function that makes links to other pages. The parameters that they share are encoded only once. */
function linker(at: AddressParts): (place: { readonly page: number } | { readonly cursor: string } | null) => string {
  const { path, query } = at
  const [page, cursor] = [parameterIn(at, 'page'), parameterIn(at, 'cursor')].map(encodeURIComponent)
  let rest = ''
  const keep = (name: string, values: readonly string[]) => {
    for (const value of values) rest += `${rest === '' ? '' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  }
  for (const [name, values] of othersIn(at)) keep(name, values)
  for (const [name, values] of query) if (name !== 'page' && name !== 'cursor') keep(parameterIn(at, name), values)
  return (place) => {
    const at = place === null ? '' : 'page' in place ? `${page}=${place.page}` : `${cursor}=${place.cursor}`
    const all = rest === '' || at === '' ? rest + at : `${rest}&${at}`
    return all === '' ? path : `${path}?${all}`
  }
}
