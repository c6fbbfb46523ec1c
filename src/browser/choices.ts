import { refused } from './answer.js'
import { busy } from './busy.js'
import { reload } from './list.js'
import { saidBy, text } from './parts.js'
import { send } from './send.js'

/** Saves list options (columns, row height, saved views) without a page load. */
export function choices(): void {
  let latest = 0
  // One after the other: what is chosen while the last choice is on its way waits for it.
  let before = Promise.resolve()
  addEventListener('submit', (event) => {
    const { submitter } = event
    const form = event.target as HTMLFormElement
    const list = form.closest?.('.listing[data-async]')
    if (!list || event.defaultPrevented || !form.matches('.options form[method=post]')) return
    event.preventDefault()
    // Closing returns the focus to the button that opened it.
    form.closest<HTMLElement>('[popover]')?.hidePopover()
    before = before.then(() => busy(form, submitter, () => keep(form, submitter, list, () => true)))
  })
  addEventListener('change', ({ target }) => {
    const box = target as HTMLInputElement
    const list = box.closest?.('.listing[data-async]')
    const { form } = box
    if (!list || !form || !box.matches('.options .columns [type=checkbox]')) return
    const mine = ++latest
    // Of several columns in a row, the last alone draws the list, else those that follow would be put back.
    before = before.then(() => (mine === latest ? busy(form, null, () => keep(form, null, list, () => mine === latest)) : undefined))
  })
}

/** @param isLatest whether nothing has been chosen since, for the list to show */
async function keep(form: HTMLFormElement, submitter: HTMLElement | null, list: Element, isLatest: () => boolean): Promise<void> {
  const fields = new URLSearchParams([...new FormData(form, submitter)] as [string, string][])
  try {
    const { ok, body } = await send('POST', form.action, fields)
    if (!ok) {
      refused(saidBy(body), list)
      return
    }
    document.documentElement.dataset.density = body.data.density ?? 'normal'
    if (isLatest()) await reload(list)
  } catch {
    refused(text('lost'), list)
  }
}
