import { DaymarkError } from '../../base/errors.js'
import type { Bound } from '../../field/field.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import type { SummaryNumber } from '../outcomes/lists.js'
import type { Listing } from '../query/list-query.js'
import { aggregateOf, aggregateValue } from './aggregate.js'

/**
 * The numbers below the columns of a list, over all of its records; null: nobody asked, or the list is a limited number of its records. A page
 * has those of the columns that it shows.
 */
export async function readSummary(
  { resource, store, wants, preset }: Call,
  lens: Lens,
  listing: Listing,
): Promise<readonly SummaryNumber[] | null> {
  const { model, summary } = resource
  if (summary.length === 0 || (preset?.limit ?? null) !== null || !(wants.summary || listing.summary)) return null
  const shown = new Set(lens.shown.map(({ key }) => key))
  const asked = summary.flatMap(({ column, of }) => {
    const field = lens.readable.get(column)
    return field && (listing.summary || shown.has(column)) ? of.map((one) => ({ field, of: one })) : []
  })
  const read = async (one: { field: Bound; of: SummaryNumber['of'] }): Promise<SummaryNumber> => {
    const { where } = listing
    try {
      const stored = await aggregateOf(store, model, { of: one.of, column: one.field.key, where })
      return { ...one, value: aggregateValue(one.field, stored), stored }
    } catch (thrown) {
      // PostgreSQL refuses a number beyond the doubles, and one record may not take everybody the list.
      if (thrown instanceof DaymarkError && thrown.code === 'invalid') return { ...one, value: null, stored: null }
      throw thrown
    }
  }
  return Promise.all(asked.map(read))
}
