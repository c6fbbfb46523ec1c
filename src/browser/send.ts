/** What the panel answered; `body` is its JSON, where it has some. */
export interface Answer {
  readonly status: number
  readonly ok: boolean
  // biome-ignore lint/suspicious/noExplicitAny: the documented shape of whatever was asked for
  readonly body: any
}

/**
 * Asks the panel in API mode, as the one who is signed in.
 *
 * @throws TypeError where the network is lost, and an AbortError where `signal` ends it
 */
export async function send(method: string, url: string, fields?: object | URLSearchParams, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      'x-csrf-token': token(),
      ...(fields && !(fields instanceof URLSearchParams) && { 'content-type': 'application/json' }),
    },
    ...(fields && { body: fields instanceof URLSearchParams ? fields : JSON.stringify(fields) }),
    ...(signal && { signal }),
  })
  const json = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, ok: response.ok, body: json ? await response.json() : null }
}

/** What the forms of this page carry. */
function token(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? ''
}
