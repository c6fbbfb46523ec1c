import { type ClientEvent, dispatch } from '../page/events.js'
import { fieldsOf } from '../page/fields-of.js'
import { isHalf } from '../page/half-typed.js'
import { inPlainList, saidBy, text } from '../page/parts.js'
import { saving } from '../page/saved.js'
import { type Answer, send } from '../page/send.js'
import { isUnsent, unsent } from '../page/unsent.js'
import { clearNote, rowNote, signInNote } from './row-note.js'
import { refreshRow } from './row-update.js'

/** Saves values in cells. Without script their forms do that by a page load; here a switch that is refused is put back. */
export function liveCells(): void {
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    // Events must be dispatched in this page, so it must not be reloaded.
    if (!form.matches('form.live') || (form.dataset.events === undefined && inPlainList(form))) return
    event.preventDefault()
    if (form.matches('.typed')) saveTyped(form)
    else if (form.ariaBusy !== 'true') saveSwitch(form, event.submitter as HTMLButtonElement)
  })
  addEventListener('input', ({ target }) => {
    const form = typedAt(target)
    // What was shown when somebody began to type: they have seen that, whatever is stored by now.
    if (form) form.dataset.seen ??= wasOf(form).value
  })
  let isKey = false
  let late: HTMLFormElement | null = null
  addEventListener('pointerdown', () => {
    isKey = false
  })
  addEventListener('change', ({ target }) => {
    if (isHalf(target as Element)) return
    const form = typedAt(target)
    // With each key that is typed, a date or a time is another one. It is saved once it is entered or left.
    if (isKey && /date|time/.test((target as HTMLInputElement).type)) late = form
    else form?.requestSubmit()
  })
  // What is typed and taken back fires no change.
  addEventListener('focusout', ({ target }) => {
    const form = typedAt(target)
    if (!form) return
    const control = controlOf(form)
    if (late === form && !isHalf(control)) {
      late = null
      return form.requestSubmit()
    }
    if (form.ariaBusy === 'true') return
    if (isHalf(control)) {
      control.ariaInvalid = 'true'
      rowNote(rowOf(form), control.validationMessage)
    } else if (control.value === wasOf(form).value) forget(form)
  })
  addEventListener('keydown', ({ key, target }) => {
    isKey = true
    const form = key === 'Escape' && typedAt(target)
    // What is being saved can no longer be taken back.
    if (form && form.ariaBusy !== 'true') putBack(form)
  })
}

/** Shows what is stored, and forgets what was said of anything else. */
function putBack(form: HTMLFormElement): void {
  controlOf(form).value = wasOf(form).value
  forget(form)
}

function forget(form: HTMLFormElement): void {
  // The note of a row may be about what another form, or none any more, holds.
  const had = isUnsent(form)
  delete form.dataset.seen
  controlOf(form).ariaInvalid = null
  // A save may have taken the row out of the list, or the form out of the row.
  const row = form.closest('tr')
  if (had && row && !row.querySelector(unsent)) clearNote(row)
}

/** The form of a control that saves what is typed or chosen. */
function typedAt(target: EventTarget | null): HTMLFormElement | null {
  return (target as Element).closest?.<HTMLFormElement>('form.typed') ?? null
}

const named = <T>(form: HTMLFormElement, name: string) => form.elements.namedItem(name) as T
const controlOf = (form: HTMLFormElement) => named<HTMLInputElement>(form, 'value')
const wasOf = (form: HTMLFormElement) => named<HTMLInputElement>(form, 'was')
const rowOf = (form: HTMLFormElement) => form.closest('tr') as HTMLTableRowElement

/** What is being saved, by form, and the forms that were to save something else meanwhile. */
const sent = new WeakMap<HTMLFormElement, string>()
const again = new WeakSet<HTMLFormElement>()

/** Saves what was typed. It stays while it is wrong or cannot be sent. */
async function saveTyped(form: HTMLFormElement): Promise<void> {
  const control = controlOf(form)
  const { value } = control
  if (form.ariaBusy === 'true') {
    // Enter says so twice: by a change, and by sending the form.
    if (sent.get(form) !== value) again.add(form)
    return
  }
  if (value === wasOf(form).value) return forget(form)
  control.ariaInvalid = null
  sent.set(form, value)
  const row = rowOf(form)
  await save(form, null, async ({ ok, status, body }) => {
    const typed = control.value
    const words = (control as unknown as HTMLSelectElement).selectedOptions?.[0]?.text ?? typed
    if (ok) {
      wasOf(form).value = value
      // Until its row comes again, if it does.
      const as = form.querySelector('.as')
      if (as) as.textContent = words
    }
    if (ok || status === 412) {
      delete form.dataset.seen
      // What came after it was meant for another value.
      if (status === 412) again.delete(form)
      await refreshed(row)
      const isTyping = form.dataset.seen !== undefined
      if (status === 412 || (typed === value && !isTyping)) putBack(form)
      else {
        // What has been typed meanwhile was begun with what is stored now.
        if (!isTyping && document.activeElement !== control) control.value = typed
        form.dataset.seen = wasOf(form).value
      }
    }
    if (ok) return
    control.ariaInvalid = status === 412 ? null : 'true'
    rowNote(row, status === 412 ? `${text('stale')}. ${text('typed', words)}` : saidBy(body))
  })
  if (form.ariaBusy !== 'true' && again.delete(form) && form.isConnected) saveTyped(form)
}

async function saveSwitch(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const was = wasOf(form).value
  const { value } = button
  const row = rowOf(form)
  const answered = save(form, button, async ({ ok, status, body }) => {
    if (!ok) put(form, button, was)
    if (ok || status === 412) await refreshed(row)
    if (!ok && status !== 401) rowNote(row, status === 412 ? text('stale') : saidBy(body))
  })
  put(form, button, value)
  if (!(await answered)) put(form, button, was)
}

/** Shows a row as it is stored now: as the panel writes what was saved, and with all that depends on it, in whichever of its cells. */
async function refreshed(row: HTMLTableRowElement): Promise<void> {
  // The list may show other rows by now.
  const list = row.closest('.listing')
  if (list) await refreshRow(list.id, row.dataset.key as string)
}

/** Sends a form, and returns whether there was an answer. */
async function save(form: HTMLFormElement, button: HTMLElement | null, answered: (answer: Answer) => Promise<void>): Promise<boolean> {
  const row = rowOf(form)
  const fields = fieldsOf(form, button)
  const { seen } = form.dataset
  if (seen !== undefined) fields.set('was', seen)
  // What is wrong with another of its cells is still so.
  if ([...row.querySelectorAll(unsent)].every((one) => one === form)) clearNote(row)
  const saved = saving(form, form.action, fields)
  form.ariaBusy = 'true'
  let answer: Answer
  try {
    answer = await send('PUT', form.action, fields)
  } catch {
    form.ariaBusy = null
    rowNote(row, text('lost'), () => form.requestSubmit(button))
    return false
  }
  if (answer.ok) dispatch(JSON.parse(form.dataset.events ?? '[]') as ClientEvent[])
  if (answer.status === 401) signInNote(row)
  form.ariaBusy = null
  if (answer.status !== 401 || button) await answered(answer)
  if (answer.ok) saved(answer.body.message)
  return true
}

/** Puts a switch into the state for a stored value: what the next press sends, and the value it assumes (`was`). */
function put(form: HTMLFormElement, button: HTMLButtonElement, value: string): void {
  const on = value === '1'
  button.ariaChecked = String(on)
  button.value = on ? '0' : '1'
  // The attribute too, as the panel would render it, so that morphing finds no difference.
  wasOf(form).setAttribute('value', value)
}
