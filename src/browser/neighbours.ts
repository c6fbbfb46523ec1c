// Leads from a record to the one before and after it in the list, as that was left in this tab. Pages of records load it, beside the page's
// script.
import { keepQuery, keepRows, type ListRows, rememberRows, rowsAround } from './list/list-rows.js'

const nav = () => document.querySelector<HTMLElement>('.neighbours')
const link = (rel: 'prev' | 'next') => nav()?.querySelector<HTMLAnchorElement>(`[rel=${rel}]`)

/** Shows the links to what is there; of a record that is not among the rows, none. */
function show(): void {
  const one = nav()
  if (!one?.hidden) return
  const left = around()
  const at = left?.rows.indexOf(location.pathname) ?? -1
  if (!left || at < 0) return
  // Beyond the page of the list, the next page of it knows.
  aim('prev', left.rows[at - 1] ?? left.prev)
  aim('next', left.rows[at + 1] ?? left.next)
  one.hidden = false
}

/** Where the browser went back to, the rows that this record was shown among: the list may be at another of its pages by now. */
function around(): ListRows | null {
  const left = rowsAround(location.pathname)
  if (left?.rows.includes(location.pathname)) {
    history.replaceState({ ...history.state, around: left }, '')
    return left
  }
  const before: ListRows | null = history.state?.around ?? null
  if (before) rememberRows(before)
  return before
}

function aim(rel: 'prev' | 'next', to: string | null): void {
  const one = link(rel)
  if (!one) return
  if (to !== null) one.href = to
  else one.removeAttribute('href')
  // Without an address it is no link by itself, and could have no name.
  one.role = to === null ? 'link' : null
  one.ariaDisabled = to === null ? 'true' : null
}

/** Goes to the first or last record of a page of the list, or if it cannot be fetched to that page. */
async function turn(rel: 'prev' | 'next', address: string): Promise<void> {
  let to: string | undefined
  const left = rowsAround(location.pathname)?.rows ?? []
  try {
    const response = await fetch(address, { headers: { accept: 'text/html' } })
    const found = keepRows(new DOMParser().parseFromString(await response.text(), 'text/html'))?.rows ?? []
    // A list that has grown meanwhile begins its next page with rows of this one.
    const rows = found.filter((row) => !left.includes(row))
    to = rows.at(rel === 'next' ? 0 : -1)
  } catch {
    // The page of the list says what is wrong.
  }
  // The breadcrumb leads to that page of the list then.
  if (to) keepQuery(address)
  location.assign(to ?? address)
}

addEventListener('click', (event) => {
  const one = (event.target as Element).closest?.<HTMLAnchorElement>('.neighbours a[href]')
  // In another tab, the list is as it is.
  if (!one || rowsAround(location.pathname)?.rows.includes(one.pathname) || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  turn(one.rel as 'prev' | 'next', one.href).catch(reportError)
})
addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open], :popover-open'))
    return
  if ((target as Element).matches('input, textarea, select, [contenteditable]')) return
  if (key === 'j' || key === 'k') link(key === 'j' ? 'next' : 'prev')?.click()
})
show()
// A refresh of the page hides them again.
new MutationObserver(show).observe(document.querySelector('main') as Element, {
  subtree: true,
  childList: true,
  attributeFilter: ['hidden'],
})
