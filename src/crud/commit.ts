import { DaymarkError, invalid } from '../base/errors.js'
import { shown } from '../base/shown.js'
import type { KeyValue } from '../field/key.js'
import { keyText } from '../field/key.js'
import { lostNumber } from '../field/stored-json.js'
import { isAlways } from '../resource/condition.js'
import { namesLinks } from '../resource/link.js'
import type { Column } from '../resource/model.js'
import { endingOf, type Last } from '../store/ending.js'
import type { Reads, Row, Writes } from '../store/store.js'
import { allowRecord, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { checkChanges } from './check-changes.js'
import { checkColumns } from './check-columns.js'
import { checkRelations, readsIn } from './check-relations.js'
import { checkRules } from './check-rules.js'
import { conflictOf, refusedDelete } from './conflict.js'
import { explained } from './explained.js'
import { fileFields, takeFiles } from './files-kept.js'
import { filled, type LeftToFill, leftToFill, noneLeft } from './fills.js'
import { givenValues } from './given-values.js'
import { hooked } from './hooked.js'
import { refusedWrite } from './in-trash.js'
import { findByKey, keyIn, notThere } from './key.js'
import { type Lens, lensOf, rowObject } from './lens.js'
import { isNoted, managed, noteWrite, toldOf } from './noted.js'
import { placeAtEnd } from './places.js'
import { isSameStored } from './same-stored.js'
import { seenBy } from './seen.js'
import { changesOf, checkEchoes, newValues, type Sent } from './sent.js'
import { anySettles, settle, settles, settling, unsettle } from './settle.js'
import { tablesReady } from './tables-ready.js'
import { matchVersion } from './version.js'

export type Tx = Reads & Writes
/** Stored values by column. */
type Stored = Record<string, unknown>

/** What a write did to one record: whole rows, in the model's column order. */
export interface Committed {
  readonly before: Row | null
  readonly row: Row
}

/** What a write works with. */
export interface In {
  readonly tx: Tx
  /** The transaction of the store itself. A nested write uses it, since it words its refusals itself. */
  readonly raw: Tx
  readonly lens: Lens
  /** Ends the transaction with its last write, if the store supports that. */
  readonly last: Last | undefined
}

type Work<T> = (within: In) => Promise<T>

/** Writes other records along with one, in its transaction, once that is written. Returns whether it wrote any. */
export type Along = (tx: Tx, key: KeyValue) => Promise<boolean>

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
    refusedWrite(refused, call, values)
    throw refused
  }
  // For deletes, remember which records the store refused to delete. A hook that refuses one has its own words.
  const kept = (thrown: unknown) => {
    const refused = conflictOf(thrown, lens, call.realm, call.identity)
    if (deletes) refusedDelete(refused, call, deletes())
    throw refused
  }
  let worked = true
  const guarded = async (tx: Tx, last?: Last) => {
    // A store may run this function again.
    worked = true
    try {
      const ending = last && endsByItself(call) ? wordedLast(last, said, kept) : undefined
      return await settling(call, tx, () => work({ tx: worded(tx, said, kept), raw: tx, lens, last: ending }))
    } catch (thrown) {
      worked = false
      throw thrown
    }
  }
  const opening = tablesReady(call)
  if (opening) await opening
  try {
    const result = await endingOf(call.store)(guarded, { until: call.until, trusted: trusted && !settles(call) })
    if (holdsFiles(call)) call.realm.files?.removeSoon()
    if (toldOf(call).length > 0) call.realm.webhooks?.soon(managed(call.resource))
    return result
  } catch (thrown) {
    // If the work succeeded, the commit itself was refused: a deferred constraint.
    const refused = worked ? conflictOf(thrown, lens, call.realm, call.identity) : thrown
    if (worked && deletes) refusedDelete(refused, call, deletes())
    throw call.inside ? refused : await explained(refused, call.realm)
  }
}

export const holdsFiles = ({ resource }: Call) => fileFields(resource).length > 0

