import type { Column } from '../../resource/model/model.js'
import type { Reads, Row } from '../../store/store.js'
import { checkRelations } from '../body/check-relations.js'
import { filled, type LeftToFill, leftToFill, noneLeft } from '../body/fills.js'
import { newValues, type Sent } from '../body/sent.js'
import type { Call } from '../call/call.js'
import { checkChanges } from './check-changes.js'
import { checkRules } from './check-rules.js'
import { findVisible, holdsFiles, type In, type Stored, valueIn } from './commit.js'
import { takeFiles } from './files-kept.js'
import { isNoted, noteWrite } from './noted.js'
import { type Along, askedToSave, type Committed, commitOne, ending, followed, inScope, isLast } from './one.js'
import { placeAtEnd } from './places.js'
import { unsettle } from './settle.js'

export async function commitCreate(call: Call, sent: Sent, along: Along | null = null): Promise<Committed> {
  const left = leftToFill(call, sent, null)
  const values = newValues(call, sent, left)
  return commitNew(call, values, { sent: true, along, left })
}

/**
 * Creates a record from stored values.
 *
 * @param sent whether the caller sent them. Default: code names them all
 * @param left what relations fill
 */
export async function commitNew(
  call: Call,
  begun: Stored,
  {
    sent = false,
    along = null,
    left = noneLeft,
  }: { readonly sent?: boolean; readonly along?: Along | null; readonly left?: LeftToFill } = {},
): Promise<Committed> {
  const { resource } = call
  const { hooks } = resource
  return commitOne(call, along, async (within) => {
    if (!sent) checkChanges(call, within.lens, null, begun)
    const given = left.size > 0 ? await filled(call, within.tx, begun, left, null) : begun
    await checkRelations(call, within.tx, given, resource.fields)
    checkRules(call, null, given)
    const chosen = hooks.beforeSave ? (await askedToSave(call, within, null, given)).values : given
    const values = resource.reorderable ? await withPlace(call, resource.reorderable, within.tx, chosen) : chosen
    if (holdsFiles(call)) await takeFiles(call, within, null, values, sent ? begun : null)
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

async function writtenBy(call: Call, { tx, lens, last }: In, values: Stored): Promise<Row | null> {
  const { model } = call.resource
  if (last?.can('create', model, values) && isLast(call)) return last.create(model, values, lens.columns)
  return findVisible(call, tx, lens, await tx.create(model, values))
}
