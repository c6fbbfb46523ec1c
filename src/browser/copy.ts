import { part, text } from './parts.js'
import { toast } from './toast.js'

/** Copies the value of a cell or a detail, by a button that appears on hover, a key by the row's menu, or what a button names. */
export function copying(): void {
  if (!navigator.clipboard) return
  const button = part('copy')
  addEventListener('mouseover', (event) => {
    const place = (event.target as Element).closest?.('[data-copy]')
    if (place === button.parentElement) return
    if (place && place.querySelector('.none') === null) place.append(button)
    else button.remove()
  })
  button.addEventListener('click', () => copy(textOf(button.parentElement as Element, button)))
  addEventListener('click', (event) => {
    const id = (event.target as Element).closest<HTMLElement>('[data-copies]')?.dataset.copies
    if (id !== undefined) copy(textOf(document.getElementById(id) as Element, button))
  })
  addEventListener(
    'beforetoggle',
    (event) => {
      const menu = event.target as HTMLElement
      const key = menu.closest<HTMLElement>('tr[data-key]')?.dataset.key
      if (key === undefined || (event as ToggleEvent).newState !== 'open' || menu.querySelector('.copy-key')) return
      const item = part('copy-key')
      item.addEventListener('click', () => {
        copy(key)
        menu.hidePopover()
      })
      const line = menu.querySelector('hr')
      if (line) line.before(item)
      else menu.append(item)
    },
    true,
  )
}

async function copy(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words)
    toast(text('copied'))
  } catch {
    // The user or the browser has denied access to the clipboard.
    toast(text('failed'), 'error')
  }
}

function textOf(place: Element, button: Element): string {
  return [...place.childNodes]
    .filter((one) => one !== button)
    .map((one) => one.textContent)
    .join('')
    .trim()
}
