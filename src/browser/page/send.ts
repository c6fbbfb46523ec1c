/** The panel's answer; `body` is its JSON, if it has any. */
export interface Answer {
  readonly status: number
  readonly ok: boolean
  /** The URL of what a request has created, if it says one. */
  readonly location: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the documented shape of whatever was asked for
  readonly body: any
}

/**
 * Calls the panel's JSON API with the user's session.
 *
 * @throws TypeError if the network fails, an AbortError if `signal` aborts
 */
export async function send(method: string, url: string, fields?: object, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      'x-csrf-token': token(),
      ...(fields && !isForm(fields) && { 'content-type': 'application/json' }),
    },
    ...(fields && { body: isForm(fields) ? fields : JSON.stringify(fields) }),
    ...(signal && { signal }),
  })
  const json = /json/.test(response.headers.get('content-type') ?? '')
  const location = response.headers.get('location')
  return { status: response.status, ok: response.ok, location, body: json ? await response.json() : null }
}

const isForm = (fields: object) => fields instanceof URLSearchParams || fields instanceof FormData

/** The CSRF token, as in the forms of this page. */
export function token(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? ''
}
