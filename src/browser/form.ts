import { part } from './parts.js'

let leaving = false

/** Marks the form as saved: leaving it asks nothing. */
export function leave(): void {
  leaving = true
}

/** Marks unsaved changes of a record's form, asks before they are lost, and saves by Ctrl+S or ⌘S. */
export function recordForm(): void {
  document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus()
  const form = document.querySelector<HTMLFormElement>('form.form-page')
  if (!form) return
  const dirty = markUnsaved(form)
  addEventListener('submit', (event) => {
    if (event.target === form) leaving = !event.defaultPrevented
  })
  addEventListener('pageshow', () => (leaving = false))
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

/** Marks unsaved changes of a form. Returns whether it has any. */
export function markUnsaved(form: HTMLFormElement): () => boolean {
  const saved = stateOf(form)
  // A refused form is redrawn with the typed values, which are not saved anywhere.
  const refused = form.querySelector('[aria-invalid=true], .notices') !== null
  const mark = part('unsaved')
  const dirty = () => refused || stateOf(form) !== saved
  const update = () => {
    const wanted = dirty()
    if (wanted && !mark.isConnected) form.querySelector('.unsaved-place')?.append(mark)
    else if (!wanted) mark.remove()
  }
  form.addEventListener('input', update)
  form.addEventListener('change', update)
  form.addEventListener('reset', () => setTimeout(update))
  update()
  return dirty
}

/** The state that saving would send. `_` fields, such as the search of a relation, are not saved, but for the files to remove. */
function stateOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(([name]) => !name.startsWith('_') || name.startsWith('_clear'))
  return JSON.stringify(fields.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
}
