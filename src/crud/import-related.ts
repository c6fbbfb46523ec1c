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
  const made = plans.flatMap(({ key, values }) => (key === undefined ? [values[keyName]] : []))
  const linked = plans.flatMap(({ row, values, before }) =>
    linkedIn(call, values, resource.fields, before ? rowObject(lens.columns, before) : {})
      .filter(({ field }) => meets(field.visible, identity))
      // A record that an earlier row makes is there by then, and whose key is not known yet, only the database can tell.
      .filter(({ target }) => target.model.table !== resource.model.table || !made.includes(undefined))
      .map((one) => ({ ...one, row })),
  )
  const faults: RowFault[] = []
  for (const field of new Set(linked.map(({ field }) => field))) {
    const some = linked.filter((one) => one.field === field)
    const { target } = some[0] as Linked
    const there = await keysThere(call, target, [...new Set(some.flatMap(({ keys }) => keys))] as KeyValue[])
    if (target.model.table === resource.model.table) for (const key of made) there.add(keyText(key as KeyValue))
    const text = realm.t('field.noRelated', { label: field.label })
    for (const { row, keys } of some)
      if (!keys.every((key) => there.has(keyText(key as KeyValue))))
        faults.push({ name: row.name, line: row.line, errors: new Map([[field.key, [text]]]) })
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
