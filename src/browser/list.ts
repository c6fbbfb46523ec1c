import { keepWidths } from './column-widths.js'
import { fetchPage, parse, Refused } from './fetch-page.js'
import { focusList } from './focus-list.js'
import { addressOf } from './form-address.js'
import { findPlace, keepPlace } from './list-place.js'
import { morph } from './morph.js'
import { hasSameRecords, inThisAddress, isShown, nowShown, shownAddress } from './page-address.js'
import { problem, text } from './parts.js'
import { say } from './say.js'
import { keepSelection } from './selection.js'
import { signInTo } from './signed-out.js'
import { swapped } from './swapped.js'

// What becomes another one by an address of its own.
const parts = '.listing[data-async], .tab-set'

type Past = 'push' | 'replace' | 'keep'

/** Lists that are sorted, filtered, searched and paged without a reload; the address is what it would be with one. */
export function asyncLists(): void {
  // A list may stand in a tab that is turned later.
  if (!document.querySelector(parts)) return
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('.listing[data-async] a[href]')
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (!isHere(link.href) || link.target !== '') return
    event.preventDefault()
    const list = link.closest('.listing')
    const to = withTyped(link.href, list)
    closePanels(link)
    load(to, { list, past: 'push', from: link })
  })
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const list = form.closest?.('.listing[data-async]')
    if (!list || event.defaultPrevented || form.method !== 'get' || !isHere(form.action)) return
    event.preventDefault()
    forget()
    closePanels(event.submitter ?? form)
    load(addressOf(form), { list, past: 'push', from: event.submitter ?? document.activeElement })
  })
  addEventListener('input', (event) => searchAsTyped(event as InputEvent))
  addEventListener('popstate', () => {
    forget()
    if (isShown()) leave()
    else {
      keepPlace()
      load(location.href, { list: null, past: 'keep', from: null }).then(() => findPlace(false))
    }
  })
  addEventListener('pagehide', () => latest?.abort())
  readAs()
}

/** Asks for a list again, as it stands. */
export function reload(list: Element | null): Promise<void> {
  return load(location.href, { list, past: 'keep', from: null })
}

interface Way {
  /** The one list that changes; null: all of the page. */
  readonly list: Element | null
  readonly past: Past
  /** What asked for it: it keeps the focus, or what stands in its place gets it. */
  readonly from: Element | null
}

let latest: AbortController | null = null
/** The list that is asked for, null: all of the page; undefined: none is. */
let asked: string | null | undefined

async function load(to: string, { list, past, from }: Way): Promise<void> {
  // Whatever was asked before is not wanted any more, however late its answer comes: but for another list, which is asked for along with this one.
  const isOther = asked !== undefined && asked !== (list?.id ?? null)
  const url = list && past !== 'keep' ? inThisAddress(to, list) : to
  const id = isOther ? undefined : list?.id
  latest?.abort()
  latest = new AbortController()
  const { signal } = latest
  asked = id ?? null
  if (past === 'push') keepPlace()
  if (past === 'push') history.pushState(null, '', url)
  else if (past === 'replace') history.replaceState(null, '', url)
  const lists = listsOf(id)
  for (const one of lists) {
    one.ariaBusy = 'true'
    // What becomes another list is not there yet, and says so where it takes its time.
    one.toggleAttribute('data-turning', past !== 'keep')
    one.querySelector(':scope > .notice')?.remove()
  }
  try {
    const page = parse(await fetchPage(url, signal))
    if (signal.aborted) return
    show(page, id, from, hasSameRecords(shownAddress(), url))
    nowShown(url, id === undefined ? 'all' : listsOf(id))
    readAs()
    for (const one of lists) settled(one)
    say([...lists].map(summary).join('. '))
  } catch (thrown) {
    if (signal.aborted) return
    const message = thrown instanceof Refused ? thrown.message : text('failed')
    const { login } = document.body.dataset
    const signIn = thrown instanceof Refused && thrown.status === 401 && login !== undefined
    const again = () => load(url, { list: list && document.getElementById(list.id), past: 'keep', from: null })
    for (const one of lists) {
      settled(one)
      one.prepend(signIn ? signInTo(login, url) : problem(message, again))
    }
    if (!(thrown instanceof Refused)) throw thrown
  } finally {
    if (!signal.aborted) asked = undefined
  }
}

/** What is on its way is not wanted any more: one has gone back to what is on the page. */
function leave(): void {
  latest?.abort()
  asked = undefined
  for (const one of document.querySelectorAll('.listing')) settled(one)
}

