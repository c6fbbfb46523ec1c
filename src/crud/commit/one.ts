import { DaymarkError } from '../../base/errors.js'
import type { KeyValue } from '../../field/key.js'
import { isAlways } from '../../resource/condition/condition.js'
import type { Row } from '../../store/store.js'
import type { Call } from '../call/call.js'
import { rowObject } from '../call/lens.js'
import { keyIn } from '../input/key.js'
import { checkColumns } from './check-columns.js'
import { commit, findVisible, type In, isTrusted, type Stored, type Tx, type Work } from './commit.js'
import { givenValues } from './given-values.js'
import { hooked } from './hooked.js'
import { isNoted } from './noted.js'
import { anySettles, settle } from './settle.js'

/** What a write did to one record: whole rows, in the model's column order. */
export interface Committed {
  readonly before: Row | null
  readonly row: Row
}

/** Writes other records along with one, in its transaction, once that is written. Returns whether it wrote any. */
export type Along = (tx: Tx, key: KeyValue) => Promise<boolean>

/** Like `commit`, for the write of one record: what goes along with it follows, so that its own write is not the last. */
export function commitOne(call: Call, along: Along | null, work: Work<Committed>): Promise<Committed> {
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

/** The call as it is after a change of a record: what a trash changes is no longer in it, since it only restores. */
export const afterwards = (call: Call): Call => (call.resource.trashOf ? { ...call, resource: call.resource.trashOf } : call)

/**
 * Whether nothing follows the write of a record. `afterSave`, the scope and what the resource is about could refuse it, and what is
 * noted about it is written after it.
 */
export const isLast = (call: Call) =>
  !call.resource.hooks.afterSave && !call.resource.scope && isAlways(call.resource.records) && !isNoted(call)

/** Lets what is noted about a write end the transaction, unless `afterSave` follows. */
export const ending = ({ resource }: Call, { raw, lens, last }: In) => ({ raw, lens, last: resource.hooks.afterSave ? undefined : last })

/** Runs `beforeSave` on values of its own: what it changes in place is not what was sent, no more than what it returns. */
export async function askedToSave(
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

/** The written record must still be within the caller's scope. */
export function inScope({ realm }: Call, row: Row | null): Row {
  if (!row) throw new DaymarkError('forbidden', realm.t('record.outOfScope'))
  return row
}

/** What follows the write of a record. Returns the record as it is then. */
export async function followed(call: Call, within: In, along: Along | null, before: Stored | null, row: Row): Promise<Row> {
  const whole = along ? await withAlong(call, within, along, row) : row
  return call.resource.hooks.afterSave ? told(call, within, before, whole) : whole
}

/** Writes what goes along with a record. Returns the record as it is then: hooks of the others may have written to it. */
export async function withAlong(call: Call, { tx, raw, lens }: In, along: Along, row: Row): Promise<Row> {
  const key = keyIn(lens)(row)
  return (await along(raw, key)) ? inScope(call, await findVisible(call, tx, lens, key)) : row
}

/** Runs `afterSave`. Returns the record as it is then: the hook may have written to it. */
async function told(call: Call, { tx, raw, lens }: In, before: Stored | null, row: Row): Promise<Row> {
  const after = rowObject(lens.columns, row)
  const { wrote } = await hooked(call, raw, (context) => call.resource.hooks.afterSave?.({ ...context, before, after }))
  return wrote ? inScope(call, await findVisible(afterwards(call), tx, lens, row[lens.at.get(call.resource.model.key.key) as number])) : row
}
