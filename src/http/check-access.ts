import type { Identity } from '../auth/identity.js'
import { DaymarkError } from '../base/errors.js'
import { allow, may } from '../crud/call/allow.js'
import { LimitedError } from '../crud/outcomes/outcome.js'
import type { Ability } from '../resource/action/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Mounted } from './match.js'
import type { AppOptions, RequestContext } from './request-context.js'

/** @throws DaymarkError `forbidden` if the caller may do none of these */
export function checkAbilities(identity: Identity, resource: Resource | null, asked: readonly Mounted[], { realm }: AppOptions): void {
  if (!resource) return
  let first: Ability | undefined
  for (const mounted of asked)
    for (const ability of abilitiesOf(mounted)) {
      if (may(realm, identity, resource, ability)) return
      first ??= ability
    }
  if (first !== undefined) allow(realm, identity, resource, first)
}

/** The abilities of which one is enough for a route. The panel's own pages are open to every signed-in user. */
function abilitiesOf({ route: { ability }, verb }: Mounted): readonly Ability[] {
  if (ability !== 'signedIn' && ability !== 'public') return [ability]
  return verb.on === 'resource' || verb.on === 'page' ? (verb.asks ?? []) : []
}

/** @throws LimitedError if the caller has to set up two-factor sign-in first, and this is something else */
export function checkLimited({ visitor, options: { realm } }: RequestContext, { route }: Mounted): void {
  if (visitor?.limited && route.ability !== 'public' && !route.limited) throw new LimitedError(realm.t('twoFactor.first'))
}

/** @throws DaymarkError `forbidden` if the caller may only read (RFC 9110 §9.2.1), and this is something else */
export function checkReadOnly({ visitor, request: { method }, options: { realm } }: RequestContext, { route }: Mounted): void {
  if (!visitor?.readOnly || route.reads || method === 'GET' || method === 'HEAD') return
  if (!visitor.viewedBy) throw new DaymarkError('forbidden', realm.t('request.readOnly'))
  if (!route.viewing) throw new DaymarkError('forbidden', realm.t('viewAs.readOnly', { name: visitor.identity.name }))
}
