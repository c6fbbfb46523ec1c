import { combobox } from './combobox.js'
import { setError } from './field-errors.js'
import { type Choice, findNamed, findRelated, holdUntilChosen } from './find-related.js'
import { part, text } from './parts.js'
import { whenShown } from './swapped.js'

/** A combobox that adds related records to those that are chosen. Without script, the form itself searches. */
export function severalRelations(): void {
  whenShown((root) => {
    for (const place of root.querySelectorAll<HTMLElement>('.relation.several[data-search]:not(:has(> .combobox))')) enhance(place)
  })
}

function enhance(place: HTMLElement): void {
  const chosen = place.querySelector<HTMLElement>('.chosen')
  const finder = place.querySelector('.find')
  const words = finder?.querySelector<HTMLInputElement>('[type=search]')?.placeholder
  if (!chosen || !finder || words === undefined) return
  const box = part('relation')
  const input = box.querySelector('input') as HTMLInputElement
  // The label of the group does not name a single control.
  input.ariaLabel = input.placeholder = words
  // Links to the field, as from a list of errors, lead to what can be focused.
  input.id = chosen.id
  chosen.removeAttribute('id')
  const described = [`${input.id}-hint`, `${input.id}-error`].filter((id) => document.getElementById(id))
  if (described.length > 0) input.setAttribute('aria-describedby', described.join(' '))
  if (document.getElementById(`${input.id}-error`)) input.ariaInvalid = 'true'
  chosen.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid')
  const name = chosen.querySelector('input')?.name ?? ''
  const boxes = () => [...chosen.querySelectorAll<HTMLInputElement>('[type=checkbox]')]
  const isChosen = (key: string) => boxes().some(({ value, checked }) => checked && value === key)
  const tell = (isWrong: boolean) => {
    const field = box.closest<HTMLElement>('.field')
    if (field) setError(field, isWrong ? [text('notChosen')] : [])
  }
  const add = (one: Choice) => {
    const known = boxes().find(({ value }) => value === one.key)
    if (known) known.checked = true
    else chosen.append(boxOf(name, one))
    input.value = ''
    tell(false)
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const { open, close } = combobox<Choice>({
    input,
    list: box.querySelector('.options') as HTMLElement,
    search: async (typed, signal) =>
      (await findRelated(place, typed, signal)).map((one) => (isChosen(one.key) ? { ...one, hint: '✓' } : one)),
    choose(one) {
      add(one)
      close()
    },
    none: text('none'),
    failed: text('failed'),
    closes: true,
  })
  /** Typing the full name of exactly one record chooses it. */
  const named = async (): Promise<boolean> => {
    const typed = input.value
    if (typed.trim() !== '') {
      const one = await findNamed(place, typed)
      if (one && input.value === typed) add(one)
    }
    tell(input.value.trim() !== '')
    return input.value.trim() === ''
  }
  input.addEventListener('blur', () => void named())
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    input.value = ''
    tell(false)
  })
  finder.replaceWith(box)
  const began = [...chosen.children]
  input.form?.addEventListener('reset', () => {
    chosen.replaceChildren(...began)
    tell(false)
  })
  holdUntilChosen(input, () => input.value.trim() === '', named, open)
}

/** The box of a chosen record, as the server draws it. */
function boxOf(name: string, { key, label }: Choice): HTMLElement {
  const box = document.createElement('label')
  const input = document.createElement('input')
  const words = document.createElement('span')
  input.type = 'checkbox'
  input.name = name
  input.value = key
  input.checked = true
  words.textContent = label
  box.append(input, ' ', words)
  return box
}
