import type { Identity } from '../auth/identity.js'
import { invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { shown } from '../base/shown.js'
import type { PartAsked } from '../crud/call/call.js'
import type { Input } from '../crud/call/input.js'
import { storeFiles } from '../crud/form/store-files.js'
import { isCacheable, isCacheableMenu, isToldFromNow, reportsChanges } from '../crud/list/cacheable.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import type { Resource } from '../resource/resource.js'
import { clientOf, fromOf } from './client-info.js'
import type { Mounted } from './match.js'
import { orAgain, orRedrawn } from './redraw.js'
import type { RequestContext } from './request-context.js'

/** Runs the verb of a guest: one that needs no sign-in. */
export function runGuest(context: RequestContext, { route, verb }: Mounted, input: Input): Promise<Outcome> {
  // The matcher allows no other public verb.
  if (verb.on !== 'guest') throw new TypeError(`The route "${route.name}" runs nothing`)
  const { face, around, preferences, until } = context
  const { identity, realm } = around
  const call = { identity, realm, input, wants: face.wants(route), from: fromOf(context), chosen: preferences, until }
  return orAgain(context, input.body, verb, call)
}

/** Runs the verb of a signed-in user, on a resource or on none. */
export function runVerb(
  context: RequestContext,
  { route, verb }: Mounted,
  identity: Identity,
  resource: Resource | null,
  input: Input,
): Promise<Outcome> {
  const { face, until, preferences } = context
  const { realm } = context.around
  const wants = { ...face.wants(route), stream: context.streams }
  if (verb.on === 'panel')
    return orAgain(context, input.body, verb, { identity, realm, input, wants, from: fromOf(context), chosen: preferences, until })
  // The matcher rules this out.
  if (verb.on !== 'resource' || !resource) throw new TypeError(`The route "${route.name}" runs nothing`)
  const store = realm.storeOf(resource)
  // What it holds may be others tomorrow, though nothing has changed.
  const seen = verb.stays && !isToldFromNow(resource, input.query) ? context.databaseVersion : undefined
  // Without a version read at the start, nothing can be cached.
  if (
    seen !== undefined &&
    isCacheable(realm, resource) &&
    (face.name === 'json' || isCacheableMenu(realm)) &&
    reportsChanges(realm, store, resource, input.query)
  )
    context.sameUntil = context.visitor?.until ?? null
  context.call = {
    identity,
    realm,
    resource,
    store,
    input,
    client: () => clientOf(context),
    wants,
    chosen: preferences,
    until,
    seen,
  }
  if (input.body.from !== 'form' || !input.body.files || verb.files === 'own') return orRedrawn(verb, context.call, face.name === 'html')
  return storeFiles(context.call).then((call) => {
    context.call = call
    return orRedrawn(verb, call, face.name === 'html')
  })
}

/** Runs a custom page, a part of any page (by the page's URL or its components'), or a method that a page calls. */
export function runPage(
  context: RequestContext,
  { route, verb }: Mounted,
  identity: Identity,
  resource: Resource | null,
  input: Input,
  asked: PartAsked | null,
): Promise<Outcome> {
  const { face, until, options, preferences } = context
  const { realm } = context.around
  const run = verb.on === 'page' ? verb : options.verbs.part
  // The panel's own verbs include it.
  if (run?.on !== 'page') throw new TypeError(`The route "${route.name}" has no parts`)
  const call = {
    identity,
    realm,
    resource,
    pageUri: route.page === undefined || route.page === 'named' ? (input.params?.get('pageUri') ?? '') : route.page,
    part: asked,
    input,
    client: () => clientOf(context),
    wants: { ...face.wants(route), view: 'index' as const },
    chosen: preferences,
    until,
  }
  return orAgain(context, input.body, run, call)
}

/** Refuses files that a verb does not take, naming the field of the first. */
export function checkTakes(mounted: Mounted, files: ReadonlyMap<string, unknown>, t: Translate): void {
  const [first = ''] = files.keys()
  if (!filesOf(mounted)) throw invalid(shown(first), t('body.file'))
}

/** Whether a verb takes files. */
export const filesOf = ({ verb }: Mounted) => ('files' in verb ? verb.files : undefined)
