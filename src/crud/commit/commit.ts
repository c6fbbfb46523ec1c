import { DaymarkError } from '../../base/errors.js'
import type { KeyValue } from '../../field/key.js'
import { endingOf, type Last } from '../../store/ending.js'
import type { Reads, Row, Writes } from '../../store/store.js'
import { scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf } from '../call/lens.js'
import { tablesReady } from '../call/tables-ready.js'
import { findByKey, notFoundError } from '../input/key.js'
import { baseResource, webhooksOf } from './audit.js'
import { conflictOf, rememberDelete } from './conflict.js'
import { explainRefusal } from './explain-refusal.js'
import { fileFields } from './record-files.js'
import { anyHasSettled, hasSettled, withSettled } from './settle.js'
import { rememberWrite } from './taken-in-trash.js'

export type Tx = Reads & Writes
/** Stored values by column. */
export type StoredValues = Record<string, unknown>

/** What a write works with. */
export interface WriteContext {
  readonly tx: Tx
  /** The transaction of the store itself. A nested write uses it, since it words its refusals itself. */
  readonly raw: Tx
  readonly lens: Lens
  /** Ends the transaction with its last write, if the store supports that. */
  readonly last: Last | undefined
}

export type Work<T> = (within: WriteContext) => Promise<T>

/**
 * Every write goes through here: a transaction in which the record is read, compared with the version, checked, passed to the hooks,
 * written and read again. Any refusal rolls back all of it.
 *
 * @param trusted whether no user code runs in it, which could call the store itself
 * @param deletes the keys that it deletes
 */
export async function commit<T>(call: Call, work: Work<T>, trusted: boolean, deletes?: () => readonly KeyValue[]): Promise<T> {
  const lens = lensOf(call.identity, call.resource, { name: 'record', whole: true })
  // For values that are taken, remember which they were.
  const said: Saying = (thrown, values) => {
    const refused = conflictOf(thrown, lens, call.realm, call.identity)
    rememberWrite(refused, call, values)
    throw refused
  }
  // For deletes, remember which records the store refused to delete. A hook that refuses one has its own words.
  const kept = (thrown: unknown) => {
    const refused = conflictOf(thrown, lens, call.realm, call.identity)
    if (deletes) rememberDelete(refused, call, deletes())
    throw refused
  }
  let worked = true
  const guarded = async (tx: Tx, last?: Last) => {
    // A store may run this function again.
    worked = true
    try {
      const ending = last && endsByItself(call) ? wordedLast(last, said, kept) : undefined
      return await withSettled(call, tx, () => work({ tx: worded(tx, said, kept), raw: tx, lens, last: ending }))
    } catch (thrown) {
      worked = false
      throw thrown
    }
  }
  const opening = tablesReady(call)
  if (opening) await opening
  try {
    const result = await endingOf(call.store)(guarded, { until: call.until, trusted: trusted && !hasSettled(call) })
    if (holdsFiles(call)) call.realm.files?.removeSoon()
    if (webhooksOf(call).length > 0) call.realm.webhooks?.soon(baseResource(call.resource))
    return result
  } catch (thrown) {
    // If the work succeeded, the commit itself was refused: a deferred constraint.
    const refused = worked ? conflictOf(thrown, lens, call.realm, call.identity) : thrown
    if (worked && deletes) rememberDelete(refused, call, deletes())
    throw call.inside ? refused : await explainRefusal(refused, call.realm)
  }
}

export const holdsFiles = ({ resource }: Call) => fileFields(resource).length > 0

/** Whether nothing is left to be settled after the last write of a call itself: neither it nor what hooks write has anything. */
const endsByItself = (call: Call) => !anyHasSettled(call.realm) || (isTrusted(call) && !hasSettled(call))

export const isTrusted = ({ resource }: Call) => Object.keys(resource.hooks).length === 0

/** Rewords the refusal of a write of values. */
type Saying = (thrown: unknown, values: StoredValues) => never

/** Wraps a transaction to reword its refusals for the caller: those of deletes by `unchangedError`. */
function worded(tx: Tx, said: Saying, kept: (thrown: unknown) => never): Tx {
  return {
    list: (...asked) => tx.list(...asked),
    count: (...asked) => tx.count(...asked),
    aggregate: (...asked) => tx.aggregate(...asked),
    find: (...asked) => tx.find(...asked),
    findMany: (...asked) => tx.findMany(...asked),
    create: (model, values) => tx.create(model, values).catch((thrown) => said(thrown, values)),
    update: (model, key, values) => tx.update(model, key, values).catch((thrown) => said(thrown, values)),
    delete: (...asked) => tx.delete(...asked).catch(kept),
    deleteMany: (...asked) => tx.deleteMany(...asked).catch(kept),
  }
}

function wordedLast(last: Last, said: Saying, kept: (thrown: unknown) => never): Last {
  return {
    can: (...asked) => last.can(...asked),
    create: (model, values, columns) => last.create(model, values, columns).catch((thrown) => said(thrown, values)),
    update: (model, key, values, columns) => last.update(model, key, values, columns).catch((thrown) => said(thrown, values)),
    delete: (...asked) => last.delete(...asked).catch(kept),
  }
}

/**
 * A trigger, rule or row policy may silently leave a record unchanged: a conflict. If it changed the record otherwise, or hid it, that
 * counts as the result.
 */
export function unchangedError({ realm, resource }: Call): DaymarkError {
  const text = realm.t('record.kept')
  return new DaymarkError('conflict', text, { errors: [[resource.model.key.key, [text]]] })
}

export function findVisible({ resource, identity }: Call, tx: Reads, lens: Lens, key: unknown): Promise<Row | null> {
  return findByKey(tx, resource.model, key as KeyValue, lens, scopeOf(identity, resource))
}

/** The record as a hook has left it, perhaps where the caller does not see it. */
export function findStored({ resource }: Call, tx: Reads, lens: Lens, key: KeyValue): Promise<Row | null> {
  return findByKey(tx, resource.model, key, lens, resource.records)
}

export function requireRow(call: Call, row: Row | null): Row {
  if (!row) throw notFoundError(call)
  return row
}

/** A column may be called as what every object has, such as `constructor`. */
export const valueIn = (values: StoredValues, key: string): unknown => (Object.hasOwn(values, key) ? values[key] : undefined)
