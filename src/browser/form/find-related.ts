import type { Option } from '../page/combobox.js'
import { fetchPage, parse } from '../page/fetch-page.js'
import { search } from '../page/search.js'
import { textsOf } from './form-fields.js'

/** A related record to choose. */
export interface Choice extends Option {
  readonly key: string
}

/** The event at a relation that a record was created for it, with the Choice as its detail. */
export const created = 'daymark:created'

/** Finds related records at the URL that a relation's markup names. */
export function findRelated(place: HTMLElement, query: string, signal?: AbortSignal): Promise<Choice[]> {
  const { search: url = '', asks } = place.dataset
  return asks === undefined ? search<Choice>(url, query, signal) : askForm(place, asks, query, signal)
}

/** Asks the form itself, as its search button does without script: no URL names the field of an action. */
async function askForm(place: HTMLElement, name: string, query: string, signal?: AbortSignal): Promise<Choice[]> {
  const form = place.closest('form') as HTMLFormElement
  const fields = new URLSearchParams(textsOf(form))
  fields.set('_search', name)
  fields.set(`_query[${name}]`, query)
  const page = parse(await fetchPage(form.action, signal, fields))
  const found = page.querySelectorAll<HTMLInputElement>(`.relation:has([name="_query[${CSS.escape(name)}]"]) .choices input`)
  return [...found].map(({ value, nextElementSibling: label }) => ({
    key: value,
    label: label?.textContent ?? value,
    hint: label?.nextElementSibling?.textContent ?? '',
  }))
}

/** The only record whose full name is typed, in any case; null: there is none, or several. */
export async function findNamed(place: HTMLElement, typed: string): Promise<Choice | null> {
  const found = await findRelated(place, typed).catch(() => [])
  const same = found.filter(({ label }) => label.localeCompare(typed.trim(), undefined, { sensitivity: 'accent' }) === 0)
  return same.length === 1 ? (same[0] as Choice) : null
}

/**
 * Holds a form back while something is typed that names no record: submitting it would lose what is typed. A closed filter's input is
 * ignored.
 *
 * @param named chooses the record whose full name is typed; whether nothing is left then
 * @param open shows the records to choose from
 */
export function holdUntilChosen(input: HTMLInputElement, isSettled: () => boolean, named: () => Promise<boolean>, open: () => void): void {
  input.form?.addEventListener('submit', (event) => {
    if (event.defaultPrevented || isSettled() || !input.checkVisibility()) return
    event.preventDefault()
    const { submitter } = event
    void named().then((is) => {
      if (is) input.form?.requestSubmit(submitter)
      else {
        input.focus()
        open()
      }
    })
  })
}
