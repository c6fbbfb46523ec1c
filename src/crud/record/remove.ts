import { invalid } from '../../base/errors.js'
import { type KeyValue, keyText } from '../../field/key.js'
import type { Reads } from '../../store/store.js'
import { allow, allowRow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { visibleLens } from '../call/visible-lens.js'
import { commitDelete, commitDeleteMany } from '../commit/delete.js'
import { demandVersion, versionOf } from '../commit/version.js'
import { findByKey, keyOf, notFoundError } from '../input/key.js'
import { panelText } from '../input/panel-text.js'
import { checkAllNamed, idsOf, noneSelectedError, selectsAll } from '../input/selected-ids.js'
import { unconfirmed } from '../input/unconfirmed.js'
import type { Outcome } from '../outcomes/outcome.js'
import type { Confirm } from '../outcomes/records.js'
import { allowEach } from '../query/allow-each.js'
import { findAllByKeys, findSelected, firstRows, type Selection, selectionOf } from '../query/selection.js'
import { labelOf } from '../relation/label.js'
import { usesAhead } from '../relation/uses.js'
import { undoOf, undoOfDeleted } from './undo.js'

/** Deletes one record. */
export async function destroy(call: Call): Promise<Outcome> {
  const { realm, identity, resource, input } = call
  allow(realm, identity, resource, 'delete')
  const key = keyOf(call)
  if (unconfirmed(input)) return confirmOne(call, key)
  demandVersion(input.ifMatch, resource.requireIfMatch, realm)
  const label = await commitDelete(call, key, call.wants.labels)
  const undo = call.wants.labels ? await undoOfDeleted(call, [key]) : null
  return { is: 'deleted', resource, count: 1, label, back: panelText(input, '_back'), undo }
}

/** Deletes the records of `ids[]`, all or none. */
export async function massDelete(call: Call): Promise<Outcome> {
  allow(call.realm, call.identity, call.resource, 'massDelete')
  const find = finding(call)
  if (unconfirmed(call.input)) return confirmMany(call, await find(call.store))
  const keys = await commitDeleteMany(call, async (reads) => (await find(reads)).keys)
  const undo = call.wants.labels ? await undoOfDeleted(call, keys) : null
  return { is: 'deleted', resource: call.resource, count: keys.length, label: null, back: panelText(call.input, '_back'), undo }
}

/** The keys of the records to delete, and how they were selected. */
interface ToDelete {
  readonly selection: Selection
  readonly keys: readonly KeyValue[]
}

/** Finds what to delete: the records of `ids[]`, or of a whole list, up to the same maximum. */
function finding(call: Call): (reads: Reads) => Promise<ToDelete> {
  if (selectsAll(call.input)) {
    checkAllNamed(call)
    return (reads) => allOf(call, reads)
  }
  const keys = idsOf(call)
  return async () => ({ selection: { is: 'ids', keys }, keys })
}

async function allOf(call: Call, reads: Reads): Promise<ToDelete> {
  const { resource, realm } = call
  const selection = await selectionOf(call, reads)
  if (selection.is === 'all' && selection.total > resource.maxMassDelete)
    throw invalid('ids', realm.t('ids.tooMany', { max: resource.maxMassDelete }))
  const { keys } = await findSelected(call, reads, selection, 'massDelete')
  if (keys.length === 0) throw noneSelectedError(call)
  return { selection, keys }
}

// Enough labels to recognise what is about to be deleted.
const named = 20

async function confirmOne(call: Call, key: KeyValue): Promise<Confirm> {
  const { realm, identity, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const row = await findByKey(store, resource.model, key, lens, scopeOf(identity, resource))
  if (!row) throw notFoundError(call)
  allowRow(realm, identity, resource, 'delete', lens.columns, row)
  const told = visibleLens(call, lens, row)
  return {
    is: 'confirm',
    resource,
    ids: null,
    labels: [labelOf(told, row)],
    count: 1,
    version: resource.requireIfMatch ? versionOf(told, row) : null,
    undo: undoOf(call, lens, [row]),
    key: lens.key(row),
    uses: await usesAhead({ identity, resource, keys: [key] }, realm),
  }
}

async function confirmMany(call: Call, { selection, keys }: ToDelete): Promise<Confirm> {
  const { identity, realm, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const rows = await findAllByKeys(call, lens, store, keys)
  allowEach(call, rows, 'massDelete', keys.length)
  const first = selection.is === 'all' ? await firstRows(call, selection, named) : rows.slice(0, named)
  return {
    is: 'confirm',
    resource,
    ids: keys.map(keyText),
    labels: first.map((row) => labelOf(visibleLens(call, lens, row), row)),
    count: keys.length,
    version: null,
    undo: undoOf(call, lens, rows),
    key: keys.length === 1 ? keyText(keys[0] as KeyValue) : null,
    uses: await usesAhead({ identity, resource, keys }, realm),
  }
}
