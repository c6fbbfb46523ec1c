import { DaymarkError, invalid } from '../../base/errors.js'
import { shown } from '../../base/shown.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { lostNumber } from '../../field/stored-json.js'
import { namesLinks } from '../../resource/model/link.js'
import type { Row } from '../../store/store.js'
import { checkRelations, readsIn } from '../body/check-relations.js'
import { applyFills, pendingFills } from '../body/fills.js'
import { changesOf, checkReadOnlyValues, type ValidatedBody } from '../body/validated-body.js'
import { allowRecord } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, rowObject } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { isSameStored } from '../input/same-stored.js'
import { auditWrite, isAudited } from './audit.js'
import { checkChanges } from './check-changes.js'
import { checkRules } from './check-rules.js'
import {
  findStored,
  findVisible,
  holdsFiles,
  requireRow,
  type StoredValues,
  type Tx,
  unchangedError,
  valueIn,
  type WriteContext,
} from './commit.js'
import {
  auditContext,
  callAfterWrite,
  commitRecord,
  endsWithWrite,
  finishWrite,
  type RelatedWrites,
  requireInScope,
  runBeforeSave,
  writeRelated,
} from './record.js'
import { takeFiles } from './record-files.js'
import { queueSettled } from './settle.js'
import { matchVersion } from './version.js'

/**
 * @param match an additional check of the record before the change
 * @param along what is written along with it, even if it stays as it is
 */
export function commitUpdate(
  call: Call,
  key: KeyValue,
  sent: ValidatedBody,
  { match, along = null }: { readonly match?: (lens: Lens, row: Row) => void; readonly along?: RelatedWrites | null } = {},
): Promise<Row> {
  const changed: Changed = (tx, before, lens) => {
    match?.(lens, before)
    const pending = pendingFills(call, sent, before)
    const changes = changesOf(call, sent, before, visibleLens(call, sent.lens, before), pending)
    const filling = pending.size > 0 ? applyFills(call, tx, changes, pending, before) : changes
    return sent.readOnlyValues.size === 0 ? filling : checkReadOnlyValues(call, sent, before, readsIn(call, tx)).then(() => filling)
  }
  return updating(call, key, { changed, sent: true, along })
}

/** Overwrites stored values of a record. */
export function commitValues(call: Call, key: KeyValue, values: StoredValues): Promise<Row> {
  const changed: Changed = (_, before, lens) => {
    checkChanges(call, lens, before, values)
    return values
  }
  return updating(call, key, { changed, sent: false, along: null })
}

/** Returns what to change in a record. */
type Changed = (tx: Tx, before: Row, lens: Lens) => StoredValues | Promise<StoredValues>

interface Change {
  readonly changed: Changed
  /** Whether the caller sent the changes. */
  readonly sent: boolean
  readonly along: RelatedWrites | null
}

function updating(call: Call, key: KeyValue, { changed, sent, along }: Change): Promise<Row> {
  const { resource, identity, realm } = call
  const { hooks } = resource
  return commitRecord(call, along, async (within) => {
    const { tx, lens } = within
    let before = requireRow(call, await findVisible(call, tx, lens, key))
    let record = rowObject(lens.columns, before)
    allowRecord(realm, identity, resource, 'update', record)
    matchVersion(call, lens, before)
    const changing = changed(tx, before, lens)
    const changes = changing instanceof Promise ? await changing : changing
    if (Object.keys(changes).length === 0) return along ? writeRelated(call, within, along, before) : before
    const checking = checkRelations(call, tx, changes, resource.fields, record)
    if (checking) await checking
    checkRules(call, record, changes)
    const { values, wrote } = hooks.beforeSave ? await runBeforeSave(call, within, record, changes) : { values: changes, wrote: false }
    if (wrote) {
      // Perhaps to this very record: that is told already.
      before = requireInScope(call, await findStored(call, tx, lens, key))
      record = rowObject(lens.columns, before)
    }
    checkKey(call, key, values)
    checkExact(call, lens, before, values)
    if (holdsFiles(call)) await takeFiles(call, within, before, values, sent ? changes : null)
    if (resource.reorderable && Object.hasOwn(values, resource.reorderable.key)) call.placing?.delete(resource)
    const row = requireInScope(call, await keepingKey(call, within, key, await changedBy(call, within, key, before, values)))
    queueSettled(call, within.raw, before, row)
    if (isAudited(call)) await auditWrite(call, auditContext(call, within), 'update', before, row)
    return along || hooks.afterSave ? finishWrite(call, within, along, record, row) : row
  })
}

/**
 * Forms and bodies cannot change a key, but user code could try.
 *
 * @throws TypeError if user code changes the key
 */
function checkKey({ resource }: Call, key: KeyValue, values: StoredValues): void {
  const column = resource.model.key.key
  const said = valueIn(values, column)
  if (said !== undefined && (said === null || keyText(said as KeyValue) !== keyText(key)))
    throw new TypeError(`A key never changes: "${column}" of "${resource.uriKey}" was to become another one`)
}

/** JSON is written as a whole, so a number in it that JavaScript cannot hold exactly would change along with the edit: refuse that. */
function checkExact({ realm }: Call, { at, readable }: Lens, before: Row, values: StoredValues): void {
  for (const [name, value] of Object.entries(values)) {
    const number = lostNumber(before[at.get(name) as number], value)
    if (number === null) continue
    const label = readable.get(name)?.label
    const text = realm.t('field.jsonFiner', { label: label ?? name, number: shown(number) })
    throw label === undefined ? new DaymarkError('invalid', text) : invalid(name, text)
  }
}

async function changedBy(
  call: Call,
  { tx, lens, last }: WriteContext,
  key: KeyValue,
  before: Row,
  values: StoredValues,
): Promise<Row | null> {
  const { model } = call.resource
  // With another key, it would not be found again, and is refused.
  if (last?.can('update', model, values) && endsWithWrite(call) && !Object.hasOwn(values, model.key.key))
    return last.update(model, key, values, lens.columns)
  const writing = tx.update(model, key, values)
  // Link tables are written statement after statement.
  if (namesLinks(model, values)) await writing
  // Pipelined, so that both take one round trip. If the write fails, so does the read.
  const reading = findVisible(callAfterWrite(call), tx, lens, key)
  reading.catch(() => {})
  const count = await writing
  const row = await reading
  if (count === 0 && row && isSameStored(row, before)) throw unchangedError(call)
  return row
}

/** A key that is made of other columns changes with them, and the record would no longer be found where it was. */
async function keepingKey(call: Call, { tx, lens }: WriteContext, key: KeyValue, row: Row | null): Promise<Row | null> {
  const { model, fields } = call.resource
  const { key: name, generated } = model.key
  if (row || !generated || (await findStored(call, tx, lens, key))) return row
  throw invalid(name, call.realm.t('record.keyMoves', { label: fields.get(name)?.label ?? name }))
}
