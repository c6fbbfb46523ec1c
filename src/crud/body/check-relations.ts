import { isDeepStrictEqual } from 'node:util'
import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import { type KeyValue, keyText } from '../../field/key.js'
import { always, both, type Condition, isAlways } from '../../resource/condition/condition.js'
import { fixedChoices, matchesOf } from '../../resource/relation/narrowing.js'
import { storePlace } from '../../resource/relation/place.js'
import type { Resource } from '../../resource/resource.js'
import type { Reads } from '../../store/store.js'
import { scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { type Lens, meets } from '../call/lens.js'
import { findByKey } from '../input/key.js'
import { isSameStored } from '../input/same-stored.js'
import { matchCondition, notMatching } from '../relation/choice-condition.js'
import type { ReadsOf } from '../relation/related.js'
import { keysIn } from '../relation/relation.js'
import { initialValue } from './initial-values.js'

type Values = Readonly<Record<string, unknown>>
type Asking = Pick<Call, 'realm' | 'identity'> & { readonly resource?: Resource | null }

/**
 * A relation must lead to records that the caller may see, and that can be chosen. Each is looked up first, because SQLite never names the
 * foreign key that failed. Null: there are no relations to check.
 *
 * @param before the record as it is: what a list of records has already need not be visible, and what stays may be what nobody can choose
 * now. Null: it is new. `several`: each record will be asked by itself whether what it gets matches its other fields
 */
export function checkRelations(
  call: Asking & Pick<Call, 'store'>,
  tx: Reads,
  values: Values,
  fields: ReadonlyMap<string, Bound>,
  before: Values | 'several' | null = null,
): Promise<void> | null {
  const linked = linkedIn(call, values, fields, before)
  return linked.length === 0 ? null : checkLinked(call, tx, linked)
}

/** The related records that the values of a field name. */
export interface Linked {
  readonly field: Bound
  readonly target: Resource
  readonly keys: readonly unknown[]
  /** Whether they are chosen now, so that the caller must see them, or were before. */
  readonly isNew: boolean
  /** What can be chosen for good. */
  readonly fixed: Condition
  /** What matches the other fields. */
  readonly matching: Condition
  /** What is said of those that don't match. */
  readonly unmatched: () => string
}

/** The related records that values name, but for those that the record has already, unless they may no longer match it. */
export function linkedIn(
  call: Asking,
  values: Values,
  fields: ReadonlyMap<string, Bound>,
  before: Values | 'several' | null,
): readonly Linked[] {
  const { realm, identity } = call
  const was = before === 'several' ? {} : (before ?? {})
  const isChanged = (name: string) => Object.hasOwn(values, name) && !(name in was && isSameStored(values[name], was[name]))
  const now = (other: Bound): unknown => {
    if (Object.hasOwn(values, other.key)) return values[other.key] ?? null
    // The database gives a new record what its column begins with.
    if (before === null) return (call.resource ? initialValue(call.resource.model, other) : other.default) ?? null
    return before === 'several' ? undefined : (was[other.key] ?? null)
  }
  const named = Object.keys(values).flatMap((name) => fields.get(name) ?? [])
  // What stays may no longer match what is changed.
  const left = dependentIn(fields).filter((field) => !named.includes(field) && isLeft(field))
  return [...named, ...left].flatMap((field) => {
    const target = realm.links.get(field)
    const value = Object.hasOwn(values, field.key) ? values[field.key] : was[field.key]
    if (!target || value === null || value === undefined) return []
    // Nobody chose the initial value of a field that they may not see.
    if (!meets(field.visible, identity) && isDeepStrictEqual(value, field.default)) return []
    const isOne = !Array.isArray(value)
    const had = new Set(isOne ? [] : keysIn(field, was[field.key]))
    const [kept, chosen] = [[] as unknown[], [] as unknown[]]
    for (const key of keysIn(field, value)) (left.includes(field) || had.has(key) ? kept : chosen).push(key)
    // A single one that is named again is looked up again, but is as good as it was.
    const isAgain = isOne && !isChanged(field.key)
    const matching = before === 'several' || (isAgain && !isLeft(field)) ? always : matchCondition(field, target, fields, now)
    const about = { field, target, matching, unmatched: () => notMatching(realm, identity, field, fields, now) }
    return [
      ...(chosen.length > 0
        ? [{ ...about, keys: chosen, isNew: true, fixed: isAgain ? always : fixedChoices(field, target, realm.timeZone) }]
        : []),
      ...(kept.length > 0 && isLeft(field) ? [{ ...about, keys: kept, isNew: false, fixed: always }] : []),
    ]
  })

  /** Whether a field that it must match has another value than before. */
  function isLeft(field: Bound): boolean {
    return before !== null && before !== 'several' && matchesOf(field).some(([, ours]) => fields.has(ours) && isChanged(ours))
  }
}

const dependents = new WeakMap<ReadonlyMap<string, Bound>, readonly Bound[]>()

/** The relations that must match other fields. Found once, since every write asks. */
function dependentIn(fields: ReadonlyMap<string, Bound>): readonly Bound[] {
  const known = dependents.get(fields) ?? [...fields.values()].filter((field) => matchesOf(field).length > 0)
  dependents.set(fields, known)
  return known
}

async function checkLinked(call: Asking & Pick<Call, 'store'>, tx: Reads, linked: readonly Linked[]): Promise<void> {
  const { realm, identity } = call
  const readsOf = readsIn(call, tx)
  const errors = new Map<string, readonly string[]>()
  let hidden = false
  for (const { field, target, keys, isNew, fixed, matching, unmatched } of linked) {
    const those = (where: Condition) => areThere(readsOf(target), target, keys, where)
    const visible = isNew ? scopeOf(identity, target, fixed) : always
    if (await those(both(visible, matching))) continue
    if (!meets(field.visible, identity)) hidden = true
    else {
      const isThere = !isNew || (!isAlways(matching) && (await those(visible)))
      errors.set(field.key, [isThere ? unmatched() : realm.t('field.noRelated', { label: field.label })])
    }
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
  const place = storePlace(store)
  return (target) => {
    const other = realm.storeOf(target)
    return storePlace(other) === place ? tx : other
  }
}
