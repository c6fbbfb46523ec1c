import { isDeepStrictEqual } from 'node:util'
import { DaymarkError } from '../base/errors.js'
import type { Bound } from '../field/field.js'
import { type KeyValue, keyText } from '../field/key.js'
import type { Resource } from '../resource/resource.js'
import type { Reads } from '../store/store.js'
import { scopeOf } from './allow.js'
import type { Call } from './call.js'
import { findByKey } from './key.js'
import { type Lens, meets } from './lens.js'
import type { ReadsOf } from './related.js'

/**
 * A relation must lead to a record that the caller may see. Each is looked up first, because SQLite never names the foreign key that
 * failed. Null: there are no relations to check.
 */
export function checkRelations(
  call: Pick<Call, 'realm' | 'identity' | 'store'>,
  tx: Reads,
  values: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Bound>,
): Promise<void> | null {
  const linked = Object.entries(values).flatMap(([name, value]) => {
    const field = fields.get(name)
    const target = field && call.realm.links.get(field)
    if (!field || !target || value === null || value === undefined) return []
    // Nobody chose the initial value of a field that they may not see.
    return !meets(field.visible, call.identity) && isDeepStrictEqual(value, field.default) ? [] : [{ field, target, value }]
  })
  return linked.length === 0 ? null : checkLinked(call, tx, linked)
}

async function checkLinked(
  call: Pick<Call, 'realm' | 'identity' | 'store'>,
  tx: Reads,
  linked: readonly { readonly field: Bound; readonly target: Resource; readonly value: unknown }[],
): Promise<void> {
  const { realm, identity } = call
  const readsOf = readsIn(call, tx)
  const errors = new Map<string, readonly string[]>()
  let hidden = false
  for (const { field, target, value } of linked) {
    const found = await findByKey(readsOf(target), target.model, value as KeyValue, keyAlone(target), scopeOf(identity, target))
    if (found) continue
    if (meets(field.visible, identity)) errors.set(field.key, [realm.t('field.noRelated', { label: field.label })])
    else hidden = true
  }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  // Code of the application gave it. The field is not named to whoever may not see it.
  if (hidden) throw new DaymarkError('invalid', realm.t('record.refused'))
}

const keyAlone = ({ model }: Resource): Pick<Lens, 'columns' | 'key'> => ({
  columns: [model.key.key],
  key: ([key]) => keyText(key as KeyValue),
})

/** Inside a transaction, reads of the same store go through it: a read outside could wait for it to end. */
export function readsIn({ realm, store }: Pick<Call, 'realm' | 'store'>, tx: Reads): ReadsOf {
  return (target) => {
    const other = realm.storeOf(target)
    return other === store ? tx : other
  }
}
