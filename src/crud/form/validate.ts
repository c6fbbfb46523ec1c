import { DaymarkError } from '../../base/errors.js'
import type { KeyValue } from '../../field/key.js'
import type { Row } from '../../store/store.js'
import { checkRelations } from '../body/check-relations.js'
import { applyFills, pendingFills } from '../body/fills.js'
import { changesOf, newValues, type ValidatedBody, validateBody } from '../body/validated-body.js'
import { allow, allowRecord, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, lensOf, rowObject } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { checkRules } from '../commit/check-rules.js'
import { findByKey, keyOf, notFoundError } from '../input/key.js'
import { panelParameter } from '../input/panel-text.js'
import { type Outcome, UnfitError } from '../outcomes/outcome.js'
import { draftValues } from './draft-values.js'
import { type NestedWrite, readNestedWrite } from './write-nested.js'

/**
 * Whether a form could be saved: checks the rules of its fields and of the resource, and its relations, and says what it would show. Writes
 * nothing and runs no hooks.
 */
export async function validate(call: Call): Promise<Outcome> {
  const { realm, identity, resource, input } = call
  const creating = input.key === null
  allow(realm, identity, resource, creating ? 'create' : 'update')
  const whole = await readNestedWrite(call)
  const { own, drafts } = whole
  const key = creating ? null : keyOf(call)
  const sent = await validateBody(own, creating)
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const row = key === null ? null : await storedRow(own, key, lens)
  const refused = await refusalOf(whole, key, () => checkOwn(own, sent, lens, row))
  const seen = row ? visibleLens(call, lens, row) : lens
  const all = [{ call: own, sent, seen, row, names: resource.pages.form, at: '' }, ...(await drafts(key))]
  const would = await draftValues(all, refused)
  if (!refused) return { is: 'valid', resource, would, wrong: null }
  const unfit = new UnfitError(refused, would)
  // Who only asks while a user types has got an answer, not an error.
  if (panelParameter(input, '_check') === '1') return { is: 'valid', resource, would, wrong: unfit }
  throw unfit
}

/** What is wrong with the record and with those that are edited along with it; null: nothing. */
async function refusalOf(
  { check, refused }: NestedWrite,
  key: KeyValue | null,
  checkOwn: () => Promise<void>,
): Promise<DaymarkError | null> {
  try {
    try {
      await checkOwn()
    } catch (thrown) {
      throw await refused(thrown, key)
    }
    await check(key)
    return null
  } catch (thrown) {
    if (thrown instanceof DaymarkError && thrown.code === 'invalid') return thrown
    throw thrown
  }
}

async function storedRow(call: Call, key: KeyValue, lens: Lens): Promise<Row> {
  const { realm, identity, resource, store } = call
  const row = await findByKey(store, resource.model, key, lens, scopeOf(identity, resource))
  if (!row) throw notFoundError(call)
  allowRecord(realm, identity, resource, 'update', rowObject(lens.columns, row))
  return row
}

async function checkOwn(call: Call, sent: ValidatedBody, lens: Lens, row: Row | null): Promise<void> {
  const { resource, store } = call
  const pending = pendingFills(call, sent, row)
  const own = row ? changesOf(call, sent, row, visibleLens(call, lens, row), pending) : newValues(call, sent, pending)
  const values = await applyFills(call, store, own, pending, row)
  const before = row && rowObject(lens.columns, row)
  await checkRelations(call, store, values, resource.fields, before)
  checkRules(call, before, values)
}
