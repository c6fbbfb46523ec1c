import { DaymarkError } from '../../base/errors.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Call } from '../call/call.js'
import type { Listing } from './list-query.js'

/**
 * Reads a list. A value that only the database can judge, as of a range in a column that is declared as text, is refused at its filter.
 *
 * @param asks whether each filter may be asked by itself. In a transaction, which holds a connection, none waits for another one: there the
 * columns of the refusal tell, which may be more than one filter's
 * @throws DaymarkError `invalid`, as the filters that are read before
 */
export async function namingFilters<T>(
  call: Asking,
  { filters }: Pick<Listing, 'filters'>,
  read: () => Promise<T>,
  asks = true,
): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    if (!isInvalid(thrown)) throw thrown
    const errors: [name: string, texts: readonly string[]][] = []
    for (const { field, operator, condition } of filters) {
      const name = operator === 'eq' ? `filter[${field.key}]` : `filter[${field.key}][${operator}]`
      // A way through relations is told by its first column.
      const isRefused = asks ? await isRefusedAlone(call, condition) : thrown.errors.has(field.key.split('.')[0] as string)
      if (isRefused) errors.push([name, [call.realm.t('field.refused', { label: field.label })]])
    }
    throw errors[0] ? new DaymarkError('invalid', errors[0][1][0] as string, { errors, cause: thrown }) : thrown
  }
}

type Asking = Pick<Call, 'realm' | 'resource' | 'store'>

/** Whether the database refuses a condition by itself: a refusal of several names at most a column, which may be that of a related record. */
async function isRefusedAlone({ resource, store }: Asking, condition: Condition): Promise<boolean> {
  try {
    await store.count(resource.model, condition, 1)
    return false
  } catch (thrown) {
    return isInvalid(thrown)
  }
}

const isInvalid = (thrown: unknown): thrown is DaymarkError => thrown instanceof DaymarkError && thrown.code === 'invalid'
