import { DaymarkError } from '../base/errors.js'
import { type KeyValue, parseKey } from '../field/key.js'
import type { Call } from './call.js'

/** The stored key of `{resourceItem}`. Another spelling of it names no record. */
export function keyOf({ input, resource, realm }: Call): KeyValue {
  const key = input.key === null ? undefined : parseKey(input.key, resource.model.key)
  if (key === undefined) throw notThere({ realm })
  return key
}

/** A record that isn't there, or isn't in the caller's scope: the same answer. */
export function notThere({ realm }: Pick<Call, 'realm'>): DaymarkError {
  return new DaymarkError('notFound', realm.t('record.none'))
}
