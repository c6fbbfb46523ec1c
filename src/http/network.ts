import type { RequestHead } from '../auth/pipeline.js'
import { type Hosts, isLoopback } from './origin.js'

/** What is configured about the network between clients and us. */
export interface NetworkSettings {
  /** The panel's own origin, if its `url` names one. */
  readonly origin: string | null
  /** How many proxies are in front of us, each of which appends to `X-Forwarded-For`. */
  readonly proxies: number
  /** Whether a session cookie may travel over plain http beyond this machine. */
  readonly allowInsecure: boolean
}

/** Who sent a request, as far as the headers can be trusted. */
export interface Sender {
  /** Empty if unknown. */
  readonly address: string
  /** Whether it came over https. */
  readonly secure: boolean
  /** Whether a session cookie is safe on this connection. */
  readonly keepsCookies: boolean
}

/** Whether a session cookie is safe on every connection to us. */
export function keepsCookies({ origin, allowInsecure }: NetworkSettings, hosts: Hosts): boolean {
  return allowInsecure || (origin?.startsWith('https:') ?? false) || hosts === 'loopback' || (hosts?.every(isLoopback) ?? false)
}

/** @param peer the address of the direct connection */
export function senderOf(request: RequestHead, { origin, proxies, allowInsecure }: NetworkSettings, peer: string): Sender {
  const { headers } = request
  const secure =
    request.url.startsWith('https:') ||
    (origin?.startsWith('https:') ?? false) ||
    forwarded(headers.get('x-forwarded-proto'), proxies) === 'https'
  const host = headers.get('host') ?? new URL(request.url).host
  return {
    address: withoutPort(forwarded(headers.get('x-forwarded-for'), proxies) || null) ?? peer,
    secure,
    keepsCookies: secure || allowInsecure || (isLoopback(host) && (proxies > 0 || !comesFromElsewhere(request))),
  }
}

const telling = ['forwarded', 'x-forwarded-for', 'x-forwarded-host'] as const
const loopback = /^(?:::ffff:)?127\.|^::1$/

/**
 * Whether a proxy tells that the request came from another machine, though its `Host` is this one: many write a host of their own. It is
 * not named in `trustProxy`, so what it says counts only against the sender.
 */
function comesFromElsewhere({ headers }: RequestHead): boolean {
  if (!telling.some((name) => headers.has(name))) return false
  const told = headers.get('forwarded') ?? ''
  // RFC 7239: `for=192.0.2.1;host=panel.example, for="[2001:db8::1]:5678"`.
  const named = (pattern: RegExp) => [...told.matchAll(pattern)].map(([, value = '']) => value)
  const senders = [...listed(headers.get('x-forwarded-for')), ...named(/\bfor="?([^\s";,]+)/gi)]
  const hosts = [...listed(headers.get('x-forwarded-host')), ...named(/\bhost="?([^\s";,]+)/gi)]
  return senders.some((one) => !loopback.test(withoutPort(one) ?? '')) || hosts.some((one) => !isLoopback(one))
}

const listed = (header: string | null) => (header ?? '').split(',').flatMap((one) => one.trim() || [])

/** Some proxies append the port: `192.0.2.1:5678`, `[2001:db8::1]:5678`. It differs for each connection, so it is dropped. */
function withoutPort(address: string | null): string | null {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d+)?$|^([^:]+):\d+$/.exec(address ?? '') ?? []
  return bracketed ?? plain ?? address
}

/** The value that our outermost proxy added. Anyone may have written the entries to the left of it. */
function forwarded(header: string | null, proxies: number): string | null {
  if (header === null || proxies === 0) return null
  const all = header.split(',').map((one) => one.trim())
  return all.at(-proxies) || (all[0] ?? null)
}
