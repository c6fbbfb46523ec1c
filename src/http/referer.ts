import type { RequestHead } from '../auth/pipeline.js'

/** The local path of the page that sent the request. */
export function refererPath({ headers, url }: RequestHead): string | null {
  const referer = headers.get('referer')
  if (referer === null || !URL.canParse(referer)) return null
  const [from, here] = [new URL(referer), new URL(url)]
  // A path that begins with two slashes would name another host.
  return from.origin === here.origin && !from.pathname.startsWith('//') ? from.pathname + from.search : null
}
