import { DaymarkError } from '../../base/errors.js'
import type { KeyValue } from '../../field/key.js'
import { isAlways } from '../../resource/condition/condition.js'
import type { Row } from '../../store/store.js'
import type { Call } from '../call/call.js'
import { rowObject } from '../call/lens.js'
import { rowKeyOf } from '../input/key.js'
import { isAudited } from './audit.js'
import { checkColumns } from './check-columns.js'
import { commit, findVisible, isTrusted, type StoredValues, type Tx, type Work, type WriteContext } from './commit.js'
import { normalizeValues } from './normalize-values.js'
import { runHook } from './run-hook.js'
import { anyHasSettled, runSettled } from './settle.js'

/** Writes other records along with one, in its transaction, once that is written. Returns whether it wrote any. */
export type RelatedWrites = (tx: Tx, key: KeyValue) => Promise<boolean>

/**
 * Like `commit`, for the write of one record, which it returns with every column. What goes along with it follows, so that its own write is
 * not the last.
 */
export function commitRecord(call: Call, along: RelatedWrites | null, work: Work<Row>): Promise<Row> {
  const whole: Work<Row> = along ? (within) => work({ ...within, last: undefined }) : work
  return commit(call, anyHasSettled(call.realm) ? settledAfter(call, whole) : whole, !along && isTrusted(call))
}

/** Settles what was written, so that the answer has the record as it is then. */
function settledAfter(call: Call, work: Work<Row>): Work<Row> {
  return async (within) => {
    const row = await work(within)
    const { tx, raw, lens } = within
    if (!(await runSettled(call, raw))) return row
    return requireInScope(call, await findVisible(callAfterWrite(call), tx, lens, rowKeyOf(lens)(row)))
  }
}

/** The call as it is after a change of a record: what a trash changes is no longer in it, since it only restores. */
export const callAfterWrite = (call: Call): Call => (call.resource.trashOf ? { ...call, resource: call.resource.trashOf } : call)

/**
 * Whether nothing follows the write of a record. `afterSave`, the scope and what the resource is about could refuse it, and what is
 * noted about it is written after it.
 */
export const endsWithWrite = (call: Call) =>
  !call.resource.hooks.afterSave && !call.resource.scope && isAlways(call.resource.records) && !isAudited(call)

/** Lets what is noted about a write end the transaction, unless `afterSave` follows. */
export const auditContext = ({ resource }: Call, { raw, lens, last }: WriteContext) => ({
  raw,
  lens,
  last: resource.hooks.afterSave ? undefined : last,
})

/** Runs `beforeSave` on values of its own: what it changes in place is not what was sent, no more than what it returns. */
export async function runBeforeSave(
  call: Call,
  { raw }: WriteContext,
  before: StoredValues | null,
  sent: StoredValues,
): Promise<{ readonly values: StoredValues; readonly wrote: boolean }> {
  const values = { ...sent }
  const { said, wrote } = await runHook(call, raw, (context) => call.resource.hooks.beforeSave?.({ ...context, before, values }))
  if (said) checkColumns(`\`beforeSave\` of "${call.resource.uriKey}"`, call.resource, said)
  return { values: said ? { ...values, ...normalizeValues(call.resource.model, said) } : values, wrote }
}

/** The written record must still be within the caller's scope. */
export function requireInScope({ realm }: Call, row: Row | null): Row {
  if (!row) throw new DaymarkError('forbidden', realm.t('record.outOfScope'))
  return row
}

/** What follows the write of a record. Returns the record as it is then. */
export async function finishWrite(
  call: Call,
  within: WriteContext,
  along: RelatedWrites | null,
  before: StoredValues | null,
  row: Row,
): Promise<Row> {
  const whole = along ? await writeRelated(call, within, along, row) : row
  return call.resource.hooks.afterSave ? told(call, within, before, whole) : whole
}

/** Writes what goes along with a record. Returns the record as it is then: hooks of the others may have written to it. */
export async function writeRelated(call: Call, { tx, raw, lens }: WriteContext, along: RelatedWrites, row: Row): Promise<Row> {
  const key = rowKeyOf(lens)(row)
  return (await along(raw, key)) ? requireInScope(call, await findVisible(call, tx, lens, key)) : row
}

/** Runs `afterSave`. Returns the record as it is then: the hook may have written to it. */
async function told(call: Call, { tx, raw, lens }: WriteContext, before: StoredValues | null, row: Row): Promise<Row> {
  const after = rowObject(lens.columns, row)
  const { wrote } = await runHook(call, raw, (context) => call.resource.hooks.afterSave?.({ ...context, before, after }))
  return wrote
    ? requireInScope(call, await findVisible(callAfterWrite(call), tx, lens, row[lens.at.get(call.resource.model.key.key) as number]))
    : row
}
