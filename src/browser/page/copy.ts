import { part, text } from './parts.js'
import { toast } from './toast.js'

/** Copies the value of a cell or a detail, by a button that appears on hover, a key by the row's menu, or what a button names. */
export function copying(): void {
  addEventListener('click', (event) => {
    const id = (event.target as Element).closest?.<HTMLElement>('[data-copies]')?.dataset.copies
    const place = id === undefined ? null : document.getElementById(id)
    if (place) copy(place.textContent ?? '', place)
  })
  // A page over plain http has none.
  if (!navigator.clipboard) return
  const button = part('copy')
  addEventListener('mouseover', (event) => {
    const place = (event.target as Element).closest?.('[data-copy]')
    if (place === button.parentElement) return
    if (place && place.querySelector('.none') === null) place.append(button)
    else button.remove()
  })
  button.addEventListener('click', () => copy(textOf(button.parentElement as Element, button)))
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

/** @param place selected if it cannot be copied, for whoever copies it by hand */
async function copy(words: string, place?: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(words)
    toast(text('copied'))
  } catch {
    // The user or the browser has denied access to the clipboard.
    if (place) getSelection()?.selectAllChildren(place)
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
