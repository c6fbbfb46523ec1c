import { remember, remembered } from '../page/session.js'

/** The records of a page of a list, in its order, and the pages around it: as paths, and as addresses. */
export interface ListRows {
  readonly rows: readonly string[]
  readonly prev: string | null
  readonly next: string | null
}

// A list of all rows may have any number.
const most = 1000

/** Those of the page's own list; null: it has none. */
function rowsIn(page: ParentNode): ListRows | null {
  const list = page.querySelector('main > .listing')
  const led = (selector: string) => list?.querySelector<HTMLAnchorElement>(selector)?.href ?? null
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('tbody .label a') ?? [])]
  return (
    list && { rows: links.slice(0, most).map(({ pathname }) => pathname), prev: led('.pager [rel=prev]'), next: led('.pager [rel=next]') }
  )
}

/** Remembers the rows of a list for its records, of whichever page of their resource it is. */
export function keepRows(page: ParentNode): ListRows | null {
  const rows = rowsIn(page)
  if (rows) rememberRows(rows)
  return rows
}

/** Remembers rows for their records. */
export function rememberRows(rows: ListRows): void {
  const [first] = rows.rows
  if (first !== undefined) remember(nameFor(first), JSON.stringify(rows))
}

/** The list as it was left in this tab that a record may be in. */
export const rowsAround = (path: string): ListRows | null => JSON.parse(remembered(nameFor(path)) ?? 'null')

/** Remembers under which query the lists of a page were left. */
export function keepQuery(address: string): void {
  const { pathname, search } = new URL(address, location.href)
  remember(trail + pathname, search === '' ? null : search)
}

/** What all that is remembered of lists begins with. */
export const trail = 'daymark-trail '

const nameFor = (path: string) => `${trail}rows ${path.replace(/\/[^/]*$/, '')}`
