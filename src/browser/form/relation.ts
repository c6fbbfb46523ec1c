import { combobox } from '../page/combobox.js'
import { focusOn } from '../page/focus-on.js'
import { part, text } from '../page/parts.js'
import { whenShown } from '../page/swapped.js'
import { setError } from './field-errors.js'
import { type Choice, created, findNamed, findRelated, holdUntilChosen } from './find-related.js'

/** A combobox that chooses a related record. Without script, the form itself searches. */
export function relations(): void {
  whenShown((root) => {
    for (const place of root.querySelectorAll<HTMLElement>('.relation[data-search]:not(.several, :has(> .combobox))')) enhance(place)
  })
}

function enhance(place: HTMLElement): void {
  const key = place.querySelector<HTMLInputElement>('.now input')
  const related = place.querySelector<HTMLElement>('.now .related')
  if (!key || key.readOnly) return
  const box = part('relation')
  const input = box.querySelector('input') as HTMLInputElement
  const list = box.querySelector('.options') as HTMLElement
  // The input takes over the field's label, hint and errors.
  input.id = place.querySelector('[id]')?.id ?? ''
  // A reset returns to this, too.
  input.defaultValue = related?.textContent ?? key.value
  for (const name of ['aria-describedby', 'aria-invalid', 'required']) {
    const value = key.getAttribute(name)
    if (value !== null) input.setAttribute(name, value)
  }
  const hidden = document.createElement('input')
  hidden.type = 'hidden'
  hidden.name = key.name
  hidden.value = key.value
  let chosen = input.value
  // The label for "any record", in a filter.
  const { any } = place.dataset
  if (any !== undefined) input.placeholder = any
  let isSaid = false
  const tell = () => {
    const isWrong = input.value !== chosen
    if (isWrong === isSaid) return
    isSaid = isWrong
    const field = box.closest<HTMLElement>('.field')
    if (field) setError(field, isWrong ? [text('notChosen')] : [])
    else input.ariaInvalid = isWrong ? 'true' : null
  }
  const put = ({ key, label }: Choice) => {
    hidden.value = key
    input.value = chosen = key === '' ? '' : label
    tell()
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  /** Typing the full name of exactly one record, in any case, chooses it. No match or several leave an error. */
  const named = async (): Promise<boolean> => {
    const typed = input.value
    if (typed !== chosen && typed !== '') {
      const one = await findNamed(place, typed)
      if (input.value !== typed) return input.value === chosen
      if (one) put(one)
    }
    tell()
    return input.value === chosen
  }
  const { open, close } = combobox<Choice>({
    input,
    list,
    async search(typed, signal) {
      const query = typed === chosen ? '' : typed
      const found = await findRelated(place, query, signal)
      return any === undefined || query !== '' ? found : [{ key: '', label: any }, ...found]
    },
    choose(one) {
      put(one)
      close()
      // A filter opened by itself has no other question, so it is applied at once.
      const apply = input.closest('.filter')?.querySelector<HTMLElement>('.panel > .button')
      if (apply?.checkVisibility()) apply.click()
    },
    none: () => place.dataset.first || text('none'),
    closes: true,
  })
  // An empty input clears the choice.
  input.addEventListener('input', () => {
    if (input.value === '') hidden.value = chosen = ''
  })
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    input.value = chosen
    tell()
  })
  input.addEventListener('blur', () => void named())
  box.prepend(hidden)
  place.replaceChildren(box, ...place.querySelectorAll(':scope > .create'))
  place.addEventListener(created, (event) => {
    put((event as CustomEvent<Choice>).detail)
    focusOn(input)
  })
  input.form?.addEventListener('reset', () => {
    hidden.value = key.value
    input.value = chosen = input.defaultValue
    tell()
  })
  // In a form, the error below it says that there is none, and the list would lie over that.
  holdUntilChosen(
    input,
    () => input.value === chosen,
    named,
    () => open(box.closest('.field') === null),
  )
}
