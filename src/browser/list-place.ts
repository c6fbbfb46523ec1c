import { shownAddress } from './page-address.js'
import { remember, remembered } from './session.js'

interface Place {
  readonly page: number
  /** By the list: how far the box of its rows is scrolled sideways, and down. */
  readonly boxes: Readonly<Record<string, readonly [number, number]>>
}

const up = 'daymark-up'

/** How far a list was scrolled comes back with its address: what scrolls in a box of its own as a browser does it for a page; by the way up from a record both do. */
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

/** Before what is on the page becomes another one. */
export function keepPlace(): void {
  const boxes = boxesOfLists().map(([id, { scrollLeft, scrollTop }]) => [id, [scrollLeft, scrollTop]] as const)
  const place: Place = { page: scrollY, boxes: Object.fromEntries(boxes) }
  const isAtStart = scrollY === 0 && boxes.every(([, [left, top]]) => left === 0 && top === 0)
  remember(nameOf(shownAddress()), isAtStart ? null : JSON.stringify(place))
}

/** Puts the lists of this address where they were left, and the page too unless the browser does. */
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
