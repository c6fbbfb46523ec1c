import { DaymarkError } from '../../base/errors.js'
import { uriOf } from '../../resource/condition/declared.js'
import type { Resource } from '../../resource/resource.js'

/**
 * The resource that a declaration names.
 *
 * @throws DaymarkError `internal` if there is no such resource, which the check at start-up prevents
 */
export function resourceNamed(resources: ReadonlyMap<string, Resource>, named: { readonly uriKey: string } | string): Resource {
  const uri = uriOf(named)
  const found = resources.get(uri)
  if (!found) throw new DaymarkError('internal', `There is no resource "${uri}"`)
  return found
}
