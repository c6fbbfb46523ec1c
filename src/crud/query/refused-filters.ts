import { DaymarkError } from '../../base/errors.js'
import type { Realm } from '../call/call.js'
import type { Listing } from './list-query.js'

/**
 * Reads a list. A value that only the database can judge, as of a range in a column that is declared as text, is refused at its filter.
 *
 * @throws DaymarkError `invalid`, as the filters that are read before
 */
export async function namingFilters<T>({ t }: Pick<Realm, 't'>, { filters }: Pick<Listing, 'filters'>, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    if (!(thrown instanceof DaymarkError) || thrown.code !== 'invalid') throw thrown
    // A way through relations is told by its first column.
    const refused = filters.filter(({ field }) => thrown.errors.has(field.key.split('.')[0] as string))
    const errors = refused.map(({ field: { key, label }, operator }) => {
      const name = operator === 'eq' ? `filter[${key}]` : `filter[${key}][${operator}]`
      return [name, [t('field.refused', { label })]] as const
    })
    throw errors[0] ? new DaymarkError('invalid', errors[0][1][0] as string, { errors, cause: thrown }) : thrown
  }
}
