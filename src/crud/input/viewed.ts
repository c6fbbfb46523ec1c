import type { Reads, Row } from '../../store/store.js'
import { allowRow, scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'
import { findByKey, keyOf, notFoundError } from './key.js'

/**
 * The record that a call names, of those that the caller may view.
 *
 * @param lens a whole one
 * @throws DaymarkError `notFound`, or `forbidden` by the policy of the record
 */
export async function viewed(call: Call, lens: Lens, reads: Reads = call.store): Promise<Row> {
  const { realm, identity, resource } = call
  const row = await findByKey(reads, resource.model, keyOf(call), lens, scopeOf(identity, resource))
  if (!row) throw notFoundError(call)
  allowRow(realm, identity, resource, 'view', lens.columns, row)
  return row
}