/** Whether nothing is left to be settled after the last write of a call itself: neither it nor what hooks write has anything. */
const endsByItself = (call: Call) => !anySettles(call.realm) || (isTrusted(call) && !settles(call))

export const isTrusted = ({ resource }: Call) => Object.keys(resource.hooks).length === 0

/** Rewords the refusal of a write of values. */
type Saying = (thrown: unknown, values: Stored) => never

/** Wraps a transaction to reword its refusals for the caller: those of deletes by `kept`. */
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

export async function commitCreate(call: Call, sent: Sent, along: Along | null = null): Promise<Committed> {
  const left = leftToFill(call, sent, null)
  const values = newValues(call, sent, left)
  return commitNew(call, values, values, along, left)
}

/**
 * Creates a record from stored values.
 *
 * @param sent those that the caller sent; null: code names them all
 * @param left what relations fill
 */
export async function commitNew(
  call: Call,
  begun: Stored,
  sent: Stored | null = null,
  along: Along | null = null,
  left: LeftToFill = noneLeft,
): Promise<Committed> {
  const { resource } = call
  const { hooks } = resource
  return commitOne(call, along, async (within) => {
    if (sent === null) checkChanges(call, within.lens, null, begun)
    const given = left.size > 0 ? await filled(call, within.tx, begun, left, null) : begun
    await checkRelations(call, within.tx, given, resource.fields)
    checkRules(call, null, given)
    const chosen = hooks.beforeSave ? (await asked(call, within, null, given)).values : given
    const values = resource.reorderable ? await withPlace(call, resource.reorderable, within.tx, chosen) : chosen
    if (holdsFiles(call)) await takeFiles(call, within, null, values, sent)
    const row = inScope(call, await writtenBy(call, within, values))
    unsettle(call, within.raw, null, row)
    if (isNoted(call)) await noteWrite(call, ending(call, within), 'create', null, row)
    return { before: null, row: along || hooks.afterSave ? await followed(call, within, along, null, row) : row }
  })
}

/** The values of a new record, with its place at the end of the order that users give to records, unless they name another one. */
async function withPlace({ resource, placing }: Call, { key }: Column, tx: Reads, values: Stored): Promise<Stored> {
  if ((valueIn(values, key) ?? null) !== null) {
    placing?.delete(resource)
    return values
  }
  const number = await placeAtEnd(tx, resource, placing?.get(resource))
  placing?.set(resource, number)
  return { ...values, [key]: number }
}

/**
 * Whether nothing follows the write of a record. `afterSave`, the scope and what the resource is about could refuse it, and what is
 * noted about it is written after it.
 */
const isLast = (call: Call) => !call.resource.hooks.afterSave && !call.resource.scope && isAlways(call.resource.records) && !isNoted(call)

/** Lets what is noted about a write end the transaction, unless `afterSave` follows. */
const ending = ({ resource }: Call, { raw, lens, last }: In) => ({ raw, lens, last: resource.hooks.afterSave ? undefined : last })

/** Like `commit`, for the write of one record: what goes along with it follows, so that its own write is not the last. */
function commitOne(call: Call, along: Along | null, work: Work<Committed>): Promise<Committed> {
  const whole: Work<Committed> = along ? (within) => work({ ...within, last: undefined }) : work
  return commit(call, anySettles(call.realm) ? settledAfter(call, whole) : whole, !along && isTrusted(call))
}

/** Settles what was written, so that the answer has the record as it is then. */
function settledAfter(call: Call, work: Work<Committed>): Work<Committed> {
  return async (within) => {
    const done = await work(within)
    const { tx, raw, lens } = within
    if (!(await settle(call, raw))) return done
    return { ...done, row: inScope(call, await findVisible(afterwards(call), tx, lens, keyIn(lens)(done.row))) }
  }
}

/** What follows the write of a record. Returns the record as it is then. */
async function followed(call: Call, within: In, along: Along | null, before: Stored | null, row: Row): Promise<Row> {
  const whole = along ? await withAlong(call, within, along, row) : row
  return call.resource.hooks.afterSave ? told(call, within, before, whole) : whole
}

