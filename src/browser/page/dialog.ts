import { focusOn } from './focus-on.js'

/** Opens content in a modal dialog. The focus returns afterwards. */
export function openDialog(content: Element, labelId: string): HTMLDialogElement {
  const back = document.activeElement
  const dialog = document.createElement('dialog')
  dialog.className = 'ask'
  dialog.setAttribute('aria-labelledby', labelId)
  dialog.append(content)
  document.body.append(dialog)
  dialog.addEventListener('close', () => {
    dialog.remove()
    // The close event is asynchronous: by now the focus may have been moved on purpose.
    if (document.activeElement === document.body && back instanceof HTMLElement) back.focus()
  })
  dialog.showModal()
  return dialog
}

/** Focuses the first field of a dialog's form; without one, Cancel, so that Enter does nothing irreversible. Makes Cancel close it. */
export function settle(form: HTMLFormElement): void {
  const cancel = form.querySelector<HTMLElement>('.actions a')
  focusOn(firstField(form) ?? cancel)
  cancel?.addEventListener('click', (event) => {
    event.preventDefault()
    form.closest('dialog')?.close()
  })
}

/** The first field to fill in, or the box by which it is to be changed. */
export function firstField(form: HTMLElement): HTMLElement | null {
  return form.querySelector('.change > label > input:not(:checked), .field :is(input:not([type=hidden]), select, textarea)')
}
