/** Opens a dialog over the page with something in it; the focus goes back where it was. */
export function openDialog(content: Element, labelId: string): HTMLDialogElement {
  const back = document.activeElement
  const dialog = document.createElement('dialog')
  dialog.className = 'ask'
  dialog.setAttribute('aria-labelledby', labelId)
  dialog.append(content)
  document.body.append(dialog)
  dialog.addEventListener('close', () => {
    dialog.remove()
    // It is told later than done: somebody may have been led on by then.
    if (document.activeElement === document.body && back instanceof HTMLElement) back.focus()
  })
  dialog.showModal()
  return dialog
}

/** What a dialog asks is answered from its first field on; where there is none, Enter does nothing that cannot be taken back. Cancel closes it. */
export function settle(form: HTMLFormElement): void {
  const cancel = form.querySelector<HTMLElement>('.actions a')
  ;(firstField(form) ?? cancel)?.focus()
  cancel?.addEventListener('click', (event) => {
    event.preventDefault()
    form.closest('dialog')?.close()
  })
}

/** Where one begins to fill in. */
export function firstField(form: HTMLElement): HTMLElement | null {
  return form.querySelector('.field :is(input:not([type=hidden]), select, textarea)')
}
