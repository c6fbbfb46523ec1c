import { refused } from './answer.js'
import { busy } from './busy.js'
import { reload } from './list.js'
import { saidBy, text } from './parts.js'
import { send } from './send.js'

/** Saves list options (columns, row height, saved views) without a page load. */
export function choices(): void {
  addEventListener('submit', (event) => {
    const { submitter } = event
    const form = event.target as HTMLFormElement
    const list = form.closest?.('.listing[data-async]')
    if (!list || event.defaultPrevented || !form.matches('.options form[method=post]')) return
    event.preventDefault()
    if (form.ariaBusy !== 'true') busy(form, submitter, () => keep(form, submitter, list))
  })
}

async function keep(form: HTMLFormElement, submitter: HTMLElement | null, list: Element): Promise<void> {
  const fields = new URLSearchParams([...new FormData(form, submitter)] as [string, string][])
  // Closing returns the focus to the button that opened it.
  form.closest<HTMLElement>('[popover]')?.hidePopover()
  try {
    const { ok, body } = await send('POST', form.action, fields)
    if (!ok) {
      refused(saidBy(body), list)
      return
    }
    document.documentElement.dataset.density = body.data.density ?? 'normal'
    await reload(list)
  } catch {
    refused(text('lost'), list)
  }
}
