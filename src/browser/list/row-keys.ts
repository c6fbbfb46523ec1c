import { focusOn } from '../page/focus-on.js'
import { whenShown } from '../page/swapped.js'
import { focusRow } from './focus-row.js'
import { rowsOf } from './rows-of.js'
import { pick, pickNone } from './selection.js'

/** Rows by mouse and keyboard: click or Enter does what the list declares, arrows move, Space selects, `/` focuses the search. */
export function rowKeys(): void {
  // Roving tabindex: one row of a list is a Tab stop, and arrows move from there.
  whenShown(() => {
    for (const list of document.querySelectorAll('.listing')) {
      const first = rowsOf(list)[0]
      if (first && !list.querySelector('tbody > tr[tabindex="0"]')) first.tabIndex = 0
    }
  })
  // By the time of the click, what was open is closed.
  addEventListener('pointerdown', ({ target }) => {
    closing = [...document.querySelectorAll(opened)].some((one) => !one.contains(target as Node))
  })
  addEventListener('click', clicked)
  addEventListener('auxclick', (event) => event.button === 1 && clicked(event))
  addEventListener('keydown', pressed)
  // The browser leaves what is partly below a pinned cell where it is.
  addEventListener('focusin', ({ target }) => {
    const one = target as Element
    if (one.matches('.scroller td:not(.move, .pick, .act) :focus-visible')) one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
}

// What a click beside it closes.
const opened = '[popover]:popover-open:not([popover=manual]), .filter[open]'
let closing = false

function clicked(event: MouseEvent): void {
  const target = event.target as Element
  const row = rowAt(target)
  // The first click only closes, else it would lose what was typed there. A key or a script that clicks has no pointer (detail: 0).
  if (row && closing && event.detail > 0 && !target.closest('[popover]')) {
    if (target.closest('a:not(.act a)')) event.preventDefault()
    return
  }
  if (!row || event.defaultPrevented || target.closest('a, button, input, label, select, textarea, summary, form, .pick, .act, [popover]'))
    return
  // The user is selecting text.
  if (getSelection()?.isCollapsed === false) return
  act(row, event)
}

/** Does what the list declares for a click on a row: with Ctrl, ⌘ or the middle button, in a new tab. */
function act(row: HTMLTableRowElement, event: MouseEvent | KeyboardEvent): boolean {
  const { href } = row.dataset
  if (actionOf(row) === 'SELECT') pick(row, event)
  else if (href === undefined) return false
  else if (event.metaKey || event.ctrlKey || (event as MouseEvent).button) open(href, '_blank', 'noopener')
  else location.assign(href)
  return true
}

function pressed(event: KeyboardEvent): void {
  const target = event.target as HTMLElement
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  // In a control of a row it takes back what was typed.
  if (event.key === 'Escape' && !target.closest('form.typed')) escaped(target)
  const typing = target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
    const box = (target.closest('.listing') ?? document).querySelector<HTMLInputElement>('.search input')
    if (!box || document.querySelector('dialog:modal')) return
    event.preventDefault()
    focusOn(box)
    return
  }
  const row = rowAt(target)
  if (!row || typing || target.closest('[popover]')) return
  if (keysOfRow(event, row, target === row)) event.preventDefault()
}

/** Returns whether the key was handled. */
function keysOfRow(event: KeyboardEvent, row: HTMLTableRowElement, itself: boolean): boolean {
  const { key } = event
  if (key === 'ArrowDown' || key === 'ArrowUp') return move(row, key === 'ArrowDown' ? 1 : -1)
  // Controls in the row have keys of their own.
  if (!itself) return false
  if (key === 'Home' || key === 'End') return move(row, key === 'End' ? Infinity : -Infinity)
  if (key === ' ') return pick(row, event)
  if (key !== 'Enter') return false
  if (act(row, event)) return true
  row.querySelector<HTMLElement>('.label a')?.click()
  return true
}

function move(row: HTMLTableRowElement, by: number): boolean {
  const rows = [...rowsOf(row.closest('.listing') as Element)]
  const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by))]
  if (!next) return false
  focusRow(next)
  return true
}

/** Escape closes an open panel, else clears the selection. Menus and dialogs close by themselves. */
function escaped(target: HTMLElement): void {
  const panel = target.closest('.listing')?.querySelector<HTMLDetailsElement>('details[open]')
  if (panel) {
    panel.open = false
    panel.querySelector('summary')?.focus()
    return
  }
  if (document.querySelector(':popover-open, dialog:modal')) return
  for (const list of document.querySelectorAll('.listing')) pickNone(list)
}

function rowAt(target: Element): HTMLTableRowElement | null {
  return target.closest?.<HTMLTableRowElement>('.listing tbody > tr[data-key]') ?? null
}

function actionOf(row: Element): string | undefined {
  return row.closest<HTMLElement>('.listing')?.dataset.click
}
