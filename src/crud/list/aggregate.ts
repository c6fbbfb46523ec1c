import type { Bound } from '../../field/field.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { Aggregation, Reads } from '../../store/store.js'

/** A number over a column of all records that meet a condition. Of no records the sum is 0, and the others are null. */
export async function aggregateOf(
  store: Pick<Reads, 'aggregate'>,
  model: Model,
  asked: { readonly of: Aggregation['of']; readonly column: string; readonly where: Condition },
): Promise<number | null> {
  const [all] = await store.aggregate(model, { ...asked, by: [], order: 'group', limit: 1, shared: true })
  return all?.value ?? (asked.of === 'sum' ? 0 : null)
}

/** A number over stored values of a field, as in JSON; null: there is none. */
export function aggregateValue(field: Bound, stored: number | null): number | null {
  return stored === null ? null : (field.kind.over?.(stored, field) ?? null)
}
