import { numberText } from '../../base/number.js'
import type { Listed } from '../../crud/outcomes/lists.js'
import type { PresenterContext } from '../../face/face.js'
import type { PageLink, PagerView } from '../components/pager.js'
import { isComponent, listName } from './list-name.js'
import { listUrl } from './list-url.js'

const sizes = [10, 25, 50, 100]

/** The foot of a list; null if the list is not paginated or shows a limited number, or if it is an empty component. */
export function pagerOf(list: Listed, at: PresenterContext): PagerView | null {
  const { resource, listing, rows, total, nextCursor, prevCursor, preset } = list
  if (preset?.limit || (isComponent(list) ? total?.count === 0 : !resource.usePagination)) return null
  const { page, perPage } = listing
  const usual = preset?.perPage ?? resource.itemsPerPage
  const { t, locale } = at.realm
  const text = (count: number) => numberText(locale, count)
  const last = total?.exact ? Math.max(1, Math.ceil(total.count / perPage)) : null
  const to = (number: number) => listUrl(at, { page: number === 1 ? null : number })
  const counted = page !== null && total !== null
  const from = counted ? (page - 1) * perPage + 1 : 0
  return {
    id: listName(list),
    of: isComponent(list) ? (preset?.title ?? resource.title) : null,
    range:
      counted && rows.length > 0
        ? t('list.range', { from: text(from), to: text(from + rows.length - 1), total: totalText(total, at) })
        : null,
    previous: counted ? (page > 1 ? to(Math.min(page - 1, last ?? page)) : null) : prevCursor && listUrl(at, { cursor: prevCursor }),
    next: counted ? ((last === null ? list.goesOn : page < last) ? to(page + 1) : null) : nextCursor && listUrl(at, { cursor: nextCursor }),
    pages:
      counted && last !== null && last > 1
        ? numbersAround(page, last).map((number): PageLink | null =>
            number === null ? null : { label: text(number), href: to(number), current: number === page },
          )
        : [],
    sizes: [...new Set([...sizes, usual, perPage])]
      .filter((count) => count <= resource.maxItemsPerPage)
      .sort((a, b) => a - b)
      .map((count) => ({
        count,
        href: listUrl(at, { perPage: count === usual ? null : count }),
        current: count === perPage,
      })),
  }
}

/** The total, or "at least" as far as it was counted. */
export function totalText({ count, exact }: NonNullable<Listed['total']>, { realm: { t, locale } }: PresenterContext): string {
  return exact ? numberText(locale, count) : t('list.atLeast', { count: numberText(locale, count) })
}

/** First, last and neighbouring page numbers: always the same count, so that Next does not move. */
function numbersAround(page: number, last: number): (number | null)[] {
  if (last <= 7) return Array.from({ length: last }, (_, i) => i + 1)
  if (page <= 4) return [1, 2, 3, 4, 5, null, last]
  if (page >= last - 3) return [1, null, last - 4, last - 3, last - 2, last - 1, last]
  return [1, null, page - 1, page, page + 1, null, last]
}
