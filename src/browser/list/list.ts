import { fetchPage, parse, Refused } from '../page/fetch-page.js'
import { focusList } from '../page/focus-list.js'
import { focusOn } from '../page/focus-on.js'
import { morph } from '../page/morph.js'
import { hasSameRecords, inThisAddress, isShown, nowShown, shownAddress } from '../page/page-address.js'
import { problem, text } from '../page/parts.js'
import { say } from '../page/say.js'
import { signInTo } from '../page/signed-out.js'
import { swapped } from '../page/swapped.js'
import { followStored, isUnsent, keepNotes } from '../page/unsent.js'
import { keepWidths } from './column-widths.js'
import { addressOf } from './form-address.js'
import { findPlace, keepPlace } from './list-place.js'
import { keepSelection } from './selection.js'

// What changes with the address, without a page load.
const parts = '.listing[data-async], .tab-set, .page-filters'
// Where links and forms of this page lead to the same page with other things on it.
const places = ':is(.listing[data-async], .page-filters)'

type Past = 'push' | 'replace' | 'keep'

/** Sorts, filters, searches and pages lists without a page load. The URL is the one a page load would have. */
export function asyncLists(): void {
  // A tab set counts, since a list may come with another of its tabs.
  if (!document.querySelector(parts)) return
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>(`${places} a[href]`)
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
    if (!form.closest?.(places) || event.defaultPrevented || form.method !== 'get' || !isHere(form.action)) return
    event.preventDefault()
    forget()
    closePanels(event.submitter ?? form)
    load(addressOf(form), { list: form.closest('.listing'), past: 'push', from: event.submitter ?? document.activeElement })
  })
  addEventListener('change', ({ target }) => {
    const control = target as HTMLInputElement
    // What is only chosen among, and alone. A sheet, and what is behind "More", is applied as a whole.
    const isFilter =
      control.matches?.('.listing[data-async] .filters :is(select, [type=checkbox])') && matchMedia('(width >= 640px)').matches
    if (!isFilter && !control.matches?.('.page-filters select')) return
    forget()
    load(addressOf(control.form as HTMLFormElement), { list: control.closest('.listing'), past: 'push', from: control })
  })
  // An input method says at the end of a composition what has been typed; an input event need not follow.
  for (const kind of ['input', 'compositionend']) addEventListener(kind, searchAsTyped)
  for (const kind of ['input', 'change', 'submit']) addEventListener(kind, ({ target }) => touched.add(target as Element), true)
  addEventListener('popstate', () => {
    forget()
    // What is typed from here on is another search, with a history entry of its own.
    searching = false
    if (isShown()) {
      leave()
      unsearch()
    } else {
      keepPlace()
      load(location.href, { list: null, past: 'keep', from: null }).then(() => {
        findPlace(false)
        unsearch()
      })
    }
  })
  addEventListener('pagehide', () => latest?.abort())
  readAs()
}

/** Fetches a list again as it is. */
export function reload(list: Element | null): Promise<void> {
  return load(location.href, { list, past: 'keep', from: null })
}

interface Way {
  /** The only list that changes; null: the whole page. */
  readonly list: Element | null
  readonly past: Past
  /** The element that caused it: it, or its replacement, keeps the focus. */
  readonly from: Element | null
}

let latest: AbortController | null = null
/** The id of the list being loaded; null: the whole page; undefined: nothing is loading. */
let asked: string | null | undefined
/** What the user has changed since the list was asked for, which the answer knows nothing of. */
let touched = new Set<Element>()

