import { type KeyValue, keyText } from '../field/key.js'
import type { Resource } from '../resource/resource.js'
import { scopeOf } from './allow.js'
import type { Call } from './call.js'
import { type Linked, linkedIn } from './check-relations.js'
import type { RowFault } from './import-error.js'
import type { Plan } from './import-row.js'
import { type Lens, meets, rowObject } from './lens.js'
import { chunk } from './selection.js'

/** The rows that name related records which are not there, or not for the caller: else a write would tell one of them at a time. */
export async function unrelatedIn(call: Call, lens: Lens, plans: readonly Plan[]): Promise<readonly RowFault[]> {
  const { realm, identity, resource } = call
  const keyName = resource.model.key.key
  const isOwn = (target: Resource) => target.model.table === resource.model.table
  // The keys of what earlier rows make, which is there by then: all of them up to the place of each row.
  const made: KeyValue[] = []
  let unknown = false
  const linked: (Linked & { readonly row: Plan['row']; readonly made: number })[] = []
  for (const { row, key, values, before } of plans) {
    for (const one of linkedIn(call, values, resource.fields, before ? rowObject(lens.columns, before) : {})) {
      if (!meets(one.field.visible, identity)) continue
      // Of a record that an earlier row has made, only the database knows the key, if nobody said it.
      if (unknown && isOwn(one.target)) continue
      linked.push({ ...one, row, made: made.length })
    }
    if (key !== undefined) continue
    if (values[keyName] === undefined) unknown = true
    else made.push(values[keyName] as KeyValue)
  }
  const faults: RowFault[] = []
  for (const field of new Set(linked.map(({ field }) => field))) {
    const some = linked.filter((one) => one.field === field)
    const { target } = some[0] as Linked
    const there = await keysThere(call, target, [...new Set(some.flatMap(({ keys }) => keys))] as KeyValue[])
    const text = realm.t('field.noRelated', { label: field.label })
    let known = 0
    for (const { row, keys, made: earlier } of some) {
      if (isOwn(target)) for (; known < earlier; known++) there.add(keyText(made[known] as KeyValue))
      if (!keys.every((key) => there.has(keyText(key as KeyValue))))
        faults.push({ name: row.name, line: row.line, errors: new Map([[field.key, [text]]]) })
    }
  }
  return faults
}

/** Those of these keys that records have which the caller may see, as texts. */
async function keysThere({ realm, identity }: Call, target: Resource, keys: readonly KeyValue[]): Promise<Set<string>> {
  const { model } = target
  const found = new Set<string>()
  for (let from = 0; from < keys.length; from += chunk) {
    const rows = await realm.storeOf(target).findMany(model, keys.slice(from, from + chunk), [model.key.key], scopeOf(identity, target))
    for (const [key] of rows) found.add(keyText(key as KeyValue))
  }
  return found
}
