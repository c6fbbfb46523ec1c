import { setMaxListeners } from 'node:events'
import { inspect } from 'node:util'
import type { Identity } from '../../auth/identity.js'
import { makeDetached } from '../../base/detached.js'
import { isLater } from '../../base/later.js'
import type { Resource } from '../../resource/resource.js'
import { usualRetries, usualTimeout, type Webhook, type WebhookEvent, type WebhookMessage, webhookEvents } from '../../resource/webhook.js'
import type { DeliveryStore, Due } from '../../store/panel/deliveries.js'

/** A webhook that is told of a resource. */
export interface ResourceWebhook {
  readonly name: string
  readonly on: ReadonlySet<WebhookEvent>
  /** Whether it is to be told this. */
  wants(message: WebhookMessage): boolean
  /** Whose roles say which fields it sees. */
  readonly reader: Identity
}

/** The webhooks of a panel. */
export interface Webhooks extends Pick<DeliveryStore, 'open' | 'add'> {
  /** Those that are told of a resource. */
  of(resource: Resource): readonly ResourceWebhook[]
  /** Sends what is due from now on, whoever has written it. */
  start(): void
  /** Sends what has just been written of a resource. */
  soon(resource: Resource): void
  /** Sends nothing more, and waits for what is being sent: some seconds, then the next process sends it again. */
  close(): Promise<void>
}

/** What became of an attempt to send a message. */
export interface Attempt {
  /** Whether the service has taken it. */
  readonly took: boolean
  /** What it answered, or why there is no answer. */
  readonly said: string
  /** Whether it wants no message any more. */
  readonly gone: boolean
  /** How many milliseconds it asks to wait; 0: it does not say. */
  readonly wait: number
}

/** Posts a message. It gives up when `signal` aborts. */
export type Send = (webhook: Webhook, due: Due, signal: AbortSignal) => Promise<Attempt>

const second = 1000
const hour = 3600 * second
const day = 24 * hour
/** How many messages are sent to a webhook at once. */
const lanes = 8
/** How often to look for what other processes have left. */
const idle = 10 * second
/** When to look again after a write: one within a transaction of others is there only once that has ended. */
const pauses = [0.05 * second, 0.5 * second, 2 * second]
/** How much longer than its timeout a message belongs to who sends it. */
const slack = 30 * second
/** How long `close` waits. */
const patience = 3 * second
const keptFor = { sent: 7 * day, failed: 30 * day }
const none: readonly ResourceWebhook[] = []

/** @param failed receives what could not be delivered, or went wrong meanwhile */
export function makeWebhooks(
  declared: readonly Webhook[],
  store: DeliveryStore,
  send: Send,
  failed: (webhook: string, thrown: unknown) => void,
): Webhooks {
  const told = toldBy(declared, failed)
  const detached = makeDetached()
  const closing = new AbortController()
  // Each message that is being sent listens to it.
  setMaxListeners(0, closing.signal)
  // Each has its own: one that does not answer holds up no other.
  const senders = new Map(declared.map((webhook) => [webhook.name, makeSender(webhook, store, send, closing.signal, failed)]))

  const forget = () => {
    const now = Date.now()
    store.forget({ sent: new Date(now - keptFor.sent), failed: new Date(now - keptFor.failed) }).catch((thrown) => failed('', thrown))
  }

  let hourly: NodeJS.Timeout | undefined
  let closed = false
  const start = () => {
    if (hourly || closed) return false
    hourly = setInterval(forget, hour).unref()
    forget()
    return true
  }
  return {
    open: store.open,
    add: store.add,
    of: ({ uriKey }) => told.get(uriKey) ?? none,
    start() {
      if (start()) for (const one of senders.values()) one.soon()
    },
    // Whoever writes may be in a transaction still, in which nothing else can be written.
    soon: ({ uriKey }) =>
      detached(() => {
        start()
        for (const { name } of told.get(uriKey) ?? none) senders.get(name)?.soon()
      }),
    async close() {
      closed = true
      clearInterval(hourly)
      const late = setTimeout(() => closing.abort(), patience)
      await Promise.all([...senders.values()].map((one) => one.close()))
      clearTimeout(late)
    },
  }
}