async function load(to: string, { list, past, from }: Way): Promise<void> {
  // A newer request aborts the previous one. If that was for another list, this one loads the whole page, and so both.
  const isOther = asked !== undefined && asked !== (list?.id ?? null)
  const url = past === 'keep' ? to : list ? inThisAddress(to, list) : from ? onFirstPages(inThisAddress(to, from)) : to
  const id = isOther ? undefined : list?.id
  latest?.abort()
  latest = new AbortController()
  const { signal } = latest
  asked = id ?? null
  // A list that comes again as it is leaves filters as they are being filled in. A switch being saved may be answered for as it was.
  const filling = past === 'keep' && list ? [...touched].filter((one) => one.closest('form.tools')) : []
  touched = new Set([...filling, ...document.querySelectorAll('form.live[aria-busy=true]')])
  if (past === 'push') {
    keepPlace()
    history.pushState(null, '', url)
  } else if (past === 'replace') history.replaceState(null, '', url)
  const lists = listsOf(id)
  for (const one of lists) {
    one.ariaBusy = 'true'
    // Going to other records: the stylesheet shows so if it takes long.
    one.toggleAttribute('data-turning', past !== 'keep')
    one.querySelector(':scope > .notice')?.remove()
  }
  try {
    const page = parse(await fetchPage(url, signal))
    if (signal.aborted) return
    show(page, id, from, hasSameRecords(shownAddress(), url))
    nowShown(url, id === undefined ? 'all' : listsOf(id))
    readAs()
    for (const one of lists) {
      settled(one)
      if (past === 'push') openWrong(one)
    }
    say([...lists].map(summary).filter(Boolean).join('. '))
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

/** Other records have other pages. */
function onFirstPages(to: string): string {
  const url = new URL(to)
  for (const name of [...url.searchParams.keys()]) if (/\[(page|cursor)\]$/.test(name)) url.searchParams.delete(name)
  return url.href
}

/** Aborts loading: the user has gone back to what the page shows. */
function leave(): void {
  latest?.abort()
  asked = undefined
  for (const one of document.querySelectorAll('.listing')) settled(one)
}

/** Puts the normalized address into the address bar: filter values typed in the user's language as any program reads them. */
function readAs(): void {
  const address = document.querySelector<HTMLElement>('.listing[data-address]')?.dataset.address
  if (address === undefined) return
  history.replaceState(history.state, '', address)
  nowShown(address, [])
}

function listsOf(id: string | undefined): readonly Element[] {
  // When the whole page loads, its lists show that they are busy; without lists, its tabs do.
  const all = [...document.querySelectorAll(id === undefined ? '.page-filters, .listing' : '.listing')]
  return id === undefined ? (all.length > 0 ? all : [...document.querySelectorAll('.tab-set')]) : all.filter((one) => one.id === id)
}

function settled(list: Element): void {
  list.ariaBusy = null
  list.removeAttribute('data-turning')
}

function show(page: Document, id: string | undefined, from: Element | null, same: boolean): void {
  const [main, fresh] = [document.querySelector('main'), page.querySelector('main')]
  if (!main || !fresh?.querySelector('.listing, .tab-set, .page-filters')) throw new Refused(text('failed'), 0)
  const held = main.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null
  const own = id ?? held?.closest('.listing')?.id ?? ''
  const turned = from?.closest('.pager')
  const next = held && nextTo(held)
  const forms = new Set([...fresh.querySelectorAll('form.section[id]')].map((one) => one.id))
  document.title = page.title
  const widen = keepWidths()
  const select = same ? keepSelection() : null
  // In another column, what is typed would be another field's.
  const sameColumns = columnsOf(main, id) === columnsOf(fresh, id)
  const putNotes = sameColumns ? keepNotes(main) : null
  // What is being saved is saved without its form.
  if (!sameColumns) for (const one of main.querySelectorAll(`${within(id)} form.typed`)) one.remove()
  const follow = followStored()
  morph(
    main,
    fresh,
    (child) =>
      // A form may have unsaved input, so it stays as it is.
      (child.matches('form.section') && forms.has(child.id)) ||
      isTouched(child) ||
      (sameColumns && isUnsent(child)) ||
      (id !== undefined && child.id !== id && child.matches('.listing, [data-fragment]') && !child.querySelector(`#${CSS.escape(id)}`)),
  )
  follow()
  putNotes?.()
  widen()
  select?.()
  swapped(main)
  // Moving a row in the DOM blurs it.
  if (held?.isConnected) held.focus({ preventScroll: true })
  else if (held) {
    const there = inPlaceOf(held) ?? next?.()
    if (there) there.focus()
    else focusList(document.getElementById(own) ?? document.querySelector('.listing'))
  }
  if (turned) toTop(id)
}

/** Opens the panel of a filter again whose value could not be read, to be corrected. */
function openWrong(list: Element): void {
  const control = list.querySelector<HTMLElement>(':is(form.tools, .filter) [aria-invalid=true]')
  if (!control) return
  const panels = [control.closest('details'), list.querySelector<HTMLDetailsElement>('.more')]
  for (const panel of panels) if (panel && !control.checkVisibility()) panel.open = true
  focusOn(control)
}

const within = (id: string | undefined) => (id === undefined ? '.listing' : `#${CSS.escape(id)}`)

/** What the columns of a list are called: without the place in the order, which follows the label. */
const columnsOf = (main: Element, id: string | undefined) =>
  [...main.querySelectorAll(`${within(id)} thead th`)].map((one) => (one.querySelector('a')?.firstChild ?? one).textContent).join()

/** Whether a filter, an option or a switch is as the user has just put it, or a relation is being chosen. */
function isTouched(child: Element): boolean {
  if (touched.has(child)) return child.closest('form.tools, .menu.options, form.live') !== null
  return child.matches('.relation') && [...touched].some((one) => child.contains(one))
}

/** The replacement of a removed element: the visible one with the same name. */
function inPlaceOf(gone: Element): HTMLElement | null {
  const name = nameOf(gone)
  // In a list of all rows, what opens a menu comes as a link.
  const all = document.querySelectorAll<HTMLElement>(`main :is(${gone.localName}${gone.matches('.dots') ? ', a.dots' : ''})`)
  return name === '' ? null : ([...all].find((one) => nameOf(one) === name && one.checkVisibility()) ?? null)
}

/** Finds what has come where a row, or the chip of a filter, was removed with what had the focus: the next one or the last takes it. */
function nextTo(held: Element): () => HTMLElement | null | undefined {
  const gone = held.closest('.listing :is(tr[data-key], .chip)')
  const list = gone?.closest('.listing')
  const all = () => [...(list?.querySelectorAll(`${gone?.localName}:is([data-key], .chip)`) ?? [])]
  const at = all().indexOf(gone as Element)
  return () =>
    all()
      .slice(0, at + 1)
      .at(-1)
      ?.querySelector<HTMLElement>('.dots, .chip a')
}

function nameOf({ ariaLabel, textContent }: Element): string {
  return ariaLabel ?? textContent
}

/** Scrolls to the start of a list after a page turn. */
function toTop(id: string | undefined): void {
  const list = id === undefined ? null : document.getElementById(id)
  list?.querySelector('.scroller')?.scrollTo({ top: 0 })
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: 'start' })
}

