import { Refused } from './fetch-page.js'
import { saidBy, text } from './parts.js'
import { send } from './send.js'

/**
 * What the panel finds for the typed text.
 *
 * @throws Refused for any other answer, and without network; an AbortError if `signal` aborts
 */
export async function search<T>(url: string, typed: string, signal?: AbortSignal): Promise<T[]> {
  const asked = send('GET', `${url}${url.includes('?') ? '&' : '?'}query=${encodeURIComponent(typed)}`, undefined, signal)
  const { ok, status, body } = await asked.catch((thrown: unknown) => {
    throw signal?.aborted ? thrown : new Refused(text('lost'), 0)
  })
  if (!ok) throw new Refused(saidBy(body), status)
  return body.data
}
