import { saidBy, text } from './parts.js'

/** A refused or failed request; its message is for the user. */
export class Refused extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * Fetches the HTML of a page or a part of one.
 *
 * @param fields of a form that leads there; none: it is a GET
 * @throws Refused for any other answer, and without network; an AbortError if `signal` aborts
 */
export async function fetchPage(url: string, signal?: AbortSignal, fields?: URLSearchParams): Promise<string> {
  const how = { ...(signal && { signal }), ...(fields && { method: 'POST', body: fields }) }
  const response = await fetch(url, { headers: { accept: 'text/html' }, ...how }).catch((thrown: unknown) => {
    throw signal?.aborted ? thrown : new Refused(text('lost'), 0)
  })
  const markup = await response.text()
  // After a sign-out, the panel redirects to the sign-in page.
  if (response.status === 401 || (response.redirected && pathOf(response.url) !== pathOf(url))) throw new Refused(text('signedOut'), 401)
  if (!response.ok) throw new Refused(saidIn(markup), response.status)
  return markup
}

/** The message of an error page, with its details. */
export function saidIn(markup: string): string {
  const page = parse(markup)
  const of = (selector: string) => page.querySelector(`.problem ${selector}`)?.textContent || undefined
  const details = [...page.querySelectorAll('.problem > ul > li')].map(({ textContent }) => textContent).join(' ')
  return saidBy({ message: details || of('h1 + p'), requestId: of('.request code'), status: Number(of('.status')) })
}

export function parse(markup: string): Document {
  return new DOMParser().parseFromString(markup, 'text/html')
}

function pathOf(url: string): string {
  return new URL(url, location.href).pathname
}
