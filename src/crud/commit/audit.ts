import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../field/field.js'
import type { Resource } from '../../resource/resource.js'
import { isTold } from '../../resource/tally.js'
import type { WebhookEvent } from '../../resource/webhook.js'
import type { Last } from '../../store/ending.js'
import type { Reads, Row, Writes } from '../../store/store.js'
import { actual } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import type { ResourceWebhook } from '../realm/webhooks.js'
import { addAccountEvents, hasAccountEvents } from './account-events.js'
import { keepsHistory, type WriteKind, writeHistory } from './write-history.js'

interface Within {
  readonly raw: Reads & Writes
  readonly last?: Last | undefined
  readonly lens: Lens
}

/**
 * Whether something is written about each write of this call: its history, messages to webhooks, what it means to an account, or to the
 * notifications of a user.
 */
export const isAudited = (call: Pick<Call, 'realm' | 'resource'>): boolean =>
  keepsHistory(call) || webhooksOf(call).length > 0 || hasAccountEvents(call) || isOfUsers(call)

const isOfUsers = ({ realm, resource }: Pick<Call, 'realm' | 'resource'>) => realm.notifications?.areUsers(resource.model.table) ?? false

const nobody: readonly ResourceWebhook[] = []

/** The webhooks that are told of this call's records. Those of a trash are told as those of its resource. */
export const webhooksOf = ({ realm, resource }: Pick<Call, 'realm' | 'resource'>): readonly ResourceWebhook[] =>
  realm.webhooks?.of(baseResource(resource)) ?? nobody

/** The resource of a trash; else the resource itself. */
export const baseResource = (resource: Resource) => resource.trashOf ?? resource

/**
 * Writes what is written about a write of a record, in its transaction. Null: the record did not exist before, or does not exist any more.
 *
 * @param within with `last`, it ends the transaction where nothing follows
 */
export async function auditWrite(call: Call, within: Within, action: WriteKind, before: Row | null, after: Row | null): Promise<void> {
  if (hasAccountEvents(call)) await addAccountEvents(call, within.raw, within.lens, before, after)
  if (isOfUsers(call) && before && !after) await call.realm.notifications?.removeOf(within.raw, within.lens.key(before))
  const messages = messagesOf(call, action, before, after)
  if (keepsHistory(call)) await writeHistory(call, messages.length > 0 ? { ...within, last: undefined } : within, action, before, after)
  for (const [i, message] of messages.entries())
    await call.realm.webhooks?.add(within.raw, i === messages.length - 1 ? within.last : undefined, message)
}

function messagesOf(call: Call, action: WriteKind, before: Row | null, after: Row | null) {
  const event = eventOf(action, call.resource)
  const row = after ?? before
  if (event === null || row === null) return []
  const of = baseResource(call.resource)
  const key = of.model.key.key
  return webhooksOf(call).flatMap(({ name, on, wants, reader }) => {
    if (!on.has(event)) return []
    // No computed values: one that fails for a record must not prevent its correction. Nor what tells of other records.
    const lens = lensOf(reader, of, { name: 'record', whole: true, only: [...of.fields.keys()].filter((key) => !isTold(of.model, key)) })
    const record = lens.record(row)
    const previous = event === 'updated' && before ? changed(lens.record(before), record) : null
    if (previous && Object.keys(previous).length === 0) return []
    const { id, name: userName } = actual(call.identity)
    const type = `${of.uriKey}.${event}`
    const [resource, user] = [of.uriKey, { id, name: userName }]
    const data = { resource, key: record[key], record, ...(previous && { previous }), user }
    // Before code of the user's gets these very objects.
    const body = JSON.stringify({ type, timestamp: new Date(), data })
    const isWanted = wants({ event, resource, key: record[key] ?? null, record, previous, user })
    return isWanted ? [{ webhook: name, type, record: lens.key(row), body }] : []
  })
}

/** What is deleted for good has been told as deleted when it came into the trash. */
function eventOf(action: WriteKind, { trashOf }: Resource): WebhookEvent | null {
  if (action === 'create') return 'created'
  if (action === 'update') return trashOf ? 'restored' : 'updated'
  return trashOf ? null : 'deleted'
}

/** The earlier values of the fields that have changed. */
function changed(before: Record<string, Json>, after: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, after[name])))
}
