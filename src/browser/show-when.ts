import { on } from './events.js'
import { whenShown } from './swapped.js'

const dependent = '.field[data-show-when]'

/** A field that depends on another one is shown while that one has one of the values named; what is not shown is not sent. */
export function fieldsShownWhen(): void {
  const look = (event: Event) => {
    const form = (event.target as Partial<HTMLInputElement>).form
    if (form) refresh(form)
  }
  addEventListener('input', look)
  addEventListener('change', look)
  // A reset tells before it does.
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
  // One that is no longer shown may be what another one depends on: as often as there could be another one.
  for (let round = 0; round < fields.length; round++) if (fields.filter((field) => changed(field, form)).length === 0) break
}

/** Shows the field or not, and says whether that is news. */
function changed(field: HTMLElement, form: HTMLFormElement): boolean {
  const { showWhen, showTexts } = field.dataset as { showWhen: string; showTexts: string }
  // What was refused is shown with its error, whatever the other field says.
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
  // Who may not change the other field has no control of it here.
  if (controls.length === 0) return true
  // Another field that is itself not shown has no value; a switch that is off is silent beside its hidden 0.
  const sent = controls.flatMap((control) => (control.disabled ? [] : valuesOf(control)))
  const values = controls.some(({ type }) => type === 'checkbox') && sent.length > 1 ? sent.slice(1) : sent
  return texts.length === 0 ? values.some((value) => value !== '') : values.some((value) => texts.includes(value))
}

function valuesOf(control: HTMLInputElement | HTMLSelectElement): readonly string[] {
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value)
  return (control.type === 'checkbox' || control.type === 'radio') && !control.checked ? [] : [control.value]
}
