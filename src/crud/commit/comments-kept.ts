import type { Reads, Row, Writes } from '../../store/store.js'
import type { Call } from '../call/call.js'
import type { Lens } from '../call/lens.js'

/** Whether the comments on a record go with it: what only comes into the trash keeps them. */
export const losesComments = ({ realm, resource }: Pick<Call, 'realm' | 'resource'>): boolean =>
  !resource.softDelete && (realm.comments?.keeps(resource) ?? false)

/** Deletes the comments on records that are about to be deleted, in that transaction. */
export async function removeComments(call: Call, raw: Reads & Writes, lens: Lens, rows: readonly Row[]): Promise<void> {
  if (losesComments(call)) await call.realm.comments?.removeOf(raw, call.resource.model, rows.map(lens.key))
}
