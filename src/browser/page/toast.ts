import { on } from './events.js'
import { focusList } from './focus-list.js'
import { part } from './parts.js'
import { remember, remembered } from './session.js'

/** Toasts: short, passing messages. */
export function toasts(): void {
  addEventListener('click', (event) => {
    const one = (event.target as Element).closest?.('.toast .dismiss')?.closest('.toast')
    if (one) replace(one.parentElement as Element)
  })
  on('toast', 'toast', (detail) => toast(typeof detail === 'string' ? detail : String((detail as { text?: unknown } | null)?.text ?? '')))
  addEventListener('keydown', undone)
  makeWay()
  const [words, tone] = (remembered(later) ?? '').split('\n')
  remember(later, null)
  if (words) toast(words, tone)
}

const later = 'daymark-said'

/** Ctrl Z takes back what the toast says, where it would not take back typing. */
function undone(event: KeyboardEvent): void {
  const button = document.querySelector<HTMLElement>('.toast .undo button')
  const typing = (event.target as Element).matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  if (!button || event.key !== 'z' || !(event.ctrlKey || event.metaKey) || typing || document.querySelector('dialog[open]')) return
  if (!button.checkVisibility({ visibilityProperty: true })) return
  event.preventDefault()
  button.click()
}

/** Shows a toast once the page has been loaded again. */
export function toastLater(words: string, tone = 'success'): void {
  remember(later, `${words.replaceAll('\n', ' ')}\n${tone}`)
}

const tones = ['success', 'info', 'warning', 'error']

/** Shows a toast, with what can be done about it. */
export function toast(words: string, tone = 'success', action?: Node): void {
  const place = document.querySelector('.toasts')
  if (!place || words === '') return
  const one = part(`toast-${tones.includes(tone) ? tone : 'success'}`)
  const span = one.querySelector('span') as HTMLElement
  span.textContent = words
  if (action) span.after(action)
  replace(place, one)
  makeWay()
}

/** The focus would be lost with what it is in. */
function replace(place: Element, ...by: readonly Node[]): void {
  const focused = place.contains(document.activeElement)
  place.replaceChildren(...by)
  if (focused) focusList(null)
}

/** Moves the toast above a list's pager that it would cover. */
function makeWay(): void {
  const place = document.querySelector<HTMLElement>('.toasts:has(> .toast)')
  if (!place) return
  place.style.insetBlockEnd = ''
  const now = place.getBoundingClientRect()
  for (const pager of document.querySelectorAll('.pager')) {
    const { top, bottom } = pager.getBoundingClientRect()
    if (top < now.bottom && bottom > now.top) place.style.insetBlockEnd = `${innerHeight - top + 8}px`
  }
}
