// Offers to put back the value that was just changed in a row, or by moving a card. Lists where that can be done load it, beside the page's
// script.
import { type ClientEvent, dispatch } from './page/events.js'
import { focusList } from './page/focus-list.js'
import { saidBy, text } from './page/parts.js'
import type { SavedValue } from './page/saved.js'
import { send } from './page/send.js'
import { toast } from './page/toast.js'

addEventListener('daymark-saved', (event) => {
  const saved = (event as CustomEvent<SavedValue>).detail
  if (leadsBack(saved)) offer(saved, saved.message, 'success')
})

function offer(saved: SavedValue, words: string, tone: string): HTMLButtonElement {
  const place = document.createElement('span')
  const button = document.createElement('button')
  place.className = 'undo'
  button.className = 'button'
  button.textContent = text('undo')
  button.setAttribute('aria-keyshortcuts', 'Control+Z Meta+Z')
  button.addEventListener('click', () => {
    button.disabled = true
    void undo(saved, button.matches(':focus'))
  })
  place.append(button)
  toast(words, tone, place)
  return button
}

/** Sends the value before, as the change was sent: whoever has changed it since is not overwritten. */
async function undo(saved: SavedValue, focused: boolean): Promise<void> {
  const { url, fields, events, list, key } = saved
  const back = new URLSearchParams(fields)
  back.set('value', fields.get('was') as string)
  back.set('was', fields.get('value') as string)
  // Without an answer, or if the server failed, it can be tried again.
  const again = (words: string) => {
    const button = offer(saved, words, 'error')
    if (focused) button.focus()
  }
  try {
    const { ok, status, body } = await send('PUT', url, back)
    if (status >= 500) return again(saidBy(body))
    const row = `table-row-updated-${list}-${key}`
    const declared: ClientEvent[] = ok ? JSON.parse(events ?? '[]') : []
    if (ok || status === 412) dispatch([...new Set([...declared, row])])
    // Else it would be lost with the button.
    if (focused) focusList(document.getElementById(list as string))
    if (ok) toast(body.message)
    else toast(status === 412 ? text('stale') : saidBy(body), 'error')
  } catch {
    again(text('lost'))
  }
}

/** Whether the value has changed, and may be put back as far as the list shows: what is in it no more may be. */
function leadsBack({ fields, list, key }: SavedValue): boolean {
  const [name, was] = [fields.get('field'), fields.get('was') as string]
  const shown = document.getElementById(list ?? '')
  if (!shown?.matches('[data-row]') || was === fields.get('value')) return false
  const one = shown.querySelector<HTMLElement>(`:is(tbody > tr, li)[data-key="${CSS.escape(key ?? '')}"]`)
  if (!one) return true
  if (one.matches('li')) {
    const { leads } = one.closest<HTMLElement>('.column')?.dataset ?? {}
    const isMoved = one.dataset.move !== undefined && one.dataset.was !== was
    return isMoved && (leads === undefined || JSON.parse(leads).includes(was))
  }
  const valueIn = (form: HTMLFormElement, called: string) => form.elements.namedItem(called) as HTMLInputElement
  const form = [...one.querySelectorAll<HTMLFormElement>('form.live')].find((other) => valueIn(other, 'field').value === name)
  if (!form || valueIn(form, 'was').value === was) return false
  const control = valueIn(form, 'value') as HTMLInputElement | HTMLSelectElement
  return control instanceof HTMLSelectElement ? [...control.options].some(({ value }) => value === was) : was !== '' || !control.required
}
