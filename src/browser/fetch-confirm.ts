import { parse } from './fetch-page.js'

/** Fetches the confirmation form of a delete; null if the panel answers with anything else. */
export async function fetchConfirm(url: string, fields: URLSearchParams): Promise<HTMLFormElement | null> {
  try {
    const response = await fetch(url, { method: 'POST', headers: { accept: 'text/html' }, body: fields })
    return response.ok ? parse(await response.text()).querySelector<HTMLFormElement>('form.confirm') : null
  } catch {
    return null
  }
}