/** Writes what goes along with a record. Returns the record as it is then: hooks of the others may have written to it. */
async function withAlong(call: Call, { tx, raw, lens }: In, along: Along, row: Row): Promise<Row> {
  const key = keyIn(lens)(row)
  return (await along(raw, key)) ? inScope(call, await findVisible(call, tx, lens, key)) : row
}

async function writtenBy(call: Call, { tx, lens, last }: In, values: Stored): Promise<Row | null> {
  const { model } = call.resource
  if (last?.can('create', model, values) && isLast(call)) return last.create(model, values, lens.columns)
  return findVisible(call, tx, lens, await tx.create(model, values))
}

async function changedBy(call: Call, { tx, lens, last }: In, key: KeyValue, before: Row, values: Stored): Promise<Row | null> {
  const { model } = call.resource
  // With another key, it would not be found again, and is refused.
  if (last?.can('update', model, values) && isLast(call) && !Object.hasOwn(values, model.key.key))
    return last.update(model, key, values, lens.columns)
  const writing = tx.update(model, key, values)
  // Link tables are written statement after statement.
  if (namesLinks(model, values)) await writing
  // Pipelined, so that both take one round trip. If the write fails, so does the read.
  const reading = findVisible(afterwards(call), tx, lens, key)
  reading.catch(() => {})
  const count = await writing
  const row = await reading
  if (count === 0 && row && isSameStored(row, before)) throw kept(call)
  return row
}

/**
 * @param match an additional check of the record before the change
 * @param along what is written along with it, even if it stays as it is
 */
export function commitUpdate(
  call: Call,
  key: KeyValue,
  sent: Sent,
  { match, along = null }: { readonly match?: (lens: Lens, row: Row) => void; readonly along?: Along | null } = {},
): Promise<Committed> {
  return updating(
    call,
    key,
    true,
    (tx, before, lens) => {
      match?.(lens, before)
      const left = leftToFill(call, sent, before)
      const changes = changesOf(call, sent, before, seenBy(call, sent.lens, before), left)
      const filling = left.size > 0 ? filled(call, tx, changes, left, before) : changes
      return sent.echoes.size === 0 ? filling : checkEchoes(call, sent, before, readsIn(call, tx)).then(() => filling)
    },
    along,
  )
}

/** Overwrites stored values of a record. */
export function commitValues(call: Call, key: KeyValue, values: Stored): Promise<Committed> {
  return updating(call, key, false, (_, before, lens) => {
    checkChanges(call, lens, before, values)
    return values
  })
}

/** @param sent whether the caller sent the changes */
function updating(
  call: Call,
  key: KeyValue,
  sent: boolean,
  changed: (tx: Tx, before: Row, lens: Lens) => Stored | Promise<Stored>,
  along: Along | null = null,
): Promise<Committed> {
  const { resource, identity, realm } = call
  const { hooks } = resource
  return commitOne(call, along, async (within) => {
    const { tx, lens } = within
    let before = there(call, await findVisible(call, tx, lens, key))
    let record = rowObject(lens.columns, before)
    allowRecord(realm, identity, resource, 'update', record)
    matchVersion(call, lens, before)
    const changing = changed(tx, before, lens)
    const changes = changing instanceof Promise ? await changing : changing
    if (Object.keys(changes).length === 0) return { before, row: along ? await withAlong(call, within, along, before) : before }
    const checking = checkRelations(call, tx, changes, resource.fields, record)
    if (checking) await checking
    checkRules(call, record, changes)
    const { values, wrote } = hooks.beforeSave ? await asked(call, within, record, changes) : { values: changes, wrote: false }
    if (wrote) {
      // Perhaps to this very record: that is told already.
      before = inScope(call, await findStored(call, tx, lens, key))
      record = rowObject(lens.columns, before)
    }
    checkKey(call, key, values)
    checkExact(call, lens, before, values)
    if (holdsFiles(call)) await takeFiles(call, within, before, values, sent ? changes : null)
    if (resource.reorderable && Object.hasOwn(values, resource.reorderable.key)) call.placing?.delete(resource)
    const row = inScope(call, await keepingKey(call, within, key, await changedBy(call, within, key, before, values)))
    unsettle(call, within.raw, before, row)
    if (isNoted(call)) await noteWrite(call, ending(call, within), 'update', before, row)
    return { before, row: along || hooks.afterSave ? await followed(call, within, along, record, row) : row }
  })
}

