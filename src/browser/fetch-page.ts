import { saidBy, text } from './parts.js'

/** What an answer says is wrong, in words for people. */
export class Refused extends Error {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * Fetches a page or a part of one, as markup.
 *
 * @throws Refused for anything but markup that is what was asked for; an AbortError where `signal` ends it
 */
export async function fetchPage(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/html' }, signal }).catch((thrown: unknown) => {
    throw signal.aborted ? thrown : new Refused(text('lost'), 0)
  })
  const markup = await response.text()
  // Who is signed out is led to another page, which is not the one that was asked for.
  if (response.status === 401 || (response.redirected && pathOf(response.url) !== pathOf(url))) throw new Refused(text('signedOut'), 401)
  if (!response.ok) throw new Refused(saidIn(markup), response.status)
  return markup
}

/** An error page says in its own words what is wrong, and of what. */
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
