import { applyAnswer, refused } from './answer.js'
import { busy } from './busy.js'
import { openDialog, settle } from './dialog.js'
import { dispatch } from './events.js'
import { parse } from './fetch-page.js'
import { clearErrors, fieldErrors } from './field-errors.js'
import { follow } from './job.js'
import { inPlainList, problem, saidBy, text } from './parts.js'
import { saveFile } from './save-file.js'
import { swapped } from './swapped.js'

/** Buttons of the application's own act on the page where one is: what they ask stands in a dialog, and what they say is said here. */
export function actions(): void {
  addEventListener('click', (event) => {
    const name = (event.target as Element).closest?.<HTMLElement>('[data-event]')?.dataset.event
    if (name !== undefined) dispatch([name])
  })
  addEventListener('submit', (event) => {
    const { submitter } = event
    if (event.defaultPrevented || passing || !(submitter instanceof HTMLButtonElement) || submitter.dataset.action === undefined) return
    if (inPlainList(submitter)) return
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (form.ariaBusy === 'true') return
    const fields = fieldsOf(form, submitter)
    submitter.closest<HTMLElement>('[popover]')?.hidePopover()
    busy(form, submitter, () =>
      submitter.dataset.action === 'ask' ? ask(form, submitter, fields) : run(submitter.formAction, fields, submitter),
    )
  })
}

let passing = false

/** Shows the form of an action in a dialog. Whatever else the panel says to it, it says on a page. */
async function ask(form: HTMLFormElement, button: HTMLButtonElement, fields: URLSearchParams): Promise<void> {
  const question = await fetchForm(button.formAction, fields)
  if (!question) {
    passing = true
    form.requestSubmit(button)
    passing = false
    return
  }
  const dialog = openDialog(question, 'action-title')
  swapped(question)
  settle(question)
  dialog.addEventListener('submit', (event) => {
    const own = event.target as HTMLFormElement
    event.preventDefault()
    const sent = fieldsOf(own, event.submitter)
    const search = event.submitter instanceof HTMLButtonElement && event.submitter.name === '_search'
    busy(own, event.submitter, async () => {
      // What was typed comes back with what was found.
      const again = search ? await fetchForm(own.action, sent) : null
      if (again) {
        own.replaceWith(again)
        swapped(again)
        settle(again)
      } else if (!search) await run(own.action, sent, button, own)
    })
  })
}

/** Runs an action. Where its form is open, what is wrong stands at its fields. */
async function run(url: string, fields: URLSearchParams, from: HTMLElement, form?: HTMLFormElement): Promise<void> {
  form?.querySelector(':scope > .notice')?.remove()
  // It is asked anew, and may not be answered.
  if (form) clearErrors(form)
  try {
    const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body: fields })
    if (response.headers.get('content-disposition')?.startsWith('attachment')) {
      form?.closest('dialog')?.close()
      await save(response)
      return
    }
    const body = await response.json()
    if (!response.ok) {
      if (form) form.querySelector('h1')?.after(...fieldErrors(form, body))
      else refused(saidBy(body), from)
      return
    }
    form?.closest('dialog')?.close()
    if (response.status === 202) follow(body.data, from)
    else await applyAnswer(body, from)
  } catch {
    if (form) form.querySelector('h1')?.after(problem(text('lost')))
    else refused(text('lost'), from)
  }
}

async function fetchForm(url: string, fields: URLSearchParams): Promise<HTMLFormElement | null> {
  try {
    const response = await fetch(url, { method: 'POST', headers: { accept: 'text/html' }, body: fields })
    return response.ok ? parse(await response.text()).querySelector<HTMLFormElement>('form.action-form') : null
  } catch {
    return null
  }
}

async function save(response: Response): Promise<void> {
  const address = URL.createObjectURL(await response.blob())
  const [, name = 'download'] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  saveFile(decodeURIComponent(name), address)
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  return new URLSearchParams([...new FormData(form, submitter)] as [string, string][])
}
