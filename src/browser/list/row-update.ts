import { on } from '../page/events.js'
import { fetchPage, Refused } from '../page/fetch-page.js'
import { morph } from '../page/morph.js'
import { text } from '../page/parts.js'
import { swapped, whenShown } from '../page/swapped.js'
import { followStored, isUnsent, unsent } from '../page/unsent.js'
import { focusRow } from './focus-row.js'
import { reload } from './list.js'
import { clearNote, rowNote } from './row-note.js'
import { rowsOf } from './rows-of.js'

/** Reloads lists by events that name them, and rows by events that name list and key. */
export function rowUpdates(): void {
  whenShown((root) => {
    for (const list of document.querySelectorAll<HTMLElement>('.listing[data-row]')) {
      const { id } = list
      for (const kind of ['table-updated', 'table-reindex', 'table-row-added'])
        on(`${kind}-${id}`, kind, () => reload(document.getElementById(id)))
      // A single replaced row has its listener already. Those of a board or a calendar are its cards.
      if (!(root instanceof Node && !root.contains(list)))
        for (const row of list.querySelectorAll<HTMLElement>('[data-key]')) listen(id, row.dataset.key as string)
    }
  })
}

// Maps an event's name to its row: list ids and keys may contain hyphens, so the name alone is ambiguous.
const rowOf = new Map<string, Map<string, string>>()

function listen(id: string, key: string): void {
  const name = `table-row-updated-${id}-${key}`
  const known = rowOf.get(name)
  if (known) known.set(id, key)
  else {
    rowOf.set(name, new Map([[id, key]]))
    addEventListener(name, updated)
  }
}

// One listener function for all names, since a page may have ten thousand rows.
function updated({ type }: Event): void {
  for (const [id, key] of rowOf.get(type) ?? []) void refreshRow(id, key)
}

const asked = new Map<string, Promise<void>>()

/** Fetches a row again and updates it in place: once, however many ask for it at the same moment, as a save and the events that it fires. */
export function refreshRow(id: string, key: string): Promise<void> {
  const name = `${id}\n${key}`
  const refreshed = asked.get(name) ?? refresh(id, key)
  asked.set(name, refreshed)
  queueMicrotask(() => asked.delete(name))
  return refreshed
}

const asking = new WeakMap<Element, AbortController>()

async function refresh(id: string, key: string): Promise<void> {
  const list = document.getElementById(id)
  const rows = list ? [...rowsOf(list)] : []
  const number = rows.findIndex((one) => one.dataset.key === key)
  const row = rows[number]
  if (!list || !(row || list.querySelector('.board, .calendar'))) return
  // The numbers below its columns are over all rows, cards have no address, and no row has where controls are plain links.
  if (!row || list.querySelector('.summary') || list.dataset.row === undefined) return reload(list)
  asking.get(row)?.abort()
  const abort = new AbortController()
  asking.set(row, abort)
  row.ariaBusy = 'true'
  try {
    const markup = await fetchPage(rowUrl(list, key, number), abort.signal)
    const fresh = rowIn(markup)
    if (abort.signal.aborted) return
    const picked = row.querySelector<HTMLInputElement>('[name="ids[]"]')?.checked
    if (!row.querySelector(unsent)) clearNote(row)
    const follow = followStored()
    const held = row.contains(document.activeElement)
    morph(row, fresh, isUnsent)
    // What had the focus may be closed by now.
    if (held && !row.contains(document.activeElement)) focusRow(row, { preventScroll: true })
    follow()
    const box = row.querySelector<HTMLInputElement>('[name="ids[]"]')
    if (box && picked) box.checked = true
    swapped(row)
  } catch (thrown) {
    if (abort.signal.aborted) return
    if (thrown instanceof Refused && thrown.status === 404) gone(row)
    else rowNote(row, thrown instanceof Refused ? thrown.message : text('failed'), () => refreshRow(id, key))
  } finally {
    if (!abort.signal.aborted) row.ariaBusy = null
  }
}

function rowUrl(list: HTMLElement, key: string, number: number): string {
  const url = new URL(list.dataset.row as string, location.href)
  // The row must have its list's columns, whatever the address says about them.
  for (const [name, value] of new URLSearchParams(location.search))
    if (name !== 'page' && name !== 'cursor') url.searchParams.append(name, value)
  url.searchParams.set('_key', key)
  url.searchParams.set('_row', String(number))
  return url.href
}

/** @throws Refused if the answer holds no row */
function rowIn(markup: string): HTMLTableRowElement {
  const template = document.createElement('template')
  template.innerHTML = markup
  const row = template.content.querySelector('tr')
  if (!row) throw new Refused(text('failed'), 0)
  return row
}

/** Marks a record that is no longer in the list. Its row stays, so that the rows below keep their numbers. */
function gone(row: HTMLTableRowElement): void {
  clearNote(row)
  const cell = document.createElement('td')
  cell.colSpan = row.cells.length
  cell.textContent = text('gone')
  row.className = 'gone'
  row.replaceChildren(cell)
}
