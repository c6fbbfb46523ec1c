import { parseKey } from '../../field/key.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import type { Resource } from '../../resource/resource.js'
import { scopeOf } from '../call/allow.js'
import type { Call } from '../call/call.js'
import { lensOf } from '../call/lens.js'
import { currentPage } from '../input/current-page.js'
import { findByKey } from '../input/key.js'

/** The resource of the record on whose page an action was started, if the record is no longer there for the caller; else null. */
export async function resourceOfGoneRecord(call: Call, { safe }: BoundAction): Promise<Resource | null> {
  const { identity, resource, store } = call
  const { isDetailPage, resourceUri, resourceItem } = currentPage(call)
  if (safe || !isDetailPage || resourceUri !== resource.uriKey || resourceItem === null) return null
  const key = parseKey(resourceItem, resource.model.key)
  if (key === undefined) return null
  const lens = lensOf(identity, resource, { name: 'record', whole: true })
  // The action is done. If this cannot be found out, its answer is still what it says.
  const isThere = await findByKey(store, resource.model, key, lens, scopeOf(identity, resource)).then(
    (row) => row !== null,
    () => true,
  )
  return isThere ? null : resource
}
