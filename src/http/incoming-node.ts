import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { rememberedText } from '../field/remembered.js'
import { BodyTakenError, type Head, type IncomingRequest } from './incoming.js'

/**
 * Reads a `node:http` request without making a web Request, which would take longer than reading a record.
 *
 * @param slowest how long a body may take, and each piece of a file, in milliseconds; null: the server watches that itself
 * @throws TypeError for a request without a valid host or path
 */
export function fromNode(incoming: IncomingMessage, slowest: number | null = null): IncomingRequest {
  const { rawHeaders } = incoming
  return {
    method: incoming.method ?? 'GET',
    url: urlOf(incoming),
    headers: { get: (name) => headerOf(rawHeaders, name), has: (name) => headerOf(rawHeaders, name) !== null },
    read: (limit) => read(incoming, limit, slowest),
    stream: () => stream(incoming, slowest),
    head: () => (incoming.method === 'GET' ? headOf(incoming) : null),
  }
}

/** Like `Headers.get`: repeated headers are joined into one list. `name` must be in lower case. */
function headerOf(raw: readonly string[], name: string): string | null {
  let found: string | null = null
  for (let i = 0; i < raw.length; i += 2) {
    const written = raw[i] as string
    if (written.length !== name.length || written.toLowerCase() !== name) continue
    const value = raw[i + 1] as string
    found = found === null ? value : `${found}${name === 'cookie' ? ';' : ','} ${value}`
  }
  return found
}

// The fast path: URLs of this shape are already normalized. Any other goes through the URL parser, which normalizes it as a browser would.
const plainHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?:[1-9]\d{3,4}))?$/
// `localhost:99999` and `1.2.3.999` look like hosts, and no URL can hold them.
const isHost = rememberedText((host) => URL.canParse(`http://${host}`))
const plainTarget = /^\/(?!\/)[\w!$%&()*+,\-./:;=?@[\]~]*$/
const stepsInPath = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i

/**
 * What proxies and tracers number each request with: with them, no head would ever come again. Only headers that no answer of the panel
 * depends on, and that no authenticator knows a caller by: `baggage` may hold anything, so it is none of them.
 */
const numbering: ReadonlySet<string> = new Set([
  // W3C Trace Context.
  'traceparent',
  'tracestate',
  // By custom.
  'x-request-id',
  'x-correlation-id',
  'request-id',
  'correlation-id',
  'x-request-start',
  'x-queue-start',
  // Zipkin, Jaeger, Sentry, Datadog.
  'b3',
  'x-b3-traceid',
  'x-b3-spanid',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'uber-trace-id',
  'sentry-trace',
  'x-datadog-trace-id',
  'x-datadog-parent-id',
  'x-datadog-sampling-priority',
  // Amazon, Google, Azure, Cloudflare, Fly, Vercel.
  'x-amzn-trace-id',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-azure-ref',
  'cf-ray',
  'fly-request-id',
  'x-vercel-id',
])
const isNumbering = rememberedText((name) => numbering.has(name.toLowerCase()))

/** Joining by line ends is unambiguous: no part of a head can contain one. */
function headOf(incoming: IncomingMessage): Head {
  const { rawHeaders, url = '' } = incoming
  const scheme = isEncrypted(incoming) ? 's' : ''
  let mark = markOf(0, url) ^ scheme.length
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (!isNumbering(name)) mark = markOf(markOf(mark, name), rawHeaders[i + 1] as string)
  }
  const lasting = () => rawHeaders.filter((_, i) => !isNumbering(rawHeaders[i - (i % 2)] as string))
  return { mark, text: () => `${scheme}${url}\n${lasting().join('\n')}` }
}

/** 32-bit FNV-1a. */
function markOf(from: number, text: string): number {
  let mark = from
  for (let i = 0; i < text.length; i++) mark = Math.imul(mark ^ text.charCodeAt(i), 16_777_619)
  return mark
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}

function urlOf(incoming: IncomingMessage): string {
  const { rawHeaders, url: target = '' } = incoming
  // HTTP/2 sends `:authority`. Two Host headers, joined by a comma, are refused below (RFC 9112 §3.2).
  const host = headerOf(rawHeaders, 'host') ?? headerOf(rawHeaders, ':authority') ?? unnamed(incoming)
  const scheme = isEncrypted(incoming) ? 'https' : 'http'
  if (plainHost.test(host) && isHost(host) && plainTarget.test(target) && !stepsInPath.test(target)) return `${scheme}://${host}${target}`
  if (host === '' || /[\s/?#@\\]/.test(host)) throw new TypeError('Not a host')
  if (/^[^?]*\\/.test(target)) throw new TypeError('A path has no backslash')
  // Requests to proxies have absolute URLs, and some proxies pass them on unchanged.
  if (!/^(?:\/|https?:\/\/)/.test(target)) throw new TypeError('Not a path')
  return new URL(target.startsWith('/') ? `${scheme}://${host}${target}` : target).href
}

/** HTTP/1.0, which many health checks still use, has no Host header. */
const unnamed = ({ httpVersion }: IncomingMessage) => (httpVersion === '1.0' ? 'localhost' : '')

/** Why the body cannot be read from its beginning any more; null: it can. An iterator would say that it is shorter, or empty. */
function whyOver({ readableDidRead, readableEnded, destroyed }: IncomingMessage): Error | null {
  if (readableDidRead || readableEnded) return new BodyTakenError()
  return destroyed ? gone() : null
}

const gone = () => new Error('The sender went away')

function read(incoming: IncomingMessage, limit: number, slowest: number | null): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const done = (end: () => void) => {
      incoming.off('data', take).off('end', whole).off('error', reject).off('close', cut)
      if (late) clearTimeout(late)
      end()
    }
    const whole = () => done(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const cut = () => done(() => reject(gone()))
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > limit) whole()
    }
    const late = slowest === null ? null : setTimeout(cut, slowest)
    const over = whyOver(incoming)
    if (over) return done(() => reject(over))
    incoming.on('data', take).on('end', whole).on('error', reject).on('close', cut)
  })
}

/** Leaves the connection open where reading stops early, so that the reply still arrives. */
async function* stream(incoming: IncomingMessage, slowest: number | null): AsyncGenerator<Uint8Array> {
  const over = whyOver(incoming)
  if (over) throw over
  const late = slowest === null ? null : setTimeout(() => incoming.destroy(new Error('The sender is too slow')), slowest)
  try {
    for await (const piece of incoming.iterator({ destroyOnReturn: false })) {
      late?.refresh()
      yield piece
    }
  } finally {
    if (late) clearTimeout(late)
  }
  if (!incoming.complete) throw gone()
}
