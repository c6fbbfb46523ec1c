import { on } from './events.js'
import { fetchPage, Refused } from './fetch-page.js'
import { drawnNow, inThisAddress, nowShown } from './page-address.js'
import { problem, text } from './parts.js'
import { swapped, whenShown } from './swapped.js'

/** Loads page fragments: deferred ones on page load, any by its event, and tabs without a page load. */
export function fragments(): void {
  whenShown((root) => {
    for (const { id } of document.querySelectorAll<HTMLElement>('[data-fragment][id]'))
      for (const kind of ['fragment-updated', 'cards-updated']) on(`${kind}-${id}`, 'fragment', () => again(id))
    for (const { id } of document.querySelectorAll<HTMLElement>('[popover][role=dialog]'))
      for (const kind of ['modal-toggled', 'off-canvas-toggled'])
        on(`${kind}-${id}`, 'popover', () => document.getElementById(id)?.togglePopover())
    for (const one of root.querySelectorAll<HTMLElement>('[data-deferred]')) void bring(one)
  })
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('.tab-set > .tabs a')
    const set = link?.closest<HTMLElement>('.tab-set')
    if (!link || !set || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return
    event.preventDefault()
    void turn(set, link)
  })
  // Going back cancels a tab still loading.
  addEventListener('popstate', () => turning?.abort())
}

function again(id: string): void {
  const element = document.getElementById(id)
  if (element) void bring(element)
}

let turning: AbortController | null = null

/** Shows another tab and pushes its URL, so that it can be shared and Back returns. */
async function turn(set: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  const to = inThisAddress(link.href, set)
  turning = new AbortController()
  if (!(await bring(set, loading(to, set), turning))) return
  history.pushState(null, '', to)
  const fresh = document.getElementById(set.id)
  if (fresh) nowShown(to, [fresh])
  document.querySelector<HTMLElement>(`#${CSS.escape(set.id)} > .tabs [aria-current]`)?.focus()
}

function loading(to: string, { id }: Element): string {
  const url = new URL(to)
  url.searchParams.set('_fragment-load', id)
  return url.href
}

/** What the user has opened stays open. */
function keepOpen(element: Element, fresh: Element): void {
  const all = fresh.querySelectorAll('details')
  for (const [index, { open }] of element.querySelectorAll('details').entries()) if (open && all[index]) all[index].open = true
}

const asking = new Map<string, AbortController>()

/** Fetches a fragment and replaces the element; false if that fails or is aborted. */
async function bring(
  element: HTMLElement,
  url = inThisAddress(element.dataset.fragment ?? '', element),
  abort = new AbortController(),
): Promise<boolean> {
  asking.get(element.id)?.abort()
  asking.set(element.id, abort)
  element.ariaBusy = 'true'
  element.querySelector(':scope > .notice.problem-note')?.remove()
  try {
    const made = document.createElement('template')
    made.innerHTML = await fetchPage(url, abort.signal)
    const fresh = made.content.firstElementChild
    if (!fresh) throw new Refused(text('failed'), 0)
    if (abort.signal.aborted) throw new Refused('', 0)
    keepOpen(element, fresh)
    element.replaceWith(fresh)
    drawnNow(fresh)
    swapped(fresh)
    return true
  } catch (thrown) {
    if (abort.signal.aborted) {
      if (asking.get(element.id) === abort) element.ariaBusy = null
      return false
    }
    const note = problem(thrown instanceof Refused ? thrown.message : text('failed'), () => void bring(element, url))
    note.classList.add('problem-note')
    element.ariaBusy = null
    element.dataset.failed = ''
    element.append(note)
    return false
  }
}
