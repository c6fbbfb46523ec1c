import { reload } from '../list/list.js'
import { busy } from '../page/busy.js'
import { fieldsOf } from '../page/fields-of.js'
import { saidBy, text } from '../page/parts.js'
import { send } from '../page/send.js'
import { refused } from './answer.js'

/** Saves list options (columns, row height, saved views) without a page load. */
export function choices(): void {
  let latest = 0
  // One after the other: what is chosen while the last choice is on its way waits for it, as it was when it was chosen.
  let before = Promise.resolve()
  addEventListener('submit', (event) => {
    const { submitter } = event
    const form = event.target as HTMLFormElement
    const list = form.closest?.('.listing[data-async]')
    if (!list || event.defaultPrevented || !form.matches('.options form[method=post]')) return
    event.preventDefault()
    // Closing returns the focus to the button that opened it.
    form.closest<HTMLElement>('[popover]')?.hidePopover()
    const fields = fieldsOf(form, submitter)
    before = before.then(() => busy(form, submitter, () => keep(form, fields, list, () => true)))
  })
  addEventListener('change', ({ target }) => {
    const box = target as HTMLInputElement
    const list = box.closest?.('.listing[data-async]')
    const { form } = box
    if (!list || !form || !box.matches('.options .columns [type=checkbox]')) return
    const fields = fieldsOf(form)
    const mine = ++latest
    // Of several columns in a row, the last alone draws the list, else those that follow would be put back.
    before = before.then(() => (mine === latest ? busy(form, null, () => keep(form, fields, list, () => mine === latest)) : undefined))
  })
}

/** @param isLatest whether nothing has been chosen since, for the list to show */
async function keep({ action }: HTMLFormElement, fields: URLSearchParams, list: Element, isLatest: () => boolean): Promise<void> {
  try {
    const { ok, body } = await send('POST', action, fields)
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
