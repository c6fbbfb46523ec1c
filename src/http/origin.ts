import type { RequestHead } from '../auth/pipeline.js'
import { DaymarkError } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { rememberedText } from '../field/remembered.js'

/** The hosts a panel answers for: this machine's own, those listed (with or without a port), or all (null). */
export type Hosts = 'loopback' | readonly string[] | null

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Guards against DNS rebinding: a foreign page can resolve its own name to this machine, but its requests then carry that name as host.
 *
 * @throws DaymarkError `misdirected`
 */
export function checkHost(request: RequestHead, hosts: Hosts, t: Translate): void {
  if (hosts === null) return
  const named = request.headers.get('host')
  const written = hostOf(request.url)
  const ok = answersFor(hosts, written) && (named === null || named === written || answersFor(hosts, named))
  if (!ok) throw new DaymarkError('misdirected', t('request.host'))
}

/**
 * A loopback panel serves no other machine, whatever address it listens on.
 *
 * @throws DaymarkError `misdirected`
 */
export function checkPeer({ address }: { readonly address: string }, hosts: Hosts, t: Translate): void {
  if (hosts !== 'loopback' || address === '' || /^(?:::ffff:)?127\.|^::1$/.test(address)) return
  throw new DaymarkError('misdirected', t('request.host'))
}

/**
 * Refuses changes that a browser sends from a foreign page. A caller that sends neither header is not a browser.
 *
 * @param also further origins that count as ours
 * @throws DaymarkError `forbidden`
 */
export function checkOrigin(request: RequestHead, t: Translate, also: () => readonly (string | null)[] = () => []): void {
  if (safe.has(request.method)) return
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  const ours =
    (origin !== null && also().includes(origin)) ||
    (site !== null ? site === 'same-origin' || site === 'none' : origin === null || origin === originOf(request))
  if (!ours) throw new DaymarkError('forbidden', t('request.foreign'))
}

/** Whether a host, with or without a port, is this machine. */
export function isLoopback(host: string): boolean {
  return loopback.has(nameOf(host))
}

// Cached: a panel sees the same few hosts again and again.
const nameOf = rememberedText((host) => host.toLowerCase().replace(/:\d*$/, ''))

function answersFor(hosts: Exclude<Hosts, null>, host: string): boolean {
  const name = nameOf(host)
  if (hosts === 'loopback') return loopback.has(name)
  const whole = host.toLowerCase()
  return hosts.some((one) => one.toLowerCase() === whole || one.toLowerCase() === name)
}

/** The host of an absolute URL exactly as written, with its port. */
function hostOf(url: string): string {
  const start = url.indexOf('://') + 3
  const end = url.slice(start).search(/[/?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

/** A request's origin as browsers write it: without the scheme's default port. */
function originOf(request: RequestHead): string | null {
  const { protocol, host } = new URL(request.url)
  const named = `${protocol}//${request.headers.get('host') ?? host}`
  return URL.canParse(named) ? new URL(named).origin : null
}
