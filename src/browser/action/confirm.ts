import { asLeft } from '../list/crumbs.js'
import { busy } from '../page/busy.js'
import { openDialog, settle } from '../page/dialog.js'
import { saidIn } from '../page/fetch-page.js'
import { fieldsOf } from '../page/fields-of.js'
import { inPlainList, problem, saidBy, text } from '../page/parts.js'
import { send } from '../page/send.js'
import { toast } from '../page/toast.js'
import { refresh } from './answer.js'
import { fetchForm, isPassing } from './fetch-form.js'

/** Asks for confirmation of a delete in a dialog. Without script, a page of its own asks. */
export function confirmations(): void {
  addEventListener('submit', (event) => {
    const { submitter } = event
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || isPassing() || !(submitter instanceof HTMLButtonElement) || form.method !== 'post') return
    if (submitter.name !== '_method' || submitter.value !== 'DELETE' || inPlainList(submitter)) return
    event.preventDefault()
    if (form.ariaBusy !== 'true') busy(form, submitter, () => ask(form, submitter))
  })
}

async function ask(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const fields = fieldsOf(form, button)
  // A menu would lie over what is said.
  button.closest<HTMLElement>('[popover]')?.hidePopover()
  const question = await fetchForm(form, button, fields, 'form.confirm')
  if (!question) return
  const list = button.closest('.listing[data-async]')
  const title = question.querySelector('h1') as HTMLElement
  title.id = 'ask-title'
  const dialog = openDialog(question, title.id)
  settle(question)
  question.addEventListener('submit', (event) => {
    event.preventDefault()
    if (question.ariaBusy === 'true') return
    question.querySelector('.notice')?.remove()
    busy(question, event.submitter, async () => {
      const said = await (list ? remove(question, dialog, list) : removeAndLeave(question)).catch(() => text('lost'))
      if (said) title.after(problem(said))
    })
  })
}

/** Deletes, then reloads the list. Returns why it could not. */
async function remove(question: HTMLFormElement, dialog: HTMLDialogElement, list: Element): Promise<string | null> {
  const { ok, body } = await send('POST', question.action, fieldsOf(question))
  if (!ok) return saidOf(body)
  dialog.close()
  await refresh(document.getElementById(list.id))
  toast(question.dataset.said ?? body.message, 'success', question.querySelector('template')?.content)
  return null
}

/**
 * Deletes a record and leaves its page, or returns why it could not. fetch must not follow the redirect: that would consume the next page's
 * flash, shown only once.
 */
async function removeAndLeave(question: HTMLFormElement): Promise<string | null> {
  const response = await fetch(question.action, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: fieldsOf(question),
    redirect: 'manual',
  })
  if (response.type !== 'opaqueredirect') return saidIn(await response.text())
  location.assign(asLeft(question.dataset.after as string))
  return null
}

// biome-ignore lint/suspicious/noExplicitAny: a problem as the panel words it
function saidOf(body: any): string {
  return body?.errors
    ? Object.values(body.errors as Record<string, string[]>)
        .flat()
        .join(' ')
    : saidBy(body)
}
