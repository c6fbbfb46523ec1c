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
    if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus()
  })
  dialog.showModal()
  return dialog
}
