import { busy } from '../page/busy.js'
import { openDialog, settle } from '../page/dialog.js'
import { fetchPage, parse, Refused } from '../page/fetch-page.js'
import { focusOn, wrongIn } from '../page/focus-on.js'
import { problem, text } from '../page/parts.js'
import { ready } from '../page/ready.js'
import { send } from '../page/send.js'
import { signInPart } from '../page/signed-out.js'
import { swapped } from '../page/swapped.js'
import { toast } from '../page/toast.js'
import { anew, fieldErrors, setError } from './field-errors.js'
import { type Choice, created, findRelated } from './find-related.js'
import { sentOf } from './form-fields.js'
import { keepInput } from './keep-input.js'
import { tell } from './sending.js'

/** Creates a related record without leaving the form that will refer to it. Without script, its form opens in another tab. */
export function createRelated(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('.relation > a.create')
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const form = link.closest('form')
    if (form && form.ariaBusy !== 'true') void busy(form, link, () => ask(link, link.parentElement as HTMLElement))
  })
}

/** Opens the form of a new record in a dialog. */
async function ask(link: HTMLAnchorElement, place: HTMLElement): Promise<void> {
  const field = place.closest<HTMLElement>('.field')
  let form: HTMLFormElement | null
  try {
    const page = await fetchPage(addressOf(link, place), new AbortController().signal)
    form = parse(page).querySelector<HTMLFormElement>('form.form-page')
    if (!form) throw new Refused(text('failed'), 0)
  } catch (thrown) {
    if (field) setError(field, [thrown instanceof Refused ? thrown.message : text('failed')])
    return
  }
  if (field) setError(field, [])
  inDialog(form)
  const dialog = openDialog(form, form.querySelector('h1')?.id as string)
  dialog.classList.add('wide')
  swapped(dialog)
  settle(form)
  keepInput(dialog, form)
  dialog.addEventListener('submit', (event) => {
    // A relation may hold its form back, until it knows which record is meant.
    if (event.defaultPrevented) return
    event.preventDefault()
    if (form.ariaBusy !== 'true') void busy(form, event.submitter, () => create(form, event.submitter, dialog, place))
  })
}

/** Where the form is. What is typed and names no record begins the name of the new one. */
function addressOf({ href, search, dataset: { named } }: HTMLAnchorElement, place: HTMLElement): string {
  const input = place.querySelector<HTMLInputElement>('[role=combobox]')
  const [typed, key] = [input?.value.trim() ?? '', place.querySelector<HTMLInputElement>('.combobox > [type=hidden]')?.value ?? '']
  const isNew = typed !== '' && (key === '' || input?.ariaInvalid === 'true')
  return isNew && named !== undefined ? `${href}${search ? '&' : '?'}${new URLSearchParams({ [named]: typed })}` : href
}

let count = 0
// What holds ids, in the form of a record.
const naming = ['id', 'for', 'list', 'aria-describedby', 'aria-labelledby', 'aria-controls']

/** Makes a page's form one of a dialog: without what leads elsewhere, and with ids that the page below does not have. */
function inDialog(form: HTMLFormElement): void {
  for (const one of form.querySelectorAll('.crumbs, .heading > .buttons, .actions [name=_then]')) one.remove()
  const heading = form.querySelector('h1')
  if (heading) heading.id = 'title'
  const own = `new${++count}-`
  const rows = [...form.querySelectorAll('template')].flatMap(({ content }) => [...content.querySelectorAll('*')])
  for (const one of [form, ...form.querySelectorAll('*'), ...rows]) {
    for (const name of naming) {
      const value = one.getAttribute(name)
      if (value) one.setAttribute(name, value.replace(/\S+/g, `${own}$&`))
    }
  }
}

/** Creates the record and chooses it. After a refusal the form says why, with what is typed. */
async function create(form: HTMLFormElement, submitter: HTMLElement | null, dialog: HTMLDialogElement, place: HTMLElement): Promise<void> {
  anew(form)
  if (!(await ready(form))) return focusOn(wrongIn(form))
  try {
    const { status, ok, location, body } = await send('POST', form.getAttribute('action') ?? '', sentOf(form, submitter))
    if (!ok) {
      const { login } = document.body.dataset
      const said = status === 401 && login !== undefined ? [signInPart(login)] : fieldErrors(form, body)
      tell(form, ...said)
      return
    }
    const made = await choiceAt(location, place)
    dialog.close()
    toast(body.message)
    if (made) place.dispatchEvent(new CustomEvent<Choice>(created, { detail: made }))
  } catch {
    // The request may have arrived and only its answer been lost: the same form then creates no second record.
    tell(form, problem(`${text('lost')}. ${text('maybeSaved')}`))
  }
}

/** The created record as the relation offers it; null: it may not be chosen here. */
async function choiceAt(location: string | null, place: HTMLElement): Promise<Choice | null> {
  const key = decodeURIComponent(location?.split('/').at(-1) ?? '')
  const found = await findRelated(place, key).catch(() => [])
  return found.find((one) => one.key === key) ?? null
}
