import type { Column } from '../../resource/model/model.js'
import type { Reads, Row } from '../../store/store.js'
import { checkRelations } from '../body/check-relations.js'
import { applyFills, noPendingFills, type PendingFills, pendingFills } from '../body/fills.js'
import { newValues, type ValidatedBody } from '../body/validated-body.js'
import type { Call } from '../call/call.js'
import { auditWrite, isAudited } from './audit.js'
import { checkChanges } from './check-changes.js'
import { checkRules } from './check-rules.js'
import { findVisible, holdsFiles, type StoredValues, valueIn, type WriteContext } from './commit.js'
import { auditContext, commitRecord, endsWithWrite, finishWrite, type RelatedWrites, requireInScope, runBeforeSave } from './record.js'
import { takeFiles } from './record-files.js'
import { numberAtEnd } from './reorder.js'
import { queueSettled } from './settle.js'

export async function commitCreate(call: Call, sent: ValidatedBody, along: RelatedWrites | null = null): Promise<Row> {
  const pending = pendingFills(call, sent, null)
  const values = newValues(call, sent, pending)
  return commitNew(call, values, { sent: true, along, left: pending })
}

/**
 * Creates a record from stored values.
 *
 * @param sent whether the caller sent them. Default: code names them all
 * @param left what relations fill
 */
export async function commitNew(
  call: Call,
  begun: StoredValues,
  {
    sent = false,
    along = null,
    left: pending = noPendingFills,
  }: { readonly sent?: boolean; readonly along?: RelatedWrites | null; readonly left?: PendingFills } = {},
): Promise<Row> {
  const { resource } = call
  const { hooks } = resource
  return commitRecord(call, along, async (within) => {
    if (!sent) checkChanges(call, within.lens, null, begun)
    const given = pending.size > 0 ? await applyFills(call, within.tx, begun, pending, null) : begun
    await checkRelations(call, within.tx, given, resource.fields)
    checkRules(call, null, given)
    const chosen = hooks.beforeSave ? (await runBeforeSave(call, within, null, given)).values : given
    const values = resource.reorderable ? await withPlace(call, resource.reorderable, within.tx, chosen) : chosen
    if (holdsFiles(call)) await takeFiles(call, within, null, values, sent ? begun : null)
    const row = requireInScope(call, await writtenBy(call, within, values))
    queueSettled(call, within.raw, null, row)
    if (isAudited(call)) await auditWrite(call, auditContext(call, within), 'create', null, row)
    return along || hooks.afterSave ? finishWrite(call, within, along, null, row) : row
  })
}

/** The values of a new record, with its place at the end of the order that users give to records, unless they name another one. */
async function withPlace({ resource, placing }: Call, { key }: Column, tx: Reads, values: StoredValues): Promise<StoredValues> {
  if ((valueIn(values, key) ?? null) !== null) {
    placing?.delete(resource)
    return values
  }
  const number = await numberAtEnd(tx, resource, placing?.get(resource))
  placing?.set(resource, number)
  return { ...values, [key]: number }
}

async function writtenBy(call: Call, { tx, lens, last }: WriteContext, values: StoredValues): Promise<Row | null> {
  const { model } = call.resource
  if (last?.can('create', model, values) && endsWithWrite(call)) return last.create(model, values, lens.columns)
  return findVisible(call, tx, lens, await tx.create(model, values))
}
