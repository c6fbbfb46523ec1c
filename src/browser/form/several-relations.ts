import { combobox } from '../page/combobox.js'
import { part, text } from '../page/parts.js'
import { say } from '../page/say.js'
import { whenShown } from '../page/swapped.js'
import { setError } from './field-errors.js'
import { type Choice, created, findNamed, findRelated, holdUntilChosen } from './find-related.js'

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
  const notChosen = text('notChosen')
  const tell = (isWrong: boolean) => {
    const field = box.closest<HTMLElement>('.field')
    // Other errors stay, such as that there are too many.
    if (field && (isWrong || field.querySelector(':scope > .error')?.textContent === notChosen)) setError(field, isWrong ? [notChosen] : [])
  }
  const add = (one: Choice) => {
    const known = boxes().find(({ value }) => value === one.key)
    if (!known) chosen.append(chosenBox(name, one))
    const added = known ?? (boxes().at(-1) as HTMLInputElement)
    // The focus stays in the search, so that a screen reader would not notice.
    if (!known?.checked) say(text('added', one.label))
    added.checked = true
    added.closest('label')?.scrollIntoView({ block: 'nearest' })
    input.value = ''
    tell(false)
    // The box has the field's name, by which it is validated.
    added.dispatchEvent(new Event('change', { bubbles: true }))
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
    none: () => place.dataset.first || text('none'),
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
  place.addEventListener(created, (event) => {
    add((event as CustomEvent<Choice>).detail)
    input.focus()
  })
  const began = [...chosen.children]
  input.form?.addEventListener('reset', () => {
    chosen.replaceChildren(...began)
    tell(false)
  })
  holdUntilChosen(
    input,
    () => input.value.trim() === '',
    named,
    () => open(false),
  )
}

/** The ticked box of a chosen record, as the server draws it. */
function chosenBox(name: string, { key, label }: Choice): HTMLElement {
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.name = name
  box.value = key
  box.checked = true
  const line = document.createElement('label')
  const words = document.createElement('span')
  words.textContent = label
  line.append(box, ' ', words)
  return line
}
