import { inspect } from 'node:util'
import { type KeyValue, keyText } from '../../field/key.js'
import { always, type Condition, isAlways } from '../../resource/condition/condition.js'
import type { Resource } from '../../resource/resource.js'
import { type Linked, linkedIn } from '../body/check-relations.js'
import { scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, meets, rowObject } from '../call/lens.js'
import { chunkSize } from '../query/selection.js'
import type { RowFault } from './error.js'
import type { Plan } from './row.js'

/** The rows that name related records which are not there, or not for the caller: else a write would tell one of them at a time. */
export async function relatedFaults(call: Call, lens: Lens, plans: readonly Plan[]): Promise<readonly RowFault[]> {
  const { realm, identity, resource } = call
  const keyName = resource.model.key.key
  const isOwn = (target: Resource) => target.model.table === resource.model.table
  // The keys of what earlier rows make, which is there by then: all of them up to the place of each row.
  const made: KeyValue[] = []
  let unknown = false
  const linked: (Linked & { readonly row: Plan['row']; readonly made: number })[] = []
  for (const { row, key, values, before } of plans) {
    for (const one of linkedIn(call, values, resource.fields, before && rowObject(lens.columns, before))) {
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
  const refused = new Set<Linked>()
  const refuse = (one: (typeof linked)[number], text: string) => {
    refused.add(one)
    faults.push({ name: one.row.name, line: one.row.line, errors: new Map([[one.field.key, [text]]]) })
  }
  const known = linked.filter(({ isNew }) => isNew)
  for (const field of new Set(known.map(({ field }) => field))) {
    const some = known.filter((one) => one.field === field)
    const { target, fixed } = some[0] as Linked
    // What nobody can choose of those that earlier rows make, the write refuses.
    const there = await keysThere(call, target, allKeys(some), scopeOf(identity, target, isOwn(target) ? always : fixed))
    const text = realm.t('field.noRelated', { label: field.label })
    let counted = 0
    for (const one of some) {
      if (isOwn(target)) for (; counted < one.made; counted++) there.add(keyText(made[counted] as KeyValue))
      if (!isAllIn(there, one)) refuse(one, text)
    }
  }
  for (const some of alike(linked.filter((one) => !isAlways(one.matching) && !isOwn(one.target) && !refused.has(one)))) {
    const { target, matching } = some[0] as Linked
    const there = await keysThere(call, target, allKeys(some), matching)
    for (const one of some) if (!isAllIn(there, one)) refuse(one, one.unmatched())
  }
  return faults
}

/** Those that are asked the same, together. */
function alike<L extends Linked>(linked: readonly L[]): Iterable<readonly L[]> {
  const groups = new Map<string, L[]>()
  for (const one of linked) {
    const name = inspect([one.field.key, one.matching], { depth: null, maxStringLength: null })
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return groups.values()
}

const allKeys = (linked: readonly Linked[]) => [...new Set(linked.flatMap(({ keys }) => keys))] as KeyValue[]

const isAllIn = (there: ReadonlySet<string>, { keys }: Linked) => keys.every((key) => there.has(keyText(key as KeyValue)))

/** Those of these keys that records have which meet a condition, as texts. */
async function keysThere({ realm }: Call, target: Resource, keys: readonly KeyValue[], where: Condition): Promise<Set<string>> {
  const { model } = target
  const found = new Set<string>()
  for (let from = 0; from < keys.length; from += chunkSize) {
    const rows = await realm.storeOf(target).findMany(model, keys.slice(from, from + chunkSize), [model.key.key], where)
    for (const [key] of rows) found.add(keyText(key as KeyValue))
  }
  return found
}
