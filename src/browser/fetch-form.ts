import { parse } from './fetch-page.js'

/**
 * Fetches the form that a button leads to; null if the panel answers with anything else.
 *
 * @throws without network: to submit normally would then replace the page, and what is selected in it, by the browser's error page
 */
export async function fetchForm(url: string, fields: URLSearchParams, selector: string): Promise<HTMLFormElement | null> {
  const response = await fetch(url, { method: 'POST', headers: { accept: 'text/html' }, body: fields })
  return response.ok ? parse(await response.text()).querySelector<HTMLFormElement>(selector) : null
}
