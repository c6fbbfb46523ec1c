import { parse } from './fetch-page.js'

/** The question that the panel asks before it deletes; null where it asks none. */
export async function fetchConfirm(url: string, fields: URLSearchParams): Promise<HTMLFormElement | null> {
  try {
    const response = await fetch(url, { method: 'POST', headers: { accept: 'text/html' }, body: fields })
    return response.ok ? parse(await response.text()).querySelector<HTMLFormElement>('form.confirm') : null
  } catch {
    return null
  }
}
