import { anew, fieldErrors } from '../form/field-errors.js'
import { keepInput } from '../form/keep-input.js'
import { tell } from '../form/sending.js'
import { busy } from '../page/busy.js'
import { openDialog, settle } from '../page/dialog.js'
import { dispatch } from '../page/events.js'
import { fieldsOf } from '../page/fields-of.js'
import { inPlainList, problem, saidBy, targetOf, text } from '../page/parts.js'
import { saveFile } from '../page/save-file.js'
import { saving } from '../page/saved.js'
import { swapped } from '../page/swapped.js'
import { applyAnswer, refused } from './answer.js'
import { fetchForm, isPassing } from './fetch-form.js'
import { follow } from './job.js'

/** Runs actions without leaving the page: their forms open in a dialog, and their answers are applied here. */
export function actions(): void {
  addEventListener('click', (event) => {
    const name = (event.target as Element).closest?.<HTMLElement>('[data-event]')?.dataset.event
    if (name !== undefined) dispatch([name])
  })
  addEventListener('submit', (event) => {
    const { submitter } = event
    if (event.defaultPrevented || isPassing() || !(submitter instanceof HTMLButtonElement) || submitter.dataset.action === undefined) return
    if (inPlainList(submitter)) return
    event.preventDefault()
    const form = event.target as HTMLFormElement
    if (form.ariaBusy === 'true') return
    const fields = fieldsOf(form, submitter)
    submitter.closest<HTMLElement>('[popover]')?.hidePopover()
    busy(form, submitter, () =>
      submitter.dataset.action === 'ask' ? ask(form, submitter, fields) : run(targetOf(form, submitter), fields, submitter),
    )
  })
}

/** Shows an action's form in a dialog. */
async function ask(form: HTMLFormElement, button: HTMLButtonElement, fields: URLSearchParams): Promise<void> {
  const question = await fetchForm(form, button, fields, 'form.action-form')
  if (!question) return
  const dialog = openDialog(question, 'action-title')
  swapped(question)
  settle(question)
  keepInput(dialog, question)
  dialog.addEventListener('submit', (event) => {
    const own = event.target as HTMLFormElement
    const sent = fieldsOf(own, event.submitter)
    if (event.defaultPrevented) return
    event.preventDefault()
    busy(own, event.submitter, () => run(own.action, sent, button, own))
  })
}

/** Runs an action. If its form is open in a dialog, validation errors appear at its fields. */
async function run(url: string, fields: URLSearchParams, from: HTMLElement, form?: HTMLFormElement): Promise<void> {
  if (form) anew(form)
  const saved = saving(from, url, fields)
  try {
    const response = await fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body: fields })
    if (response.headers.get('content-disposition')?.startsWith('attachment')) {
      form?.closest('dialog')?.close()
      await save(response)
      return
    }
    const body = await response.json()
    if (!response.ok) {
      if (form) tell(form, ...fieldErrors(form, body))
      else refused(saidBy(body), from, response.status)
      return
    }
    form?.closest('dialog')?.close()
    if (response.status === 202) follow(body.data, from)
    else {
      await applyAnswer(body, from)
      saved(body.message)
    }
  } catch {
    if (form) tell(form, problem(text('lost')))
    else refused(text('lost'), from)
  }
}

async function save(response: Response): Promise<void> {
  const address = URL.createObjectURL(await response.blob())
  const [, name = 'download'] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  saveFile(decodeURIComponent(name), address)
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
