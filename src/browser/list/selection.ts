import { focusList } from '../page/focus-list.js'
import { text } from '../page/parts.js'
import { say } from '../page/say.js'
import { whenShown } from '../page/swapped.js'

const box = '[name="ids[]"]'
const everyBox = '.bulk [name=_all]'

/** Selects rows singly, by Shift range, all of the page or all that match. The selection survives paging through the same records. */
export function selection(): void {
  let last: HTMLInputElement | null = null
  addEventListener('click', (event) => {
    const one = event.target as HTMLInputElement
    if (!one.matches?.(`.listing ${box}`)) return
    const boxes = boxesOf(one.closest('.listing') as Element)
    const [from, to] = [boxes.indexOf(last as HTMLInputElement), boxes.indexOf(one)].sort((a, b) => a - b) as [number, number]
    if (event.shiftKey && from >= 0) for (const other of boxes.slice(from, to + 1)) other.checked = one.checked
    last = one
  })
  addEventListener('change', (event) => {
    const one = event.target as HTMLInputElement
    const list = one.closest?.('.listing')
    if (!list || !one.matches(`${box}, .pick-all`)) return
    if (one.matches('.pick-all')) for (const other of boxesOf(list)) other.checked = one.checked
    changed(list)
  })
  addEventListener('reset', (event) => {
    const list = (event.target as Element).closest('.listing')
    if (!list) return
    leaveBar(list)
    forgetElsewhere(list)
    // The reset event comes before the boxes are cleared.
    setTimeout(() => changed(list))
  })
  addEventListener('click', (event) => {
    const every = (event.target as Element).closest<HTMLButtonElement>('.bulk .every')
    if (!every) return
    const list = every.closest('.listing') as Element
    for (const one of boxesOf(list)) one.checked = true
    forgetElsewhere(list)
    changed(list, true)
    // The focused button is gone; the text in its place gets the focus.
    const said = list.querySelector<HTMLElement>('.bulk .all')
    if (said) said.tabIndex = -1
    said?.focus()
  })
  whenShown((root) => {
    // On page load, ignore an "all that match" that the browser has restored: it would cover rows that are not on the page.
    for (const list of document.querySelectorAll('.listing:has(.pick-all)')) mark(list, root !== document && isEvery(list))
  })
}

/** Toggles a row's selection, with Shift that of all rows since the last. Returns whether it can be selected. */
export function pick(row: Element, event: MouseEvent | KeyboardEvent): boolean {
  // It bubbles, and has the keys held, as the event that it is made of.
  return !!row.querySelector(box)?.dispatchEvent(new MouseEvent('click', event))
}

/** Clears a list's selection. */
export function pickNone(list: Element): void {
  if (!list.querySelector(`${box}:checked`)) return
  for (const one of boxesOf(list)) one.checked = false
  forgetElsewhere(list)
  changed(list)
}

/** Records the selection before another page of the same records replaces this one. The function it returns restores it. */
export function keepSelection(): () => void {
  const all = [...document.querySelectorAll('.listing:has(.bulk)')].map((list) => {
    const keys = new Set([...list.querySelectorAll<HTMLInputElement>(`${box}:checked`)].map(({ value }) => value))
    const every = isEvery(list)
    forgetElsewhere(list)
    return { id: list.id, keys, every }
  })
  return () => {
    for (const { id, keys, every } of all) {
      const list = document.getElementById(id)
      const bar = list?.querySelector('.bulk')
      if (!list || !bar) continue
      const whole = every ? list.querySelector<HTMLInputElement>(everyBox) : null
      if (whole) whole.checked = true
      for (const one of boxesOf(list)) one.checked = keys.delete(one.value) || whole !== null
      if (!whole && keys.size > 0) bar.append(elsewhere(keys, bar))
    }
  }
}

/** Hidden checkboxes for selected rows of other pages, to be sent along. */
function elsewhere(keys: ReadonlySet<string>, bar: Element): HTMLElement {
  const form = bar.querySelector('[type=reset]')?.getAttribute('form') as string
  const all = document.createElement('span')
  all.hidden = true
  all.className = 'elsewhere'
  for (const value of keys) {
    const one = document.createElement('input')
    Object.assign(one, { type: 'checkbox', name: 'ids[]', value, checked: true })
    one.setAttribute('form', form)
    all.append(one)
  }
  return all
}

function forgetElsewhere(list: Element): void {
  list.querySelector('.bulk .elsewhere')?.remove()
}

/** The checkboxes of this page. */
function boxesOf(list: Element): HTMLInputElement[] {
  return [...list.querySelectorAll<HTMLInputElement>(`.scroller ${box}`)]
}

function countOf(list: Element): number {
  return list.querySelectorAll(`${box}:checked`).length
}

function changed(list: Element, every = false): void {
  mark(list, every)
  say(text('selected', every ? everyOf(list) : countOf(list)))
}

/** Updates the head's checkbox, the count and the "select all" button. */
function mark(list: Element, every: boolean): void {
  const all = boxesOf(list)
  const count = all.filter(({ checked }) => checked).length
  const head = list.querySelector<HTMLInputElement>('.pick-all')
  if (head) {
    head.disabled = all.length === 0
    head.checked = count > 0 && count === all.length
    head.indeterminate = count > 0 && count < all.length
  }
  const inAll = countOf(list)
  if (inAll === 0) leaveBar(list)
  const number = list.querySelector('.bulk .count b')
  if (number) number.textContent = inAll === 0 ? '' : inAll.toLocaleString(document.documentElement.lang)
  bound(list, every ? everyOf(list) : inAll)
  const button = list.querySelector<HTMLElement>('.bulk .every')
  if (!button) return
  button.hidden = every || count < all.length
  const whole = list.querySelector<HTMLInputElement>(everyBox)
  if (whole) whole.checked = every
  const words = list.querySelector('.bulk .count')
  words?.toggleAttribute('data-every', every)
}

/** Disables bulk buttons limited to fewer rows than are selected, and shows the reason. */
function bound(list: Element, count: number): void {
  for (const one of list.querySelectorAll<HTMLButtonElement>('.bulk [data-most]')) {
    const beyond = count > Number(one.dataset.most)
    one.disabled = beyond
    ;(document.getElementById(one.dataset.reason as string) as HTMLElement).hidden = !beyond
  }
}

/** Without a selection the bulk bar hides, so the focus must leave it. */
function leaveBar(list: Element): void {
  if (list.querySelector('.bulk')?.contains(document.activeElement)) focusList(list)
}

function isEvery(list: Element): boolean {
  return list.querySelector<HTMLInputElement>(everyBox)?.checked === true
}

function everyOf(list: Element): number {
  return Number(list.querySelector<HTMLInputElement>('.bulk [name=_total]')?.value)
}