/** What was typed into a filter as one writes in one's language stands in the address as it was read, and as any program reads it. */
function readAs(): void {
  const address = document.querySelector<HTMLElement>('.listing[data-address]')?.dataset.address
  if (address === undefined) return
  history.replaceState(history.state, '', address)
  nowShown(address, [])
}

function listsOf(id: string | undefined): readonly Element[] {
  // All of a page is said to be on its way at its lists, and where it has none at its tabs.
  const all = [...document.querySelectorAll('.listing')]
  return id === undefined ? (all.length > 0 ? all : [...document.querySelectorAll('.tab-set')]) : all.filter((one) => one.id === id)
}

function settled(list: Element): void {
  list.ariaBusy = null
  list.removeAttribute('data-turning')
}

function show(page: Document, id: string | undefined, from: Element | null, same: boolean): void {
  const [main, fresh] = [document.querySelector('main'), page.querySelector('main')]
  if (!main || !fresh?.querySelector('.listing, .tab-set')) throw new Refused(text('failed'), 0)
  const held = main.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null
  const turned = from?.closest('.pager')
  const forms = new Set([...fresh.querySelectorAll('form.section[id]')].map((one) => one.id))
  document.title = page.title
  const widen = keepWidths()
  const select = same ? keepSelection() : null
  morph(
    main,
    fresh,
    (child) =>
      // A form in which somebody writes stays as it is.
      (child.matches('form.section') && forms.has(child.id)) ||
      (id !== undefined && child.id !== id && child.matches('.listing, [data-fragment]') && !child.querySelector(`#${CSS.escape(id)}`)),
  )
  widen()
  select?.()
  swapped(main)
  // A row that has another place now was taken out for a moment.
  if (held?.isConnected) held.focus({ preventScroll: true })
  else if (held) {
    const there = inPlaceOf(held)
    if (there) there.focus()
    else focusList(document.getElementById(id ?? '') ?? document.querySelector('.listing'))
  }
  if (turned) toTop(id)
}

/** What a person would take for the same: by its name. */
function inPlaceOf(gone: Element): HTMLElement | null {
  const name = nameOf(gone)
  const all = document.querySelectorAll<HTMLElement>(`main ${gone.localName}`)
  return name === '' ? null : ([...all].find((one) => nameOf(one) === name && one.checkVisibility()) ?? null)
}

function nameOf({ ariaLabel, textContent }: Element): string {
  return ariaLabel ?? textContent
}

/** Another page of a list is read from its beginning. */
function toTop(id: string | undefined): void {
  const list = id === undefined ? null : document.getElementById(id)
  list?.querySelector('.scroller')?.scrollTo({ top: 0 })
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' })
}

/** What is listed now, in words that stand on the page anyway. */
function summary(list: Element): string {
  return list.querySelector('.empty h2, .pager > span')?.textContent ?? ''
}

// As long as a person may think between two letters of a word.
const pause = 200
let timer = 0
let searching = false
// What was typed and is not searched for yet.
let typed: HTMLInputElement | null = null

function forget(): void {
  clearTimeout(timer)
  typed = null
}

/** Whoever goes on before what was typed is searched for takes it along. */
function withTyped(to: string, list: Element | null): string {
  const box = typed
  forget()
  if (!box || box.closest('.listing') !== list) return to
  const url = new URL(to)
  url.searchParams.set(box.name, box.value)
  if (box.value === '') url.searchParams.delete(box.name)
  for (const place of ['page', 'cursor']) url.searchParams.delete(box.name.replace('search', place))
  return url.href
}

function searchAsTyped(event: InputEvent): void {
  const box = event.target as HTMLInputElement
  const list = box.closest?.('.listing[data-async]')
  if (!list || box.type !== 'search' || !box.form || event.isComposing) return
  forget()
  typed = box
  timer = setTimeout(() => {
    typed = null
    // One search is one step back, however many letters it took.
    load(addressOf(box.form as HTMLFormElement), { list, past: searching ? 'replace' : 'push', from: box })
    searching = true
  }, pause)
  box.addEventListener('blur', () => (searching = false), { once: true })
}

function isHere(url: string): boolean {
  const { origin, pathname } = new URL(url)
  return origin === location.origin && pathname === location.pathname
}

/** What was open to be chosen from has been. */
function closePanels(chosen: Element): void {
  for (const panel of chosen.closest('.listing')?.querySelectorAll<HTMLDetailsElement>('details[open]') ?? []) {
    panel.open = false
    // What is out of sight cannot keep the focus; what opens it again can.
    if (!document.activeElement?.checkVisibility()) panel.querySelector('summary')?.focus()
  }
  chosen.closest<HTMLElement>('[popover]')?.hidePopover()
}
