import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { type KeyValue, keyText, parseKey } from '../../field/key.js'
import type { Reads, Row, Writes } from '../../store/store.js'
import { checkRelations } from '../body/check-relations.js'
import { applyFills, pendingFills } from '../body/fills.js'
import { changesOf, throwErrors, type ValidatedBody, type ValidatedField, validateBody } from '../body/validated-body.js'
import { allow, allowRow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { isWritable } from '../call/field-access.js'
import { inTransaction } from '../call/in-transaction.js'
import { type Lens, rowObject } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { checkRules } from '../commit/check-rules.js'
import { commitNew } from '../commit/create.js'
import { commitDelete } from '../commit/delete.js'
import type { RelatedWrites } from '../commit/record.js'
import { commitUpdate } from '../commit/update.js'
import { findByKey, notFoundError } from '../input/key.js'
import type { TypedValues } from './computed-preview.js'
import type { Draft } from './draft-values.js'
import { belongs, type Nested, namedRows, nestedLens } from './nested.js'
import { isTouched, type SentNested, type SentRow, splitNested } from './nested-input.js'
import { inRow, type ReadNested, type ReadRow, type Step, stepsOf } from './nested-steps.js'

/** A write of a record together with the related records that are edited along with it. */
export interface NestedWrite {
  /** The call for the record alone. */
  readonly own: Call
  /** Writes the others; null: none were sent. */
  readonly along: RelatedWrites | null
  /**
   * Adds to a refusal what is wrong with the others, so that it is all said at once.
   *
   * @param key the record; null: a new one
   */
  refused(thrown: unknown, key: KeyValue | null): Promise<unknown>
  /** Checks the others as a write would, and writes nothing. */
  check(key: KeyValue | null): Promise<void>
  /** The others as far as it can be told what they would be. */
  drafts(key: KeyValue | null): Promise<readonly Draft[]>
}

const alone = { along: null, refused: async (thrown: unknown) => thrown, check: async () => {}, drafts: async () => [] }

/** Reads what was sent for related records that are edited along with the record. Without any it returns synchronously. */
export function readNestedWrite(call: Call): NestedWrite | Promise<NestedWrite> {
  const { own, sent } = splitNested(call)
  return sent.length === 0 ? { own, ...alone } : readAll(call, own, sent)
}

async function readAll(call: Call, own: Call, sent: readonly SentNested[]): Promise<NestedWrite> {
  for (const one of sent) allowAll(call, one)
  const read: ReadNested[] = []
  // One by one, since rules of fields may ask a database.
  for (const { nested, rows, fault } of sent) {
    const whole: ReadRow[] = []
    for (const one of rows) {
      const row = await withOwnKey(one, nested)
      whole.push({ ...row, sent: row.isDeleted ? null : await readRow(row, nested.fields) })
    }
    read.push({ nested, fault, rows: whole })
  }
  const named = new Set(read.map(({ nested }) => nested.name))
  const faultsOf = async (key: KeyValue | null) => {
    const { steps, errors } = await stepsOf(call, read, key, null)
    for (const step of steps) await checkStep(step, errors)
    return errors
  }
  return {
    own,
    along: (tx, key) => writeAll(call, read, tx, key),
    async refused(thrown, key) {
      if (!(thrown instanceof DaymarkError) || thrown.code !== 'invalid') return thrown
      if ([...thrown.errors.keys()].some((name) => named.has(name.split('.', 1)[0] as string))) return thrown
      const errors = await faultsOf(key)
      return errors.size === 0
        ? thrown
        : new DaymarkError('invalid', thrown.message, { errors: [...thrown.errors, ...errors], cause: thrown })
    },
    async check(key) {
      throwErrors(await faultsOf(key))
    },
    drafts: (key) => draftsOf(call, read, key),
  }
}

function allowAll({ realm, identity }: Call, { nested: { other }, rows }: SentNested): void {
  const isAsked = (does: (row: SentRow) => boolean) => rows.some(does)
  if (isAsked(({ isDeleted }) => isDeleted)) allow(realm, identity, other, 'delete')
  if (isAsked(({ key, isDeleted }) => key === null && !isDeleted)) allow(realm, identity, other, 'create')
}

/** Validates a row. What is not edited here can only be sent back as it is. */
async function readRow(row: SentRow, fields: readonly Bound[]): Promise<ValidatedBody> {
  const sent = await validateBody(row.call, row.key === null)
  const isEdited = (name: string) => fields.some((one) => one.key === name)
  const isNamed = ({ field, text }: ValidatedField) => text === null || isTouched(row, field.key, text)
  return {
    ...sent,
    fields: sent.fields.filter(isNamed).map((one) => (isEdited(one.field.key) ? one : { ...one, writable: false })),
  }
}

async function draftsOf(call: Call, read: readonly ReadNested[], parent: KeyValue | null): Promise<readonly Draft[]> {
  const drafts: Draft[] = []
  for (const { nested, rows } of read) {
    const { other, by, names } = nested
    const lens = nestedLens(call, other)
    const keys = rows.flatMap(({ key }) => key ?? [])
    const there = new Map((await namedRows(call, nested, keys)).map((row) => [lens.key(row), row]))
    for (const { call: own, at, key, sent } of rows) {
      if (sent === null) continue
      const row = (key !== null && there.get(key)) || null
      // Of another record, nothing is said.
      if (row ? parent === null || !belongs(lens, row, by, keyText(parent)) : key !== null) continue
      const also: TypedValues = (field) => (field === by && row === null ? { value: parent ?? undefined } : null)
      drafts.push({ call: own, sent, seen: row ? visibleLens(own, lens, row) : lens, row, names, at: `${at}.`, also })
    }
  }
  return drafts
}

/**
 * A row of JSON that names its record by a key of the caller's own: one that is not there yet is a new one, unless it says which version of
 * it was read.
 */
async function withOwnKey(row: SentRow, { other }: Nested): Promise<SentRow> {
  const { call, key } = row
  const { input, identity, store } = call
  const field = other.fields.get(other.model.key.key)
  if (key === null || row.isDeleted || input.ifMatch !== null || input.body.from !== 'json' || !field || !isWritable(call, field, true))
    return row
  const stored = parseKey(key, other.model.key)
  const isThere = stored !== undefined && (await findByKey(store, other.model, stored, nestedLens(call, other), scopeOf(identity, other)))
  if (isThere) return row
  const fields = new Map<string, unknown>([[field.key, row.named], ...input.body.fields])
  return { ...row, key: null, call: { ...call, input: { ...input, key: null, body: { from: 'json', fields } } } }
}

async function checkStep(step: Step, errors: Map<string, readonly string[]>): Promise<void> {
  const { call } = step.row
  try {
    const lens = nestedLens(call, call.resource)
    if (step.is !== 'create') allowRow(call.realm, call.identity, call.resource, step.is, lens.columns, step.before)
    if (step.is === 'delete') return
    const row = step.is === 'update' ? step.before : null
    const before = row && rowObject(lens.columns, row)
    const pending = step.is === 'update' ? pendingFills(call, step.sent, row) : step.left
    const sent = step.is === 'update' ? changesOf(call, step.sent, step.before, visibleLens(call, lens, step.before), pending) : step.values
    const values = await applyFills(call, call.store, sent, pending, row)
    await checkRelations(call, call.store, values, call.resource.fields, before ?? {})
    checkRules(call, before, values)
  } catch (thrown) {
    const refused = inRow(thrown, step.row)
    if (!(refused instanceof DaymarkError) || refused.code !== 'invalid') throw refused
    for (const [at, texts] of refused.errors) errors.set(at, texts)
  }
}

async function writeAll(call: Call, read: readonly ReadNested[], tx: Reads & Writes, parent: KeyValue): Promise<boolean> {
  const { steps, errors } = await stepsOf(call, read, parent, tx)
  throwErrors(errors)
  // What goes makes room for what comes: a number that must be unique, for example.
  const order = { delete: 0, update: 1, create: 2 }
  for (const step of steps.toSorted((a, b) => order[a.is] - order[b.is])) {
    const own = inTransaction(step.row.call, tx)
    try {
      if (step.is === 'delete') await commitDelete(own, step.key)
      else if (step.is === 'update') await commitUpdate(own, step.key, step.sent, { match: stillBelongs(step, own) })
      else await commitNew(own, step.values, { sent: true, left: step.left })
    } catch (thrown) {
      throw inRow(thrown, step.row)
    }
  }
  return steps.length > 0
}

/** It may have been given to another record since it was read. */
const stillBelongs =
  ({ by, parent }: Extract<Step, { is: 'update' }>, call: Call) =>
  (lens: Lens, row: Row): void => {
    if (!belongs(lens, row, by, keyText(parent))) throw notFoundError(call)
  }
