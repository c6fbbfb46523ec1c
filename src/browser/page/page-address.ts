/**
 * Links and forms are rendered for the page's address at that time. Where parts of a page load separately, each has parameters of its own
 * in the address, so a part rendered before another one changed has outdated links: `inThisAddress` corrects them.
 */

/** The address of what the page shows. While something loads, the address bar is ahead of it. */
let shown = location.pathname + location.search
/** The query the whole page was rendered with, and those of parts rendered later. */
let ofPage = location.search
let ofParts = new WeakMap<Element, string>()

export function isShown(): boolean {
  return location.pathname + location.search === shown
}

/** The address of what the page shows. */
export function shownAddress(): string {
  return shown
}

/** Whether two addresses list the same records, in whatever order or page. */
export function hasSameRecords(one: string, other: string): boolean {
  return recordsIn(one) === recordsIn(other)
}

function recordsIn(address: string): string {
  const { pathname, searchParams } = new URL(address, location.href)
  const which = [...searchParams].filter(([name]) => /^(?:filter\[|(?:match|search|query-tag)$)/.test(name))
  return JSON.stringify([pathname, which.sort()])
}

/** Notes that content rendered for an address is now on the page. */
export function nowShown(address: string, parts: readonly Element[] | 'all'): void {
  const { pathname, search } = new URL(address, location.href)
  shown = pathname + search
  if (parts === 'all') {
    ofPage = search
    ofParts = new WeakMap()
  } else for (const part of parts) ofParts.set(part, search)
}

/** Notes that a part was rendered for the current address. */
export function drawnNow(part: Element): void {
  ofParts.set(part, location.search)
}

/** Corrects a link of a part: applies the changes it makes to the address it was rendered for to the current one. */
export function inThisAddress(to: string, part: Element): string {
  const url = new URL(to, location.href)
  const [drawn, now] = [new URLSearchParams(drawnWith(part)), new URLSearchParams(location.search)]
  const wanted = new URLSearchParams(url.search)
  for (const name of new Set([...drawn.keys(), ...wanted.keys()])) {
    if (String(drawn.getAll(name)) === String(wanted.getAll(name))) continue
    now.delete(name)
    for (const value of wanted.getAll(name)) now.append(name, value)
  }
  // If nothing differs, keeps the link's own spelling.
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
