import { fetchPage, parse } from '../page/fetch-page.js'
import { text } from '../page/parts.js'
import { addressOf } from './form-address.js'

// The debounce: as long as people pause between two digits of a number.
const pause = 200
let timer = 0
let asking: AbortController | null = null

/** Shows on the button below the filters how many records they match. */
export function filterCount(): void {
  for (const kind of ['input', 'change', 'toggle']) addEventListener(kind, ({ target }) => changed(target as Element), true)
}

function changed(target: Element): void {
  const form = target.closest?.<HTMLFormElement>('form.tools')
  const label = form?.querySelector<HTMLElement>('[data-counts] .text')
  if (!form || !label?.checkVisibility()) return
  clearTimeout(timer)
  timer = setTimeout(() => void count(form, label), pause)
}

async function count(form: HTMLFormElement, label: HTMLElement): Promise<void> {
  asking?.abort()
  asking = new AbortController()
  const { signal } = asking
  const url = new URL(addressOf(form), location.href)
  url.searchParams.set('perPage', '1')
  let words = text('show')
  try {
    // Fetches the page itself, which interprets the typed values as it will on submit. If it ignores some, no count is shown.
    const page = parse(await fetchPage(url.href, signal))
    const total = page.querySelector('.heading .total')?.textContent ?? ''
    if (total !== '' && !page.querySelector('main > .notice')) words = text('showCount', total)
  } catch {
    // The button just has no count.
  }
  if (!signal.aborted) label.textContent = words
}
