import { on } from '../page/events.js'
import { whenShown } from '../page/swapped.js'

const dependent = '.field[data-show-when]'

/** Shows a dependent field only while another field has one of its declared values. Hidden fields are not sent. */
export function fieldsShownWhen(): void {
  const look = (event: Event) => {
    const form = (event.target as Partial<HTMLInputElement>).form
    if (form) refresh(form)
  }
  addEventListener('input', look)
  addEventListener('change', look)
  // The reset event comes before the fields change.
  addEventListener('reset', ({ target }) => setTimeout(refresh, 0, target))
  on('show-when-refresh', 'show-when', refreshAll)
  whenShown((root) => {
    for (const { id } of root.querySelectorAll(`form[id]:has(${dependent})`)) on(`show-when-refresh-${id}`, 'show-when', refreshAll)
    refreshAll()
  })
}

function refreshAll(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>(`form:has(${dependent})`)) refresh(form)
}

function refresh(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLElement>(dependent)]
  // Hiding a field may hide fields that depend on it, so repeat until nothing changes, at most once per field.
  for (let round = 0; round < fields.length; round++) if (fields.filter((field) => changed(field, form)).length === 0) break
}

/** Shows or hides the field, and returns whether that changed. */
function changed(field: HTMLElement, form: HTMLFormElement): boolean {
  const { showWhen, showTexts } = field.dataset as { showWhen: string; showTexts: string }
  // A refused field stays visible with its error.
  const shown = fits(form, showWhen, JSON.parse(showTexts) as string[]) || field.querySelector('[aria-invalid=true]') !== null
  if (shown === !field.hidden) return false
  field.hidden = !shown
  for (const control of field.querySelectorAll<HTMLInputElement>('input, select, textarea, button')) {
    if (!shown && !control.disabled) control.dataset.unsent = ''
    else if (!shown || control.dataset.unsent === undefined) continue
    else delete control.dataset.unsent
    control.disabled = !shown
  }
  return true
}

function fits(form: HTMLFormElement, name: string, texts: readonly string[]): boolean {
  const controls = [...form.querySelectorAll<HTMLInputElement>(`.field [name="${CSS.escape(name)}"]`)]
  // A read-only other field has no control in this form.
  if (controls.length === 0) return true
  // A hidden field has no value. A checkbox comes after a hidden input with 0, which counts only while the box is off.
  const sent = controls.flatMap((control) => (control.disabled ? [] : valuesOf(control)))
  const values = controls.some(({ type }) => type === 'checkbox') && sent.length > 1 ? sent.slice(1) : sent
  return texts.length === 0 ? values.some((value) => value !== '') : values.some((value) => texts.includes(value))
}

function valuesOf(control: HTMLInputElement | HTMLSelectElement): readonly string[] {
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value)
  // Of several texts, each is on its own line.
  return (control.type === 'checkbox' || control.type === 'radio') && !control.checked ? [] : control.value.split('\n')
}
