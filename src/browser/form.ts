import { part } from './parts.js'

let leaving = false

/** What the form holds is saved: nobody is asked when it is left. */
export function leave(): void {
  leaving = true
}

/** A form of a record says what is not saved yet, asks before it is left like that, and saves by Ctrl S or ⌘ S. */
export function recordForm(): void {
  document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus()
  const form = document.querySelector<HTMLFormElement>('form.form-page')
  if (!form) return
  const saved = stateOf(form)
  // What was typed into a form that was refused is not saved anywhere.
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
    form.requestSubmit(form.querySelector<HTMLButtonElement>('.actions button.primary'))
  })
  update()
}

/** What would be saved; a search for a related record would not. */
function stateOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(([name]) => !name.startsWith('_'))
  return JSON.stringify(fields.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
}
