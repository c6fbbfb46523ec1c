/**
 * Links and forms are drawn with the address that the page has then. Where parts of a page come by themselves, each has its own parameters in that address, and what was drawn
 * before another part was turned knows nothing of it.
 */

/** The address of what is on the page. The address bar is ahead of it while something is asked for. */
let shown = location.pathname + location.search
/** What the page as a whole was drawn with, and what of its parts were drawn with later. */
let ofPage = location.search
let ofParts = new WeakMap<Element, string>()

export function isShown(): boolean {
  return location.pathname + location.search === shown
}

/** The address of what is on the page. */
export function shownAddress(): string {
  return shown
}

/** Whether two addresses of a list show the same records, in whatever order, on whatever page. */
export function hasSameRecords(one: string, other: string): boolean {
  return recordsIn(one) === recordsIn(other)
}

function recordsIn(address: string): string {
  const { pathname, searchParams } = new URL(address, location.href)
  const which = [...searchParams].filter(([name]) => name.startsWith('filter[') || name === 'search' || name === 'query-tag')
  return JSON.stringify([pathname, which.sort()])
}

/** Something has come, and stands on the page now. */
export function nowShown(address: string, parts: readonly Element[] | 'all'): void {
  const { pathname, search } = new URL(address, location.href)
  shown = pathname + search
  if (parts === 'all') {
    ofPage = search
    ofParts = new WeakMap()
  } else for (const part of parts) ofParts.set(part, search)
}

/** A part has come by itself, asked for with the address that there is. */
export function drawnNow(part: Element): void {
  ofParts.set(part, location.search)
}

/** Where a link or a form of a part of the page leads now: what it changes in the address that it was drawn with, in the one that there is. */
export function inThisAddress(to: string, part: Element): string {
  const url = new URL(to, location.href)
  const [drawn, now] = [new URLSearchParams(drawnWith(part)), new URLSearchParams(location.search)]
  const wanted = new URLSearchParams(url.search)
  for (const name of new Set([...drawn.keys(), ...wanted.keys()])) {
    if (String(drawn.getAll(name)) === String(wanted.getAll(name))) continue
    now.delete(name)
    for (const value of wanted.getAll(name)) now.append(name, value)
  }
  // As it was written, where it is the same.
  if (String(now) !== String(wanted)) url.search = String(now)
  return url.href
}

function drawnWith(part: Element): string {
  for (let one: Element | null = part; one; one = one.parentElement) {
    const search = ofParts.get(one)
    if (search !== undefined) return search
  }
  return ofPage
}
