import type { Table } from 'drizzle-orm'
import { a, type Settings, settingFaults } from '../base/setting.js'
import type { Wired } from '../field/builder.js'
import type { Json, MarksOf } from '../field/field.js'
import { isAsync } from './action/policy.js'
import type { DeclaredOf, Names as NamesIn, TallyKey, Whole, Wire, WiredIn } from './condition/declared.js'
import type { Resource } from './resource.js'

/** What a webhook tells of: a record was created, changed, deleted, or taken back from the trash. */
export const webhookEvents = ['created', 'updated', 'deleted', 'restored'] as const
/** What a webhook tells of. */
export type WebhookEvent = (typeof webhookEvents)[number]

/** What has happened to a record, as a webhook would be told: with the fields that it sees, and their values in JSON. */
export interface WebhookMessage<U extends string = string, V = Readonly<Record<string, Json>>> {
  /** What has happened. */
  readonly event: WebhookEvent
  /** The `uriKey` of the record's resource. */
  readonly resource: U
  /** The record's key. */
  readonly key: Json
  /** The record as it is now, or as it was when it was deleted. */
  readonly record: V
  /** The earlier values of the fields that an update has changed; null: it was no update. */
  readonly previous: Partial<V> | null
  /** Who did it. */
  readonly user: { readonly id: string; readonly name: string }
}

/** The names of fields that not everybody sees, so that a webhook may not be told them. */
type HiddenKey<F> = { [K in keyof F]: 'hidden' extends MarksOf<F[K]> ? K & string : never }[keyof F]
/** What a webhook is told of a record: its fields, without what tells of related records. */
type Told<T extends Table, F> = {
  readonly [K in Exclude<NamesIn<F, T, never>, TallyKey<F> | HiddenKey<F>> & keyof Whole<T, F>]: ToldOf<F, K, Whole<T, F>[K]>
} & { readonly [K in HiddenKey<F> & keyof Whole<T, F>]?: ToldOf<F, K, Whole<T, F>[K]> }
type ToldOf<F, K, V> = K extends keyof F
  ? [Extract<MarksOf<F[K]>, Wired>] extends [never]
    ? Wire<V>
    : WiredIn<MarksOf<F[K]>> | Extract<V, null>
  : Wire<V>

/** What a webhook of these resources would be told: `resource` says of which of them. */
export type MessageOf<R extends Resource> = R extends { readonly uriKey: infer U extends string }
  ? DeclaredOf<R> extends { readonly table: infer T extends Table; readonly fields: infer F }
    ? WebhookMessage<U, Told<T, F>>
    : WebhookMessage
  : never

/**
 * Another service that is told what happens to records, by a signed POST of JSON (Standard Webhooks). What is told is stored in the
 * transaction of the write, and sent until the service has taken it.
 */
export interface Webhook<R extends Resource = Resource> {
  /** Names it among the panel's deliveries. Lower-case letters, digits and hyphens; unique in the panel. */
  readonly name: string
  /** Where messages are posted to: an absolute URL with http or https. */
  readonly url: string
  /**
   * Signs the messages: base64 of 24 to 64 bytes, with or without `whsec_` before it. While you replace it, a list of the new one and the
   * old one; messages then carry a signature of each.
   */
  readonly secret: string | readonly string[]
  /** The resources whose records it tells of. They are in the panel's `database`. */
  readonly of: readonly R[]
  /** What it tells of. Default: everything. */
  readonly on?: readonly WebhookEvent[]
  /**
   * Which of these it is told: those for which this returns true. It runs in the transaction of the write, so it answers at once. If it
   * throws, or returns anything else than true or false, the message is not sent, and the log says so. Default: all.
   */
  when?(message: MessageOf<R>): boolean
  /**
   * Which fields it sees: those that users with these roles may see. It is told of every record that `when` does not leave out: policies and
   * scopes are about users. Default: none.
   */
  readonly roles?: readonly string[]
  /**
   * How many seconds to wait before each further attempt; after the last, the delivery has failed. Default: 5 s, 5 and 30 min, 2, 5, 10, 14,
   * 20 and 24 h.
   */
  readonly retryAfter?: readonly number[]
  /** How many seconds the service has to answer. Default: 15. */
  readonly timeout?: number
}

