import { Refused } from '../base/errors.js'
import type { BoundAction } from '../resource/bind-action.js'
import type { Resource } from '../resource/resource.js'
import type { Realm } from './call.js'

/** Where code of the panel's own refused something. */
interface Place {
  readonly realm: Realm
  readonly resource: Resource | null
  /** None for a hook. */
  readonly action: BoundAction | null
}

// Said where it was thrown: what leads on from there has names of its own.
const looked = new WeakSet<Refused>()

/**
 * What `refuse` said of a name that nothing here has is a mistake in the panel, and none of the caller's. A name of another resource may be that of a record that was written besides,
 * and what a schema of its own takes, nobody knows.
 *
 * @returns what was thrown, or a TypeError that says which names there are
 */
export function refusedName(thrown: unknown, { realm, resource, action }: Place): unknown {
  if (!(thrown instanceof Refused) || looked.has(thrown)) return thrown
  looked.add(thrown)
  if (action?.input) return thrown
  const isKnown = (name: string) =>
    action?.fields.has(name) || (action && name === 'ids') || [...realm.resources.values()].some((one) => has(one, name))
  const wrong = [...thrown.errors.keys()].find((name) => !isKnown(name))
  if (wrong === undefined) return thrown
  const where = action ? `"${action.uri}"` : `A hook of "${resource?.uriKey}"`
  const names = [...(action?.fields.keys() ?? []), ...(resource?.fields.keys() ?? [])].join(', ') || 'none'
  return new TypeError(`${where} refuses "${wrong}", which is no field. There are: ${names}`, { cause: thrown })
}

const has = ({ fields, model, computed }: Resource, name: string) => fields.has(name) || model.columns.has(name) || computed.has(name)
