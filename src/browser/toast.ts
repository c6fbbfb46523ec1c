import { on } from './events.js'
import { part } from './parts.js'
import { remember, remembered } from './session.js'

/** Toasts: short, passing messages. */
export function toasts(): void {
  addEventListener('click', (event) => (event.target as Element).closest?.('.toast .dismiss')?.closest('.toast')?.remove())
  on('toast', 'toast', (detail) => toast(typeof detail === 'string' ? detail : String((detail as { text?: unknown } | null)?.text ?? '')))
  makeWay()
  const [words, tone] = (remembered(later) ?? '').split('\n')
  remember(later, null)
  if (words) toast(words, tone)
}

const later = 'daymark-said'

/** Shows a toast once the page has been loaded again. */
export function toastLater(words: string, tone = 'success'): void {
  remember(later, `${words.replaceAll('\n', ' ')}\n${tone}`)
}

const tones = ['success', 'info', 'warning', 'error']

/** Shows a toast. */
export function toast(words: string, tone = 'success'): void {
  const place = document.querySelector('.toasts')
  if (!place || words === '') return
  const one = part(`toast-${tones.includes(tone) ? tone : 'success'}`)
  const span = one.querySelector('span') as HTMLElement
  span.textContent = words
  place.replaceChildren(one)
  makeWay()
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
