import { parse } from '../page/fetch-page.js'
import { targetOf, text } from '../page/parts.js'
import { toastLater } from '../page/toast.js'
import { refused } from './answer.js'

let passing = false

/** Whether a form is being submitted as without script. */
export const isPassing = () => passing

/**
 * Fetches the form that a button leads to. Null if the panel answers with anything else: then the form is submitted normally, as without
 * script. Also null if the record is gone, or there is no network, which is said: to submit would replace the page, and what is selected in
 * it, by an error page. Of a record that is gone, the page loads again without it.
 */
export async function fetchForm(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  fields: URLSearchParams,
  selector: string,
): Promise<HTMLFormElement | null> {
  try {
    const response = await fetch(targetOf(form, button), { method: 'POST', headers: { accept: 'text/html' }, body: fields })
    const found = response.ok && parse(await response.text()).querySelector<HTMLFormElement>(selector)
    if (found) return found
    if (response.status === 404) {
      toastLater(text('gone'), 'error')
      location.reload()
      return null
    }
  } catch {
    refused(text('lost'), button)
    return null
  }
  passing = true
  form.requestSubmit(button)
  passing = false
  return null
}
