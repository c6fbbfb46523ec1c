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
