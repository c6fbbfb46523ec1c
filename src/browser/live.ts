import { type ClientEvent, dispatch } from './events.js'
import { inPlainList, saidBy, text } from './parts.js'
import { clearNote, rowNote, signInNote } from './row-note.js'
import { send } from './send.js'

/** Saves switches in place. Without script their forms do that by a page load; here a refused change is reverted. */
export function liveCells(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.matches('form.live') || !(event.submitter instanceof HTMLButtonElement)) return
    // Events must be dispatched in this page, so it must not be reloaded.
    if (form.dataset.events === undefined && inPlainList(form)) return
    event.preventDefault()
    if (form.ariaBusy !== 'true') save(form, event.submitter)
  })
}

async function save(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const row = form.closest('tr') as HTMLTableRowElement
  const fields = new URLSearchParams([...new FormData(form, button)] as [string, string][])
  const [was, typed] = [fields.get('was') ?? '', button.value]
  clearNote(row)
  form.ariaBusy = 'true'
  put(form, button, typed)
  try {
    const { ok, status, body } = await send('PUT', form.action, fields)
    if (ok) {
      dispatch(JSON.parse(form.dataset.events ?? '[]') as ClientEvent[])
      return
    }
    const now = status === 412 ? textOf(body?.data?.[fields.get('field') ?? '']) : was
    put(form, button, now ?? was)
    if (status === 401) signInNote(row)
    else rowNote(row, status === 412 ? text('stale') : saidBy(body))
  } catch {
    put(form, button, was)
    rowNote(row, text('lost'), () => form.requestSubmit(button))
  } finally {
    form.ariaBusy = null
  }
}

/** Puts a switch into the state for a stored value: what the next press sends, and the value it assumes (`was`). */
function put(form: HTMLFormElement, button: HTMLButtonElement, value: string): void {
  const on = value === '1'
  button.ariaChecked = String(on)
  button.value = on ? '0' : '1'
  const was = form.elements.namedItem('was') as HTMLInputElement
  // The attribute too, as the panel would render it, so that morphing finds no difference.
  was.setAttribute('value', value)
}

function textOf(value: unknown): string | null {
  return value === true ? '1' : value === false ? '0' : null
}
