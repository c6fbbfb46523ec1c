import { send } from '../page/send.js'
import { whenShown } from '../page/swapped.js'
import { fieldOf, setError } from './field-errors.js'
import { toCheck } from './form-fields.js'

const validated = new WeakSet<HTMLFormElement>()

/** Validates a field of a record's form on change, not only on save. */
export function validation(): void {
  whenShown((root) => {
    const inside = root.querySelectorAll<HTMLFormElement>('form.form-page[data-validate]')
    for (const form of inside) if (!validated.has(form)) enhance(form)
  })
}

function enhance(form: HTMLFormElement): void {
  validated.add(form)
  const asked = new Map<string, number>()
  form.addEventListener('change', async (event) => {
    const control = event.target as HTMLInputElement
    const { type } = control
    // The input of a relation has no name, and what is typed there names no record until one is chosen, which is a change by script.
    const isTyped = event.isTrusted && control.value !== ''
    const related = isTyped ? null : control.closest('.combobox')?.querySelector<HTMLInputElement>('[type=hidden]')
    // What is in a row is checked with all rows, whose hidden input has the name.
    const rows = control.closest('.repeater')?.previousElementSibling as HTMLInputElement | null | undefined
    const name = rows?.name ?? (control.name || (related?.name ?? ''))
    const field = name ? fieldOf(form, name) : null
    // A file is checked where it is sent.
    if (!field || name.startsWith('_') || type === 'file') return
    const mine = (asked.get(name) ?? 0) + 1
    asked.set(name, mine)
    try {
      const { ok, body } = await send('POST', form.dataset.validate as string, toCheck(form))
      // A field may change faster than answers come: only the latest counts.
      if (ok && mine === asked.get(name)) setError(field, body?.errors?.[name] ?? [])
    } catch {
      // Saving will report it.
    }
  })
}