interface Sender {
  soon(): void
  close(): Promise<void>
}

function makeSender(
  webhook: Webhook,
  store: DeliveryStore,
  send: Send,
  closing: AbortSignal,
  failed: (webhook: string, thrown: unknown) => void,
): Sender {
  const { name, retryAfter = usualRetries, timeout = usualTimeout } = webhook
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let wanted = false
  /** How many quick looks are left. */
  let quick = 0

  function look(after: number): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(begin, Math.min(idle, Math.max(0, after))).unref()
  }

  function begin(): void {
    wanted = running !== null
    running ??= deliver().finally(() => {
      running = null
      if (wanted) look(0)
    })
  }

  /** Sends all that is due, and looks again when more is. */
  async function deliver(): Promise<void> {
    try {
      while (!closed) {
        const due = await store.take(name, lanes, timeout * second + slack)
        if (due.length === 0) break
        await Promise.all(due.map(attempt))
      }
      const next = closed ? null : await store.next(name)
      const pause = quick > 0 ? (pauses[pauses.length - quick--] as number) : idle
      look(next === null ? pause : Math.min(pause, next.getTime() - Date.now()))
    } catch (thrown) {
      failed(name, thrown)
      look(idle)
    }
  }

  async function attempt(due: Due): Promise<void> {
    const { took, said, gone, wait } = await sent(due)
    if (took) return store.ended(due, said, 'sent', null)
    if (closing.aborted) return store.giveBack(due)
    const pause = retryAfter[due.attempts]
    if (gone || pause === undefined) {
      await store.ended(due, said, 'failed', null)
      failed(name, new Error(`${due.type} ${due.record} could not be delivered (${due.id}): ${said}`))
      return
    }
    // Those that failed together do not come again together.
    const again = Math.max(pause * second * (1 + Math.random() / 10), Math.min(wait, day))
    await store.ended(due, said, 'waiting', new Date(Date.now() + again))
  }

  /** Gives up after the timeout. `AbortSignal.any` does not hold the signal of a timeout, which then never comes (nodejs/node#57736). */
  async function sent(due: Due): Promise<Attempt> {
    const giving = new AbortController()
    const late = setTimeout(() => giving.abort(new DOMException('No answer in time', 'TimeoutError')), timeout * second)
    const stop = () => giving.abort()
    closing.addEventListener('abort', stop)
    if (closing.aborted) stop()
    try {
      return await send(webhook, due, giving.signal)
    } finally {
      clearTimeout(late)
      closing.removeEventListener('abort', stop)
    }
  }

  return {
    soon() {
      quick = pauses.length
      look(0)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** By the name of a resource: in each language of a panel it is another object. */
function toldBy(
  declared: readonly Webhook[],
  failed: (webhook: string, thrown: unknown) => void,
): ReadonlyMap<string, readonly ResourceWebhook[]> {
  const all = new Map<string, ResourceWebhook[]>()
  for (const webhook of declared) {
    const { name, of, on = webhookEvents, roles = [] } = webhook
    const reader: Identity = Object.freeze({ id: '', username: '', name, roles })
    const one: ResourceWebhook = { name, on: new Set(on), wants: (message) => isWanted(webhook, message, failed), reader }
    for (const { uriKey } of new Set(of)) all.set(uriKey, [...(all.get(uriKey) ?? []), one])
  }
  return all
}

/** A condition that fails says no, as a policy does: a service may have to know of some records only. It refuses no write. */
function isWanted({ name, when }: Webhook, message: WebhookMessage, failed: (webhook: string, thrown: unknown) => void): boolean {
  try {
    const wanted: unknown = when ? when(message) : true
    if (typeof wanted === 'boolean') return wanted
    // Nobody else waits for a promise, and one that is rejected would end the process.
    if (isLater(wanted)) Promise.resolve(wanted).catch(() => {})
    throw new TypeError('it must return true or false')
  } catch (thrown) {
    const { resource, event, key } = message
    const { message: why, stack = '' } = thrown instanceof Error ? thrown : new Error(inspect(thrown))
    const error = new Error(`${resource}.${event} ${key} is not told, since \`when\` failed: ${why}`)
    // Its own would lead here.
    error.stack = stack
    failed(name, error)
    return false
  }
}
