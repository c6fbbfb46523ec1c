import { focusOn, wrongIn } from '../page/focus-on.js'
import { part, problem, saidBy, text } from '../page/parts.js'

interface Wrong {
  readonly message?: string
  readonly status?: number
  readonly requestId?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/** Shows errors at the fields of a form and focuses the first. Returns notices for errors that belong to no field. */
export function fieldErrors(form: HTMLFormElement, wrong: Wrong): HTMLElement[] {
  const { errors = {} } = wrong
  const others: string[] = []
  clearErrors(form)
  for (const [name, texts] of Object.entries(errors)) {
    const field = fieldOf(form, name)
    if (field) setError(field, texts)
    else others.push(...texts)
  }
  const first = wrongIn(form)
  // Of several records, the search alone may be there to focus.
  const finder = first?.closest('details')
  if (finder) finder.open = true
  focusOn(first)
  if (others.length === 0 && Object.keys(errors).length > 0) return []
  return [problem(others.join(' ') || saidBy(wrong))]
}

/** Removes what a form says of an earlier attempt: the next one may get no answer. */
export function anew(form: HTMLFormElement): void {
  form.querySelector(':scope > .notices')?.remove()
  clearErrors(form)
}

/** Clears all field errors of a form. */
export function clearErrors(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<HTMLElement>('.field')) setError(field, [])
}

/** A field's element, with label and hint, by its name. */
export function fieldOf(form: HTMLFormElement, name: string): HTMLElement | null {
  return form.querySelector(`[name="${CSS.escape(name)}"]`)?.closest<HTMLElement>('.field') ?? null
}

/** Shows a field's error, tied to its control by `aria-describedby`. An empty list removes it. */
export function setError(field: HTMLElement, texts: readonly string[]): void {
  // Of several records, the control that searches speaks for the boxes; of several files, the one that takes more.
  const all = '.control :is(input:not([type=hidden]), select, textarea)'
  const control =
    field.querySelector<HTMLElement>('.several [role=combobox], .several-files > [type=file], .repeater') ??
    field.querySelector<HTMLElement>(all)
  field.querySelector(':scope > .error')?.remove()
  if (!control) return
  const id = `${ownId(field) || control.id}-error`
  // Rows are no control: which of their parts is wrong, only the server knows.
  const isControl = !control.matches('.repeater')
  if (isControl) control.ariaInvalid = texts.length > 0 ? 'true' : null
  if (texts.length > 0) {
    const error = part('field-error')
    error.id = id
    const place = error.querySelector('span') as HTMLElement
    place.textContent = texts.join(' ')
    field.querySelector('.control')?.after(error)
  }
  summarize(field)
  if (isControl) describe(control, id, texts.length > 0)
  if (field.role === 'group') describe(field, id, texts.length > 0)
}

/** Says in the summary above a refused form what is wrong in its fields by now. What belongs to no field stays there. */
function summarize(field: HTMLElement): void {
  const form = field.closest('form')
  const list = form?.querySelector('.notice.bad ul')
  const notice = list?.closest('.notice')
  if (!form || !list || !notice) return
  for (const link of list.querySelectorAll('a')) link.closest('li')?.remove()
  const lines = [...form.querySelectorAll<HTMLElement>(':is(.field, .nested, .nested .repeater-row) > .error')].map((error) => {
    const [own, said] = [error.parentElement as HTMLElement, error.innerText.replace(/\s+/g, ' ').trim()]
    const label = (own.querySelector(':scope > :is(label, .label)')?.firstChild?.textContent ?? '').trim()
    const [line, link] = [document.createElement('li'), document.createElement('a')]
    link.href = `#${error.id.replace(/-error$/, '')}`
    // The row that it is in, or the list of rows.
    const about = own.closest('.nested .repeater-row, .nested')?.ariaLabel
    link.textContent = [about, said.toLowerCase().includes(label.toLowerCase()) ? null : label, said].filter(Boolean).join(': ')
    line.append(link)
    return line
  })
  list.prepend(...lines)
  const title = notice.querySelector('p') as HTMLElement
  title.textContent = text('wrong', list.childElementCount)
  if (list.childElementCount === 0) notice.remove()
}

/** Ties an element to what describes it, or unties it. */
function describe(element: HTMLElement, id: string, isThere: boolean): void {
  const others = (element.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== '' && one !== id)
  const all = isThere ? [...others, id] : others
  if (all.length > 0) element.setAttribute('aria-describedby', all.join(' '))
  else element.removeAttribute('aria-describedby')
}

/** The id that the server gave the field's control, by which its label names it; a group is named by the label itself. */
function ownId(field: HTMLElement): string | undefined {
  const label = field.querySelector<HTMLElement>(':scope > :is(label, .label)')
  return label instanceof HTMLLabelElement ? label.htmlFor : label?.id.replace(/-label$/, '')
}
