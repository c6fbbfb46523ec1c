import { shownAddress } from '../page/page-address.js'
import { remember, remembered } from '../page/session.js'

interface Place {
  readonly page: number
  /** By list: how far its rows are scrolled, horizontally and vertically. */
  readonly boxes: Readonly<Record<string, readonly [number, number]>>
}

/** Under this name: the address that is led up to. */
export const up = 'daymark-up'

/** Restores the scroll position of lists, as browsers restore that of pages, and of both on the way up from a record (breadcrumbs). */
export function listPlaces(): void {
  addEventListener('pagehide', keepPlace)
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('.crumbs a')
    if (link) remember(up, link.href)
  })
  const byTrail = remembered(up) === location.href
  remember(up, null)
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (byTrail || visit?.type === 'back_forward' || visit?.type === 'reload') findPlace(byTrail)
}

/** Stores the scroll positions before the page changes. */
export function keepPlace(): void {
  const boxes = boxesOfLists().map(([id, { scrollLeft, scrollTop }]) => [id, [scrollLeft, scrollTop]] as const)
  const place: Place = { page: scrollY, boxes: Object.fromEntries(boxes) }
  const isAtStart = scrollY === 0 && boxes.every(([, [left, top]]) => left === 0 && top === 0)
  remember(nameOf(shownAddress()), isAtStart ? null : JSON.stringify(place))
}

/** Restores the lists of this address, and if `whole` the page: otherwise the browser does that. */
export function findPlace(whole: boolean): void {
  const text = remembered(nameOf(location.pathname + location.search))
  const { page, boxes }: Place = text === null ? { page: 0, boxes: {} } : JSON.parse(text)
  for (const [id, box] of boxesOfLists()) box.scrollTo(...(boxes[id] ?? [0, 0]))
  if (whole) scrollTo(0, page)
}

function boxesOfLists(): (readonly [string, Element])[] {
  return [...document.querySelectorAll('.listing[id] > .scroller')].map((box) => [(box.parentElement as Element).id, box])
}

const nameOf = (address: string) => `daymark-place ${address}`
