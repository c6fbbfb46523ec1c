import { settle } from './dialog.js'
import { fetchForm } from './fetch-form.js'
import { problem, text } from './parts.js'
import { swapped } from './swapped.js'

/** The relation to search: that of the pressed button. If Enter was pressed instead, the one that is typed in, or whose query is new. */
export function searchedIn(form: HTMLFormElement, fields: URLSearchParams): string | null {
  const pressed = fields.get('_search')
  if (pressed !== null || fields.has('_save')) return pressed
  for (const input of form.querySelectorAll<HTMLInputElement>('.finder [type=search]')) {
    const key = input.name.slice('_query['.length, -1)
    const isNew = input.value !== '' && input.value !== fields.get(`_asked[${key}]`)
    if (isNew || input === document.activeElement) return key
  }
  return null
}

/** A search inside a form in a dialog: the new form holds the results, and what was typed. The focus moves to the results. */
export async function searchIn(form: HTMLFormElement, fields: URLSearchParams, key: string, selector: string): Promise<void> {
  form.querySelector(':scope > .notice')?.remove()
  const fail = (words: string) => form.querySelector('h1')?.after(problem(words))
  fields.set('_search', key)
  try {
    const again = await fetchForm(form.action, fields, selector)
    if (!again) {
      fail(text('failed'))
      return
    }
    form.replaceWith(again)
    swapped(again)
    settle(again)
    const finder = again.querySelector(`[name="${CSS.escape(`_query[${key}]`)}"]`)?.closest('.finder')
    const [found, search] = ['.choices input:enabled', '[type=search]'].map((one) => finder?.querySelector<HTMLElement>(one))
    ;(found ?? search)?.focus()
  } catch {
    fail(text('lost'))
  }
}
