import { isDeepStrictEqual } from 'node:util'
import { DaymarkError } from '../base/errors.js'
import type { Bound } from '../field/field.js'
import { type KeyValue, keyText } from '../field/key.js'
import type { Condition } from '../resource/condition.js'
import type { Resource } from '../resource/resource.js'
import type { Reads } from '../store/store.js'
import { scopeOf } from './allow.js'
import type { Call } from './call.js'
import { findByKey } from './key.js'
import { type Lens, meets } from './lens.js'
import { keysIn, type ReadsOf } from './related.js'

/**
 * A relation must lead to records that the caller may see. Each is looked up first, because SQLite never names the foreign key that
 * failed. Null: there are no relations to check.
 *
 * @param before the record as it is: what a list of records has already need not be visible
 */
export function checkRelations(
  call: Pick<Call, 'realm' | 'identity' | 'store'>,
  tx: Reads,
  values: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Bound>,
  before: Readonly<Record<string, unknown>> = {},
): Promise<void> | null {
  const linked = linkedIn(call, values, fields, before)
  return linked.length === 0 ? null : checkLinked(call, tx, linked)
}

/** The related records that the values of a field name. */
export interface Linked {
  readonly field: Bound
  readonly target: Resource
  readonly keys: readonly unknown[]
}

/** The related records that values name, but for those that the record has already. */
export function linkedIn(
  call: Pick<Call, 'realm' | 'identity'>,
  values: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Bound>,
  before: Readonly<Record<string, unknown>>,
): readonly Linked[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = fields.get(name)
    const target = field && call.realm.links.get(field)
    if (!field || !target || value === null || value === undefined) return []
    // Nobody chose the initial value of a field that they may not see.
    if (!meets(field.visible, call.identity) && isDeepStrictEqual(value, field.default)) return []
    const had = new Set(Array.isArray(value) ? keysIn(field, before[name]) : [])
    const keys = keysIn(field, value).filter((key) => !had.has(key))
    return keys.length === 0 ? [] : [{ field, target, keys }]
  })
}

async function checkLinked(call: Pick<Call, 'realm' | 'identity' | 'store'>, tx: Reads, linked: readonly Linked[]): Promise<void> {
  const { realm, identity } = call
  const readsOf = readsIn(call, tx)
  const errors = new Map<string, readonly string[]>()
  let hidden = false
  for (const { field, target, keys } of linked) {
    if (await areThere(readsOf(target), target, keys, scopeOf(identity, target))) continue
    if (meets(field.visible, identity)) errors.set(field.key, [realm.t('field.noRelated', { label: field.label })])
    else hidden = true
  }
  if (errors.size > 0) throw new DaymarkError('invalid', [...errors.values()][0]?.[0] as string, { errors })
  // Code of the application gave it. The field is not named to whoever may not see it.
  if (hidden) throw new DaymarkError('invalid', realm.t('record.refused'))
}

/** Whether there is a record with each of these keys. */
async function areThere(reads: Reads, target: Resource, keys: readonly unknown[], where: Condition): Promise<boolean> {
  if (keys.length === 1) return (await findByKey(reads, target.model, keys[0] as KeyValue, keyAlone(target), where)) !== null
  const rows = await reads.findMany(target.model, keys, [target.model.key.key], where)
  const found = new Set(rows.map(([key]) => keyText(key as KeyValue)))
  return keys.every((key) => found.has(keyText(key as KeyValue)))
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
