import type { RequestHead } from '../auth/pipeline.js'
import { type Hosts, isLoopback } from './origin.js'

/** What is known of the way between a client and us. */
export interface Way {
  /** The panel's own origin, where its `url` says one. */
  readonly origin: string | null
  /** How many proxies stand before us, each of which adds to `X-Forwarded-For`. */
  readonly proxies: number
  /** Whether a session's cookie may travel over plain http beyond this machine. */
  readonly allowInsecure: boolean
}

/** Who sent a request, as far as can be believed. */
export interface Sender {
  /** Empty where nobody knows it. */
  readonly address: string
  /** Whether it came over https. */
  readonly secure: boolean
  /** Whether a session's cookie stays between the two of us. */
  readonly keepsCookies: boolean
}

/** Whether a session's cookie is kept on every way that leads to us. */
export function keepsCookies({ origin, allowInsecure }: Way, hosts: Hosts): boolean {
  return allowInsecure || (origin?.startsWith('https:') ?? false) || hosts === 'loopback' || (hosts?.every(isLoopback) ?? false)
}

/** @param peer the address of the connection itself */
export function senderOf(request: RequestHead, { origin, proxies, allowInsecure }: Way, peer: string): Sender {
  const { headers } = request
  const secure =
    request.url.startsWith('https:') ||
    (origin?.startsWith('https:') ?? false) ||
    forwarded(headers.get('x-forwarded-proto'), proxies) === 'https'
  const host = headers.get('host') ?? new URL(request.url).host
  return {
    address: withoutPort(forwarded(headers.get('x-forwarded-for'), proxies)) ?? peer,
    secure,
    keepsCookies: secure || allowInsecure || isLoopback(host),
  }
}

/** Some proxies write the port beside the address: `192.0.2.1:5678`, `[2001:db8::1]:5678`. Each connection has another one. */
function withoutPort(address: string | null): string | null {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d+)?$|^([^:]+):\d+$/.exec(address ?? '') ?? []
  return bracketed ?? plain ?? address
}

/** What the outermost of our own proxies saw. Whatever stands further left, anybody may have written. */
function forwarded(header: string | null, proxies: number): string | null {
  if (header === null || proxies === 0) return null
  const all = header.split(',').map((one) => one.trim())
  return all.at(-proxies) || (all[0] ?? null)
}
