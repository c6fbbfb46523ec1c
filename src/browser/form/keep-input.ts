import { problem, text } from '../page/parts.js'
import { markUnsaved } from './form.js'
import { tell } from './sending.js'

/** Escape asks before it discards what is typed, and so does leaving the page. */
export function keepInput(dialog: HTMLDialogElement, form: HTMLFormElement): void {
  const isUnsaved = markUnsaved(form)
  let told: HTMLElement | null = null
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog || told?.isConnected || !isUnsaved()) return
    event.preventDefault()
    told = problem(text('discard'))
    tell(form, told)
    told.scrollIntoView({ block: 'center' })
  })
  form.addEventListener('input', () => told?.remove())
  const leaves = (event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault()
  }
  addEventListener('beforeunload', leaves)
  dialog.addEventListener('close', () => removeEventListener('beforeunload', leaves))
}
