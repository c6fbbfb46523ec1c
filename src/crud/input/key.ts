import { DaymarkError } from '../../base/errors.js'
import { isFoundExactly, type KeyValue, keyText, parseKey } from '../../field/key.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Model } from '../../resource/model/model.js'
import type { Reads, Row } from '../../store/store.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'

/** The stored key of `{resourceItem}`. Only its canonical spelling names the record. */
export function keyOf({ input, resource, realm }: Call): KeyValue {
  const key = input.key === null ? undefined : parseKey(input.key, resource.model.key)
  if (key === undefined) throw notFoundError({ realm })
  return key
}

/** The key of a row, as it is stored. */
export const rowKeyOf =
  ({ at, resource }: Lens) =>
  (row: Row) =>
    row[at.get(resource.model.key.key) as number] as KeyValue

/** The record with exactly this key, if it meets the condition. A key that the store refuses finds nothing. */
export async function findByKey(
  reads: Reads,
  model: Model,
  key: KeyValue,
  { columns, key: textIn }: Pick<Lens, 'columns' | 'key'>,
  where: Condition,
): Promise<Row | null> {
  let row: Row | null
  try {
    row = await reads.find(model, key, columns, where)
  } catch (thrown) {
    if (thrown instanceof DaymarkError && thrown.code === 'invalid' && thrown.errors.has(model.key.key)) return null
    throw thrown
  }
  return row && (isFoundExactly(model.key) || textIn(row) === keyText(key)) ? row : null
}

/** The same 404 for a record that does not exist and for one outside the caller's scope. */
export function notFoundError({ realm }: Pick<Call, 'realm'>): DaymarkError {
  return new DaymarkError('notFound', realm.t('record.none'))
}
