import { invalid } from '../base/errors.js'
import { type KeyValue, keyText } from '../field/key.js'
import type { Reads } from '../store/store.js'
import { allow, allowRow, scopeOf } from './allow.js'
import type { Call, Input } from './call.js'
import { commitDelete, commitDeleteMany } from './commit.js'
import { checkAllNamed, idsOf, meansAll, noneSelected } from './ids.js'
import { findByKey, keyOf, notThere } from './key.js'
import { lensOf } from './lens.js'
import type { Confirm, Outcome } from './outcome.js'
import { panelText } from './panel-text.js'
import { labelOf } from './related.js'
import { seenBy } from './seen.js'
import { foundAll, foundOf, selectionOf } from './selection.js'
import { demandVersion, versionOf } from './version.js'

/** Deletes one record. */
export async function destroy(call: Call): Promise<Outcome> {
  const { realm, identity, resource, input } = call
  allow(realm, identity, resource, 'delete')
  const key = keyOf(call)
  if (unconfirmed(input)) return confirmOne(call, key)
  demandVersion(input.ifMatch, resource.requireIfMatch, realm)
  return { is: 'deleted', resource, count: 1, label: await commitDelete(call, key, call.wants.labels), back: panelText(input, '_back') }
}

/** Deletes the records of `ids[]`, all or none. */
export async function massDelete(call: Call): Promise<Outcome> {
  allow(call.realm, call.identity, call.resource, 'massDelete')
  const keysIn = keysOf(call)
  if (unconfirmed(call.input)) return confirmMany(call, await keysIn(call.store))
  const count = await commitDeleteMany(call, keysIn)
  return { is: 'deleted', resource: call.resource, count, label: null, back: panelText(call.input, '_back') }
}

/** Finds the keys to delete: those of `ids[]`, or of a whole list, up to the same maximum. */
function keysOf(call: Call): (reads: Reads) => Promise<readonly KeyValue[]> {
  if (meansAll(call.input)) {
    checkAllNamed(call)
    return (reads) => allKeys(call, reads)
  }
  const keys = idsOf(call)
  return async () => keys
}

async function allKeys(call: Call, reads: Reads): Promise<readonly KeyValue[]> {
  const { resource, realm } = call
  const selection = await selectionOf(call, reads)
  if (selection.is === 'all' && selection.total > resource.maxMassDelete)
    throw invalid('ids', realm.t('ids.tooMany', { max: resource.maxMassDelete }))
  const { keys } = await foundOf(call, reads, selection, 'massDelete')
  if (keys.length === 0) throw noneSelected(call)
  return keys
}

/** Whether to ask for confirmation: a form with `_method=DELETE` is asked once, a real DELETE acts at once. */
function unconfirmed(input: Input): boolean {
  return panelText(input, '_method') !== '' && panelText(input, '_confirmed') !== '1'
}

// Enough labels to recognise what is about to be deleted.
const named = 20

async function confirmOne(call: Call, key: KeyValue): Promise<Confirm> {
  const { realm, identity, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const row = await findByKey(store, resource.model, key, lens, scopeOf(identity, resource))
  if (!row) throw notThere(call)
  allowRow(realm, identity, resource, 'delete', lens.columns, row)
  const told = seenBy(call, lens, row)
  return {
    is: 'confirm',
    resource,
    ids: null,
    labels: [labelOf(told, row)],
    count: 1,
    version: resource.requireIfMatch ? versionOf(told, row) : null,
  }
}

async function confirmMany(call: Call, keys: readonly KeyValue[]): Promise<Confirm> {
  const { identity, realm, resource, store } = call
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const rows = await foundAll(call, lens, store, keys)
  for (const row of rows) allowRow(realm, identity, resource, 'massDelete', lens.columns, row)
  return {
    is: 'confirm',
    resource,
    ids: keys.map(keyText),
    labels: rows.slice(0, named).map((row) => labelOf(seenBy(call, lens, row), row)),
    count: keys.length,
    version: null,
  }
}
