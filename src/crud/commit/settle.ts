import { setImmediate } from 'node:timers/promises'
import type { Bound } from '../../field/field.js'
import { type KeyValue, keyText, parseKey } from '../../field/key.js'
import { storePlace } from '../../resource/relation/place.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads, Row, Writes } from '../../store/store.js'
import type { Call, Realm } from '../call/call.js'
import { lensOf, rowObject } from '../call/lens.js'
import { resourceNamed } from '../call/resource-named.js'
import { findByKey } from '../input/key.js'
import { keysIn } from '../relation/relation.js'
import { baseResource } from './audit.js'
import { runHook } from './run-hook.js'

type Tx = Reads & Writes
/** A call that need not be about a resource. */
type AnyCall = Omit<Call, 'resource' | 'preset' | 'store'>

/** A record whose `settled` is due. */
interface Due {
  readonly resource: Resource
  readonly key: KeyValue
}

/** What a transaction has written so far, as far as it is to be settled at its end. */
interface Unsettled {
  readonly due: Map<string, Due>
  /** How often each record was settled. */
  readonly times: Map<string, number>
  /** The record that is being settled: its own changes are no reason to do it again. */
  now: string | null
  /** How many writes of it are going on, within each other. */
  depth: number
}

const unsettled = new WeakMap<Tx, Unsettled>()

// Records that settle each other more often are taken for an endless loop.
const mostTimes = 16
// So are records that settle others which settle others again: a hook may create one after another.
const mostRounds = 1000

/**
 * Runs what writes in a transaction, and then `settled` of each record that it has written, or whose lists it has written to: at the end of
 * all, whatever is written within each other.
 */
export function withSettled<T>(call: AnyCall, tx: Tx, work: () => Promise<T>): Promise<T> {
  return anyHasSettled(call.realm) ? settlingAfter(call, tx, work) : work()
}

async function settlingAfter<T>(call: AnyCall, tx: Tx, work: () => Promise<T>): Promise<T> {
  const known = unsettled.get(tx)
  // A store may use the same object for one transaction after another.
  const open = known && known.depth > 0 ? known : { due: new Map(), times: new Map(), now: null, depth: 0 }
  unsettled.set(tx, open)
  open.depth++
  try {
    const done = await work()
    await runSettled(call, tx)
    return done
  } finally {
    open.depth--
  }
}

/** Settles what is due if nothing else is going on in the transaction. Returns whether any of it has written. */
export async function runSettled(call: AnyCall, tx: Tx): Promise<boolean> {
  const open = unsettled.get(tx)
  let wroteAny = false
  for (let round = 1; open && open.depth === 1 && open.due.size > 0; round++) {
    // In one order, since each of them is locked.
    for (const name of [...open.due.keys()].sort()) {
      const { key, resource } = open.due.get(name) as Due
      open.due.delete(name)
      const times = (open.times.get(name) ?? 0) + 1
      if (times > mostTimes || round > mostRounds)
        throw new Error(`A record of "${resource.uriKey}" is settled again and again: it would go on for ever`)
      open.times.set(name, times)
      open.now = name
      // Other requests have their turn.
      if (open.times.size % 50 === 49) await setImmediate()
      if (await settleOne({ ...call, resource, store: call.realm.storeOf(resource) }, tx, key)) wroteAny = true
      open.now = null
    }
  }
  return wroteAny
}

async function settleOne(call: Call, tx: Tx, key: KeyValue): Promise<boolean> {
  const { resource } = call
  const lens = lensOf(call.identity, resource, { name: 'record', whole: true })
  const row = await findByKey(tx, resource.model, key, lens, resource.records)
  // It was deleted with the rest.
  if (!row) return false
  const record = rowObject(lens.columns, row)
  return (await runHook(call, tx, (context) => resource.hooks.settled?.({ ...context, record }))).wrote
}

/** Whether any resource has `settled`. */
export const anyHasSettled = ({ resources }: Pick<Realm, 'resources'>): boolean =>
  [...resources.values()].some(({ hooks }) => hooks.settled)

/** Whether a write of this resource has anything to settle. */
export const hasSettled = (call: Pick<Call, 'realm' | 'resource'>): boolean => {
  if (!anyHasSettled(call.realm)) return false
  const resource = baseResource(call.resource)
  return resource.hooks.settled !== undefined || ownersOf(call.realm, resource).length > 0
}

/** Notes that a record was written, for what is to be settled at the end of the transaction. Null: it was not there before, or is not now. */
export function queueSettled(call: Call, tx: Tx, before: Row | null, after: Row | null): void {
  const open = unsettled.get(tx)
  if (!open || !hasSettled(call)) return
  const resource = baseResource(call.resource)
  const { at } = lensOf(call.identity, call.resource, { name: 'record', whole: true })
  const add = (one: Resource, key: KeyValue) => {
    const name = `${one.uriKey} ${keyText(key)}`
    if (name !== open.now) open.due.set(name, { resource: one, key })
  }
  if (after && resource.hooks.settled) add(resource, after[at.get(resource.model.key.key) as number] as KeyValue)
  for (const { owner, by } of ownersOf(call.realm, resource)) {
    for (const row of [before, after]) {
      for (const held of row ? keysIn(by, row[at.get(by.key) as number]) : []) {
        const key = parseKey(keyText(held as KeyValue), owner.model.key)
        if (key !== undefined) add(owner, key)
      }
    }
  }
}

/** A resource with `settled` that lists the records of another one, and the field that relates them to it. */
interface Owner {
  readonly owner: Resource
  readonly by: Bound
}

const owners = new WeakMap<Realm['resources'], Map<Resource, readonly Owner[]>>()

/** Those whose lists (`hasMany`) have the records of a resource, in the same database. */
function ownersOf({ resources, links, storeOf }: Realm, resource: Resource): readonly Owner[] {
  const known = owners.get(resources) ?? new Map<Resource, readonly Owner[]>()
  owners.set(resources, known)
  const found = known.get(resource) ?? [...resources.values()].flatMap((owner) => (owner.hooks.settled ? listedBy(owner) : []))
  known.set(resource, found)
  return found

  function listedBy(owner: Resource): readonly Owner[] {
    if (storePlace(storeOf(owner)) !== storePlace(storeOf(resource))) return []
    return owner.related.flatMap(({ by, table }) => {
      const other = resourceNamed(resources, table.resource)
      if (other.model.table !== resource.model.table) return []
      const fields = [...other.fields.values()].filter((one) => links.get(one) === owner && (by === null || one.key === by))
      return fields.map((by) => ({ owner, by }))
    })
  }
}