/**
 * Declares a webhook whose `when` knows the fields of its resources. The same object without this function is one, too: its `when` takes any
 * name.
 *
 * @example
 * ```ts
 * import { defineResource, defineWebhook, id, select } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const invoices = sqliteTable('invoices', { id: integer().primaryKey(), state: text({ enum: ['open', 'paid'] }).notNull() })
 * const Invoices = defineResource({ model: invoices, fields: { id: id(), state: select('State').options(['open', 'paid']) } })
 *
 * export const accounting = defineWebhook({
 *   name: 'accounting',
 *   url: 'https://accounting.example.com/hooks/paid',
 *   secret: process.env.ACCOUNTING_SECRET ?? '',
 *   of: [Invoices],
 *   when: ({ record, previous }) => record.state === 'paid' && previous?.state !== undefined,
 * })
 * ```
 */
export function defineWebhook<const R extends Resource>(webhook: Webhook<R>): Webhook {
  return Object.freeze({ ...webhook })
}

const hour = 3600
/** As Standard Webhooks suggests. */
export const usualRetries: readonly number[] = [5, 300, 1800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)]
export const usualTimeout = 15

// Of `a.value`, more is told below.
const ofWebhooks: Settings<Webhook> = {
  name: a.value,
  url: a.value,
  secret: a.value,
  of: a.value,
  on: a.list(a.literal(...webhookEvents)),
  when: a.function,
  roles: a.list(a.text, 'a list of roles'),
  retryAfter: a.value,
  timeout: a.value,
}
const [fewestBytes, mostBytes] = [24, 64]

/** What is wrong with the declarations, each with the place of its setting. */
export function webhookFaults(
  all: readonly Webhook[],
  resources: readonly Resource[],
): readonly (readonly [where: string, text: string])[] {
  const names = new Set<string>()
  return all.flatMap((one, i) => {
    const at = `webhooks[${i}]`
    if (typeof one !== 'object' || one === null) return [[at, 'must be an object with name, url, secret and of']] as const
    const faults = settingFaults(one, ofWebhooks, at).map((fault) => [fault.at, fault.text] as const)
    faults.push(...[...faultsOf(one, resources)].map(([name, text]) => [`${at}.${name}`, text] as const))
    if (names.has(one.name)) faults.push([`${at}.name`, `"${one.name}" is the name of another one`])
    names.add(one.name)
    return faults
  })
}

function* faultsOf(one: Webhook, resources: readonly Resource[]): Generator<readonly [name: string, text: string]> {
  const { name, url, secret, of, on, when, retryAfter = [], timeout = usualTimeout } = one
  if (typeof name !== 'string' || !/^[a-z0-9-]{1,64}$/.test(name))
    yield ['name', `"${name}" must be lower-case letters, digits and hyphens, at most 64`]
  const to = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null
  if (!to || !/^https?:$/.test(to.protocol)) yield ['url', `"${url}" is not an absolute URL with http or https`]
  else if (to.username !== '' || to.password !== '') yield ['url', 'may not hold a username or password: messages are signed instead']
  const secrets = [secret].flat()
  if (secrets.length === 0 || secrets.some((text) => secretBytes(text) === null))
    yield [
      'secret',
      `must be base64 of ${fewestBytes} to ${mostBytes} bytes, or a list of such. Make one with: echo whsec_$(openssl rand -base64 32)`,
    ]
  if (!Array.isArray(of) || of.length === 0) yield ['of', 'name the resources whose records it tells of']
  for (const resource of Array.isArray(of) ? of : []) {
    if (resource?.trashOf) yield ['of', `"${resource.uriKey}" is a trash: name its resource, which tells what is restored`]
    else if (!resources.includes(resource))
      yield ['of', `"${resource?.uriKey ?? resource}" is no resource of the panel: add it to \`resources\``]
  }
  if (Array.isArray(on) && on.length === 0) yield ['on', `names what it tells of: some of ${webhookEvents.join(', ')}`]
  if (isAsync(when)) yield ['when', 'must return true or false at once, not a promise']
  if (!Array.isArray(retryAfter) || retryAfter.some((seconds) => !(Number.isFinite(seconds) && seconds >= 0)))
    yield ['retryAfter', 'must be a list of seconds']
  if (!(Number.isFinite(timeout) && timeout > 0)) yield ['timeout', `${timeout} is not a number of seconds`]
}

/** The bytes of a secret; null: it is none. */
export function secretBytes(secret: unknown): Buffer | null {
  const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : ''
  const bytes = Buffer.from(text, 'base64')
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  return isBase64 && bytes.length >= fewestBytes && bytes.length <= mostBytes ? bytes : null
}
