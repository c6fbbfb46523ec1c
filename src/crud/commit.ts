import { isDeepStrictEqual } from 'node:util'
import { DaymarkError, invalid } from '../base/errors.js'
import { shown } from '../base/shown.js'
import type { KeyValue } from '../field/key.js'
import { isFoundExactly, keyText } from '../field/key.js'
import { lostNumber } from '../field/stored-json.js'
import { endingOf, type Last } from '../store/ending.js'
import type { Reads, Row, Writes } from '../store/store.js'
import { allowRecord, asksRecord, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { checkColumns } from './check-columns.js'
import { checkRelations, readsIn } from './check-relations.js'
import { checkRules } from './check-rules.js'
import { conflictOf, refusedDelete, stillUsed } from './conflict.js'
import { givenValues } from './given-values.js'
import { hooked } from './hooked.js'
import { findByKey, notThere } from './key.js'
import { type Lens, lensOf, rowObject } from './lens.js'
import { labelOf } from './related.js'
import { seenBy } from './seen.js'
import { foundAll } from './selection.js'
import { changesOf, checkEchoes, newValues, type Sent } from './sent.js'
import { isAnyVersion, matchVersion } from './version.js'

type Tx = Reads & Writes
/** Stored values by column. */
type Stored = Record<string, unknown>

/** What a write did to one record: whole rows in the order of the model's columns. */
export interface Committed {
  readonly before: Row | null
  readonly row: Row
}

/** What a write goes on in. */
interface In {
  readonly tx: Tx
  /** The transaction as its store gave it: a write inside of this one puts its refusals in words of its own. */
  readonly raw: Tx
  readonly lens: Lens
  /** Where the transaction may end with its last write. */
  readonly last: Last | undefined
}

type Work<T> = (within: In) => Promise<T>

/**
 * The one way in which anything is written: a transaction in which the record is read, compared with the version, checked, handed to the hooks, written and
 * looked at again. Whatever refuses rolls all of it back.
 *
 * @param trusted no code of the user's own runs in it, which could ask the store itself
 * @param deletes the keys of what it deletes
 */
export async function commit<T>(call: Call, work: Work<T>, trusted: boolean, deletes?: () => readonly KeyValue[]): Promise<T> {
  const lens = lensOf(call.identity, call.resource, { name: 'record', whole: true })
  const said = (thrown: unknown) => {
    throw conflictOf(thrown, lens, call.realm)
  }
  // What the store itself refused: a hook that keeps a record says why in its own words.
  const kept = (thrown: unknown) => {
    const refused = conflictOf(thrown, lens, call.realm)
    if (deletes) refusedDelete(refused, call, deletes())
    throw refused
  }
  let worked = true
  const guarded = async (tx: Tx, last?: Last) => {
    // A store may run this again.
    worked = true
    try {
      return await work({ tx: worded(tx, said, kept), raw: tx, lens, last: last && wordedLast(last, said, kept) })
    } catch (thrown) {
      worked = false
      throw thrown
    }
  }
  try {
    return await endingOf(call.store)(guarded, { until: call.until, trusted })
  } catch (thrown) {
    // Where the work went well, it was the commit itself that was refused: a deferred constraint.
    const refused = worked ? conflictOf(thrown, lens, call.realm) : thrown
    if (worked && deletes) refusedDelete(refused, call, deletes())
    throw call.inside ? refused : await stillUsed(refused, call.realm)
  }
}

const isTrusted = ({ resource }: Call) => Object.keys(resource.hooks).length === 0

/** A transaction whose refusals are put in words for the caller: those of a delete by `kept`. */
function worded(tx: Tx, said: (thrown: unknown) => never, kept: (thrown: unknown) => never): Tx {
  return {
    list: (...asked) => tx.list(...asked),
    count: (...asked) => tx.count(...asked),
    sum: (...asked) => tx.sum(...asked),
    find: (...asked) => tx.find(...asked),
    findMany: (...asked) => tx.findMany(...asked),
    create: (...asked) => tx.create(...asked).catch(said),
    update: (...asked) => tx.update(...asked).catch(said),
    delete: (...asked) => tx.delete(...asked).catch(kept),
    deleteMany: (...asked) => tx.deleteMany(...asked).catch(kept),
  }
}

function wordedLast(last: Last, said: (thrown: unknown) => never, kept: (thrown: unknown) => never): Last {
  return {
    can: (...asked) => last.can(...asked),
    create: (...asked) => last.create(...asked).catch(said),
    update: (...asked) => last.update(...asked).catch(said),
    delete: (...asked) => last.delete(...asked).catch(kept),
  }
}

export async function commitCreate(call: Call, sent: Sent): Promise<Committed> {
  return commitNew(call, newValues(call, sent))
}

/** A new record of stored values. */
export async function commitNew(call: Call, given: Stored): Promise<Committed> {
  const { resource } = call
  const { hooks } = resource
  return commit(
    call,
    async (within) => {
      await checkRelations(call, within.tx, given, resource.fields)
      checkRules(call, null, given)
      const values = hooks.beforeSave ? await asked(call, within, null, given) : given
      const row = inScope(call, await writtenBy(call, within, values))
      return { before: null, row: hooks.afterSave ? await told(call, within, null, row) : row }
    },
    isTrusted(call),
  )
}

/** Whether nothing is left to be refused once a record is written: an `afterSave` might, and it may be out of scope. */
const isLast = ({ resource }: Call) => !resource.hooks.afterSave && !resource.scope

async function writtenBy(call: Call, { tx, lens, last }: In, values: Stored): Promise<Row | null> {
  const { model } = call.resource
  if (last?.can('create', model) && isLast(call)) return last.create(model, values, lens.columns)
  return findVisible(call, tx, lens, await tx.create(model, values))
}

async function changedBy(call: Call, { tx, lens, last }: In, key: KeyValue, before: Row, values: Stored): Promise<Row | null> {
  const { model } = call.resource
  // Under another key it would not be found again, and is refused.
  if (last?.can('update', model) && isLast(call) && !(model.key.key in values)) return last.update(model, key, values, lens.columns)
  const writing = tx.update(model, key, values)
  // Both are one way to a server and back. Where the first fails, so does the second.
  const reading = findVisible(call, tx, lens, key)
  reading.catch(() => {})
  const count = await writing
  const row = await reading
  if (count === 0 && row && isDeepStrictEqual(row, before)) throw kept(call)
  return row
}

/** @param match asked besides, with the record as it is before */
export function commitUpdate(call: Call, key: KeyValue, sent: Sent, match?: (lens: Lens, row: Row) => void): Promise<Committed> {
  return updating(call, key, (tx, before, lens) => {
    match?.(lens, before)
    const changes = changesOf(call, sent, before)
    return sent.echoes.size === 0 ? changes : checkEchoes(call, sent, before, readsIn(call, tx)).then(() => changes)
  })
}

/** Stored values over those of a record. */
export function commitValues(call: Call, key: KeyValue, values: Stored): Promise<Committed> {
  return updating(call, key, () => values)
}

function updating(call: Call, key: KeyValue, changed: (tx: Tx, before: Row, lens: Lens) => Stored | Promise<Stored>): Promise<Committed> {
  const { resource, identity, realm } = call
  const { hooks } = resource
  return commit(
    call,
    async (within) => {
      const { tx, lens } = within
      const before = there(call, await findVisible(call, tx, lens, key))
      const record = rowObject(lens.columns, before)
      allowRecord(realm, identity, resource, 'update', record)
      matchVersion(call, lens, before)
      const changing = changed(tx, before, lens)
      const changes = changing instanceof Promise ? await changing : changing
      if (Object.keys(changes).length === 0) return { before, row: before }
      const checking = checkRelations(call, tx, changes, resource.fields)
      if (checking) await checking
      checkRules(call, record, changes)
      const values = hooks.beforeSave ? await asked(call, within, record, changes) : changes
      checkKey(call, key, values)
      checkExact(call, lens, before, values)
      const row = inScope(call, await changedBy(call, within, key, before, values))
      return { before, row: hooks.afterSave ? await told(call, within, record, row) : row }
    },
    isTrusted(call),
  )
}

/** @param named whether to give what the record is called, for which it is read first */
export function commitDelete(call: Call, key: KeyValue, named = false): Promise<string | null> {
  const { resource, identity, realm, input } = call
  return commit(
    call,
    async ({ tx, raw, lens, last }) => {
      const { model, hooks } = resource
      if (
        last?.can('delete', model) &&
        !named &&
        isFoundExactly(model.key) &&
        isTrusted(call) &&
        !asksRecord(resource, 'delete') &&
        isAnyVersion(input)
      ) {
        if (!(await last.delete(model, key, scopeOf(identity, resource)))) throw notThere(call)
        return null
      }
      const row = there(call, await findVisible(call, tx, lens, key))
      const record = rowObject(lens.columns, row)
      allowRecord(realm, identity, resource, 'delete', record)
      matchVersion(call, lens, row)
      const label = named ? labelOf(seenBy(call, lens, row), row) : null
      const { beforeDelete, afterDelete } = hooks
      if (beforeDelete) await hooked(call, raw, (context) => beforeDelete({ ...context, record }))
      if (last?.can('delete', model) && !afterDelete) {
        if (!(await last.delete(model, key))) throw kept(call)
        return label
      }
      if ((await tx.delete(model, key)) === 0 && isDeepStrictEqual(await findVisible(call, tx, lens, key), row)) throw kept(call)
      if (afterDelete) await hooked(call, raw, (context) => afterDelete({ ...context, record }))
      return label
    },
    isTrusted(call),
    () => [key],
  )
}

/** All of the records or none; which they are is asked inside the transaction. Gives their number. */
export async function commitDeleteMany(call: Call, keysOf: (tx: Reads) => Promise<readonly KeyValue[]>): Promise<number> {
  const { resource, identity, realm } = call
  let keys: readonly KeyValue[] = []
  await commit(
    call,
    async ({ tx, raw, lens }) => {
      keys = await keysOf(tx)
      const rows = await foundAll(call, lens, tx, keys)
      const records = rows.map((row) => rowObject(lens.columns, row))
      for (const record of records) allowRecord(realm, identity, resource, 'massDelete', record)
      const { beforeDelete, afterDelete } = resource.hooks
      if (beforeDelete) for (const record of records) await hooked(call, raw, (context) => beforeDelete({ ...context, record }))
      if ((await tx.deleteMany(resource.model, keys)) < rows.length) await checkNoneKept(call, tx, lens, rows)
      if (afterDelete) for (const record of records) await hooked(call, raw, (context) => afterDelete({ ...context, record }))
    },
    isTrusted(call),
    () => keys,
  )
  return keys.length
}

/** JSON is written whole: what it holds beside what was changed must not become another number on the way. */
function checkExact({ realm }: Call, { at, readable }: Lens, before: Row, values: Stored): void {
  for (const [name, value] of Object.entries(values)) {
    const number = lostNumber(before[at.get(name) as number], value)
    if (number === null) continue
    const label = readable.get(name)?.label
    const text = realm.t('field.jsonFiner', { label: label ?? name, number: shown(number) })
    throw label === undefined ? new DaymarkError('invalid', text) : invalid(name, text)
  }
}

/** A trigger, a rule or a policy may keep a record as it is without a word. Where it has made something else of it, or has put it out of sight, that is what was done. */
function kept({ realm, resource }: Call): DaymarkError {
  const text = realm.t('record.kept')
  return new DaymarkError('conflict', text, { errors: [[resource.model.key.key, [text]]] })
}

async function checkNoneKept(call: Call, tx: Reads, lens: Lens, before: readonly Row[]): Promise<void> {
  const { realm, identity, resource } = call
  const keyOf = (row: Row) => row[lens.at.get(resource.model.key.key) as number]
  const rows = await tx.findMany(resource.model, before.map(keyOf), lens.columns, scopeOf(identity, resource))
  const now = new Map(rows.map((row) => [lens.key(row), row]))
  const keys = before.filter((row) => isDeepStrictEqual(now.get(lens.key(row)), row)).map(lens.key)
  if (keys.length === 0) return
  const text = realm.t('record.keptOf', { keys: keys.join(', ') })
  throw new DaymarkError('conflict', text, { errors: [['ids', [text]]] })
}

function findVisible({ resource, identity }: Call, tx: Reads, lens: Lens, key: unknown): Promise<Row | null> {
  return findByKey(tx, resource.model, key as KeyValue, lens, scopeOf(identity, resource))
}

function there(call: Call, row: Row | null): Row {
  if (!row) throw notThere(call)
  return row
}

/**
 * No form and no body can say another key of a record that is there.
 *
 * @throws TypeError where code of the panel's own does
 */
function checkKey({ resource }: Call, key: KeyValue, values: Stored): void {
  const column = resource.model.key.key
  const said = values[column]
  if (said !== undefined && (said === null || keyText(said as KeyValue) !== keyText(key)))
    throw new TypeError(`A key never changes: "${column}" of "${resource.uriKey}" was to become another one`)
}

/** The record as it was written must still be within the caller's scope. */
function inScope({ realm }: Call, row: Row | null): Row {
  if (!row) throw new DaymarkError('forbidden', realm.t('record.outOfScope'))
  return row
}

/** The hook's say over what is written. */
async function asked(call: Call, { raw }: In, before: Stored | null, values: Stored): Promise<Stored> {
  const { said } = await hooked(call, raw, (context) => call.resource.hooks.beforeSave?.({ ...context, before, values }))
  if (said) checkColumns(`\`beforeSave\` of "${call.resource.uriKey}"`, call.resource, said)
  return said ? { ...values, ...givenValues(call.resource.model, said) } : values
}

/** Tells the hook what was written. Gives the record as it stands then: the hook may have written to that very one. */
async function told(call: Call, { tx, raw, lens }: In, before: Stored | null, row: Row): Promise<Row> {
  const after = rowObject(lens.columns, row)
  const { wrote } = await hooked(call, raw, (context) => call.resource.hooks.afterSave?.({ ...context, before, after }))
  return wrote ? inScope(call, await findVisible(call, tx, lens, row[lens.at.get(call.resource.model.key.key) as number])) : row
}
