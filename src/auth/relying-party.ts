import { isIP } from 'node:net'
import type { AttemptStore } from './stores.js'

/** For what passkeys are made, and where (WebAuthn Level 3 §4). It is of the panel's `url` alone: a header can be anybody's. */
export interface RelyingParty {
  /** The host, without a port. A browser uses a passkey for this host and no other. */
  readonly id: string
  /** The origin of the pages that may use one. */
  readonly origin: string
  /** What the browser calls the panel. */
  readonly name: string
  /** Remembers which challenges have been used. */
  readonly uses: AttemptStore
}

/** @param url one without `urlFault` */
export function relyingPartyOf(url: string, name: string, uses: AttemptStore): RelyingParty {
  const { hostname, origin } = new URL(url)
  return Object.freeze({ id: hostname, origin, name, uses })
}

/** Why browsers would make no passkey for a panel at this URL; null: they would. */
export function urlFault(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url))
    return 'passkeys are made for the address of the panel: give its public URL, on your own machine such as http://localhost:3000'
  const { protocol, hostname } = new URL(url)
  if (isIP(hostname) !== 0 || hostname.startsWith('['))
    return `browsers make passkeys for a name, not for the address ${hostname}${/^\[::1\]$|^127\./.test(hostname) ? ': give http://localhost' : ''}`
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? null : 'browsers make passkeys over https alone, except on localhost'
}
