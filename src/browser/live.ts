import { type ClientEvent, dispatch } from './events.js'
import { inPlainList, saidBy, text } from './parts.js'
import { clearNote, rowNote, signInNote } from './row-note.js'
import { send } from './send.js'

/** Values that are saved where they stand. The form does it without script; here it is sent on its own, and put back where it is refused. */
export function liveCells(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.matches('form.live') || !(event.submitter instanceof HTMLButtonElement)) return
    // What is to happen afterwards happens in this page, which is not loaded again for it.
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

/** A switch as it is when this value is stored: what a press of it means next, and what it takes for granted then. */
function put(form: HTMLFormElement, button: HTMLButtonElement, value: string): void {
  const on = value === '1'
  button.ariaChecked = String(on)
  button.value = on ? '0' : '1'
  const was = form.elements.namedItem('was') as HTMLInputElement
  // As the page would have it: the markup is what the panel would send.
  was.setAttribute('value', value)
}

function textOf(value: unknown): string | null {
  return value === true ? '1' : value === false ? '0' : null
}