/** The call as it is after a change of a record: what a trash changes is no longer in it, since it only restores. */
const afterwards = (call: Call): Call => (call.resource.trashOf ? { ...call, resource: call.resource.trashOf } : call)

/** JSON is written as a whole, so a number in it that JavaScript cannot hold exactly would change along with the edit: refuse that. */
function checkExact({ realm }: Call, { at, readable }: Lens, before: Row, values: Stored): void {
  for (const [name, value] of Object.entries(values)) {
    const number = lostNumber(before[at.get(name) as number], value)
    if (number === null) continue
    const label = readable.get(name)?.label
    const text = realm.t('field.jsonFiner', { label: label ?? name, number: shown(number) })
    throw label === undefined ? new DaymarkError('invalid', text) : invalid(name, text)
  }
}

/**
 * A trigger, rule or row policy may silently leave a record unchanged: a conflict. If it changed the record otherwise, or hid it, that
 * counts as the result.
 */
export function kept({ realm, resource }: Call): DaymarkError {
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

export function there(call: Call, row: Row | null): Row {
  if (!row) throw notThere(call)
  return row
}

/** A column may be called as what every object has, such as `constructor`. */
const valueIn = (values: Stored, key: string): unknown => (Object.hasOwn(values, key) ? values[key] : undefined)

/**
 * Forms and bodies cannot change a key, but user code could try.
 *
 * @throws TypeError if user code changes the key
 */
function checkKey({ resource }: Call, key: KeyValue, values: Stored): void {
  const column = resource.model.key.key
  const said = valueIn(values, column)
  if (said !== undefined && (said === null || keyText(said as KeyValue) !== keyText(key)))
    throw new TypeError(`A key never changes: "${column}" of "${resource.uriKey}" was to become another one`)
}

/** A key that is made of other columns changes with them, and the record would no longer be found where it was. */
async function keepingKey(call: Call, { tx, lens }: In, key: KeyValue, row: Row | null): Promise<Row | null> {
  const { model, fields } = call.resource
  if (row || !model.key.generated || (await findStored(call, tx, lens, key))) return row
  throw new DaymarkError('invalid', call.realm.t('record.keyMoves', { label: fields.get(model.key.key)?.label ?? model.key.key }))
}

/** The written record must still be within the caller's scope. */
function inScope({ realm }: Call, row: Row | null): Row {
  if (!row) throw new DaymarkError('forbidden', realm.t('record.outOfScope'))
  return row
}

/** Runs `beforeSave` on values of its own: what it changes in place is not what was sent, no more than what it returns. */
async function asked(
  call: Call,
  { raw }: In,
  before: Stored | null,
  sent: Stored,
): Promise<{ readonly values: Stored; readonly wrote: boolean }> {
  const values = { ...sent }
  const { said, wrote } = await hooked(call, raw, (context) => call.resource.hooks.beforeSave?.({ ...context, before, values }))
  if (said) checkColumns(`\`beforeSave\` of "${call.resource.uriKey}"`, call.resource, said)
  return { values: said ? { ...values, ...givenValues(call.resource.model, said) } : values, wrote }
}

/** Runs `afterSave`. Returns the record as it is then: the hook may have written to it. */
async function told(call: Call, { tx, raw, lens }: In, before: Stored | null, row: Row): Promise<Row> {
  const after = rowObject(lens.columns, row)
  const { wrote } = await hooked(call, raw, (context) => call.resource.hooks.afterSave?.({ ...context, before, after }))
  return wrote ? inScope(call, await findVisible(afterwards(call), tx, lens, row[lens.at.get(call.resource.model.key.key) as number])) : row
}
