import { combobox, type Option } from './combobox.js'
import { part, text } from './parts.js'
import { search } from './search.js'

interface Target extends Option {
  readonly url: string
}

/** The command palette: goes to any page by its name. Opens by Ctrl+K, ⌘K, or its button in the menu. */
export function palette(): void {
  const opener = document.querySelector<HTMLElement>('.palette-open')
  const url = opener?.dataset.palette
  if (!opener || url === undefined) return
  const key = opener.querySelector('kbd')
  if (key && /Mac|iP(?:hone|ad)/.test(navigator.userAgent)) key.textContent = '⌘K'
  opener.addEventListener('click', () => {
    document.querySelector<HTMLElement>('.sidebar:popover-open')?.hidePopover()
    open(url)
  })
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (!document.querySelector('dialog:modal')) open(url)
  })
}

let made: { readonly dialog: HTMLDialogElement; readonly input: HTMLInputElement; open(): void } | null = null

function open(url: string): void {
  made ??= make(url)
  const { dialog, input } = made
  input.value = ''
  dialog.showModal()
  input.focus()
  made.open()
}

function make(url: string) {
  const dialog = part('palette') as HTMLDialogElement
  const [input, list] = [dialog.querySelector('input') as HTMLInputElement, dialog.querySelector('.options') as HTMLElement]
  document.body.append(dialog)
  // The dialog's content is all in a form, so a click on the dialog itself is on its backdrop.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  const box = combobox<Target>({
    input,
    list,
    async search(typed, signal) {
      return search<Target>(url, typed, signal)
    },
    choose(target, event) {
      const { ctrlKey, metaKey } = event as MouseEvent | KeyboardEvent
      if (ctrlKey || metaKey) window.open(target.url, '_blank', 'noopener')
      else location.assign(target.url)
    },
    none: () => text('none'),
    closes: false,
  })
  return { dialog, input, open: box.open }
}
