import { on } from './events.js'
import { part } from './parts.js'

/** Good news, said in passing. */
export function toasts(): void {
  addEventListener('click', (event) => (event.target as Element).closest?.('.toast .dismiss')?.closest('.toast')?.remove())
  on('toast', 'toast', (detail) => toast(typeof detail === 'string' ? detail : String((detail as { text?: unknown } | null)?.text ?? '')))
}

/** Says something in passing. */
export function toast(words: string, tone = 'success'): void {
  const place = document.querySelector('.toasts')
  if (!place || words === '') return
  const one = part('toast')
  const span = one.querySelector('span') as HTMLElement
  span.textContent = words
  if (tone !== 'success') one.classList.add(tone)
  place.replaceChildren(one)
}