/** Announces the list's contents in words that the page shows anyway. */
function summary(list: Element): string {
  return list.querySelector(':scope > .days, .empty h2, .pager > span')?.textContent ?? ''
}

// The debounce: as long as people pause between two letters of a word.
const pause = 200
let timer = 0
let searching = false
// The search box with text not searched for yet.
let typed: HTMLInputElement | null = null

function forget(): void {
  clearTimeout(timer)
  typed = null
}

/** Puts into the focused search box, which morphing leaves alone, what its list is searched for, unless someone is typing. */
function unsearch(): void {
  const box = document.activeElement
  if (box instanceof HTMLInputElement && box.matches('.listing .search input') && box !== typed && isShown()) box.value = box.defaultValue
}

/** Adds text typed into the search box, but not searched for yet, to an address the user goes on to. */
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

function searchAsTyped(event: Event): void {
  const box = event.target as HTMLInputElement
  const list = box.closest?.('.listing[data-async]')
  if (!list || box.type !== 'search' || !box.form) return
  forget()
  typed = box
  if ((event as InputEvent).isComposing) return
  timer = setTimeout(() => {
    typed = null
    // One search is one history entry, however many requests it took.
    load(addressOf(box.form as HTMLFormElement), { list, past: searching ? 'replace' : 'push', from: box })
    searching = true
  }, pause)
  box.addEventListener('blur', () => (searching = false), { once: true })
}

/** Whether a URL is of this page. To a place on it the browser goes itself. */
function isHere(url: string): boolean {
  const { origin, pathname, hash } = new URL(url)
  return hash === '' && origin === location.origin && pathname === location.pathname
}

/** Closes the panels in which something was chosen. */
function closePanels(chosen: Element): void {
  for (const panel of chosen.closest('.listing, .page-filters')?.querySelectorAll<HTMLDetailsElement>('details[open]') ?? []) {
    panel.open = false
    // A hidden element cannot keep the focus; the summary that opens it can.
    if (!document.activeElement?.checkVisibility()) panel.querySelector('summary')?.focus()
  }
  chosen.closest<HTMLElement>('[popover]')?.hidePopover()
}
