import { firstField } from '../page/dialog.js'
import { focusOn, wrongIn } from '../page/focus-on.js'
import { part } from '../page/parts.js'
import { remember, remembered } from '../page/session.js'

let leaving = false
// The form that was sent as it came, which its refusal does not change.
const untouched = 'daymark-untouched'

/** Marks the form as saved: leaving it asks nothing. */
export function leave(): void {
  leaving = true
}

/** Marks unsaved changes of a record's form, asks before they are lost, and saves by Ctrl+S or ⌘S. */
export function recordForm(): void {
  focusOn(wrongIn(document.querySelector('main')))
  const form = document.querySelector<HTMLFormElement>('form.form-page')
  const sent = remembered(untouched)
  remember(untouched, null)
  if (!form) return
  const dirty = markUnsaved(form, form.id === sent)
  beginNew(form)
  addEventListener('submit', (event) => {
    if (event.target !== form) return
    leaving = !event.defaultPrevented
    remember(untouched, dirty() ? null : form.id)
  })
  addEventListener('pageshow', () => {
    leaving = false
    // A browser may have restored what was typed.
    dirty()
  })
  addEventListener('beforeunload', (event) => {
    if (!leaving && dirty()) event.preventDefault()
  })
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    // What a dialog asks comes first.
    const asked = [...document.querySelectorAll<HTMLFormElement>('dialog:modal form')].at(-1) ?? form
    asked.requestSubmit(asked.querySelector<HTMLButtonElement>('.actions button.primary'))
  })
}

/** A new record is there to be filled in. On a phone, the keyboard would cover it. */
function beginNew(form: HTMLFormElement): void {
  if (form.querySelector('.notices, [name=_method]') || document.activeElement !== document.body) return
  if (matchMedia('(pointer: fine)').matches) focusOn(firstField(form), { preventScroll: true })
}

/**
 * Marks unsaved changes of a form. Returns whether it has any.
 *
 * @param isUntouched whether nobody has filled in a form that was refused
 */
export function markUnsaved(form: HTMLFormElement, isUntouched = false): () => boolean {
  const saved = stateOf(form)
  // A refused form is redrawn with the typed values, which are not saved anywhere.
  const refused = !isUntouched && form.querySelector('[aria-invalid=true], .notices') !== null
  const mark = part('unsaved')
  const update = () => {
    const wanted = refused || stateOf(form) !== saved
    if (wanted && !mark.isConnected) form.querySelector('.unsaved-place')?.append(mark)
    else if (!wanted) mark.remove()
    return wanted
  }
  form.addEventListener('input', update)
  form.addEventListener('change', update)
  form.addEventListener('reset', () => setTimeout(update))
  update()
  return update
}

/** The state that saving would send. `_` fields, such as the search of a relation, are not saved, but for the files to remove. */
function stateOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(([name]) => !name.startsWith('_') || name.startsWith('_clear'))
  return JSON.stringify(fields.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
}
