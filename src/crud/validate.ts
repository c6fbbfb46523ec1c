import type { KeyValue } from '../field/key.js'
import { allow, allowRecord, scopeOf } from './allow.js'
import type { Call } from './call.js'
import { checkRelations } from './check-relations.js'
import { checkRules } from './check-rules.js'
import { findByKey, keyOf, notThere } from './key.js'
import { lensOf, rowObject } from './lens.js'
import type { Outcome } from './outcome.js'
import { seenBy } from './seen.js'
import { changesOf, newValues, readSent } from './sent.js'
import { readWhole } from './write-nested.js'

/**
 * Whether a form could be saved: checks the rules of its fields and of the resource, and its relations. Writes nothing and runs no hooks.
 */
export async function validate(call: Call): Promise<Outcome> {
  const { realm, identity, resource, input } = call
  const creating = input.key === null
  allow(realm, identity, resource, creating ? 'create' : 'update')
  const { own, check, refused } = await readWhole(call)
  const key = creating ? null : keyOf(call)
  try {
    await validateOwn(own, key)
  } catch (thrown) {
    throw await refused(thrown, key)
  }
  await check(key)
  return { is: 'valid', resource }
}

async function validateOwn(call: Call, key: KeyValue | null): Promise<void> {
  const { realm, identity, resource, store } = call
  const sent = await readSent(call, key === null)
  if (key === null) {
    const values = newValues(call, sent)
    await checkRelations(call, store, values, resource.fields)
    checkRules(call, null, values)
    return
  }
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  const row = await findByKey(store, resource.model, key, lens, scopeOf(identity, resource))
  if (!row) throw notThere(call)
  const record = rowObject(lens.columns, row)
  allowRecord(realm, identity, resource, 'update', record)
  const changes = changesOf(call, sent, row, seenBy(call, lens, row))
  await checkRelations(call, store, changes, resource.fields, record)
  checkRules(call, record, changes)
}
