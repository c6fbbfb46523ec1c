import type { Identity } from '../auth/identity.js'
import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { shown } from '../base/shown.js'
import type { Call, PartAsked, Realm } from '../crud/call/call.js'
import type { Body, Input } from '../crud/call/input.js'
import { readPreferences } from '../crud/call/read-preferences.js'
import { fileFields } from '../crud/commit/record-files.js'
import { storeFiles } from '../crud/form/store-files.js'
import { checkParameters } from '../crud/input/check-parameters.js'
import { isCacheable, isCacheableMenu, isToldFromNow, reportsChanges } from '../crud/list/cacheable.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import { menuOf } from '../crud/pages/menu.js'
import { normalizeFilters } from '../crud/query/normalize-filters.js'
import type { Redraw, Verb } from '../crud/verbs.js'
import { hearFaults } from '../resource/action/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import { isForm } from './body.js'
import { checkAbilities, checkLimited, checkReadOnly } from './check-access.js'
import { clientOf, fromOf } from './client-info.js'
import { checkForm, checkHeader } from './csrf.js'
import { identify } from './identify.js'
import { noteFault } from './log-error.js'
import type { Match, Mounted } from './match.js'
import { methodNotAllowed, methodOf, overriddenRoute, unsafeRoutes } from './method-override.js'
import { checkOrigin } from './origin.js'
import { requestsPart, splitPart } from './page-part.js'
import { inputOf, noBody, readParams, readRouteBody, readRouteQuery } from './read.js'
import { recordWrite, replicaRealm } from './replica.js'
import type { AppOptions, RequestContext } from './request-context.js'
import { requestRealm } from './request-realm.js'
import { percentDecode } from './url-encoding.js'

/** Runs the verb of a route. Abilities are checked before the body is read; the verb checks them again. */
export async function run(context: RequestContext, found: Match, matched: Mounted): Promise<Outcome> {
  const { request, options, target } = context
  const { limits } = options
  const { t } = options.realm
  if (matched.verb.on === 'nothing') return matched.verb.run(options.realm)
  const secret = options.secret()
  context.secret = typeof secret === 'string' ? secret : await secret
  const identifying = identify(context)
  const visitor = identifying instanceof Promise ? await identifying : identifying
  context.visitor = visitor
  if (!visitor && matched.route.ability !== 'public') throw unauthenticated(options)
  checkLimited(context, matched)
  checkReadOnly(context, matched)
  const identity = received(context)
  const { around } = context
  if (around.identity && context.face.name === 'html' && !requestsPart(matched.route, target.query))
    context.lines = await menuOf(around.realm, around.identity)
  // A foreign page may call with a token it holds, never with credentials that a browser sends by itself.
  const cors = visitor?.ambient ? [] : (options.cors?.origins ?? [])
  checkOrigin(request, t, () => [options.network.origin, context.sender.secure ? `https://${request.headers.get('host')}` : null, ...cors])
  checkHeader(context)
  if (!identity || matched.verb.on === 'guest') return runGuest(context, found, matched)
  const resource = matched.route.path.includes('{resourceUri}') || found.params.get('resourceUri') ? resourceOf(found, options) : null
  // Which verb a form means is in its body (`_method`): read it only for callers who may run at least one of them.
  const form = request.method === 'POST' && isForm(request)
  checkAbilities(identity, resource, form ? unsafeRoutes(found) : [matched], options)
  if (matched.verb.on === 'spelled' && !form) throw methodNotAllowed(found, matched, request.method, options)
  const takesFiles = resource !== null && (filesOf(matched) === 'own' ? tableTypes(options.realm) : fileFields(resource).length > 0)
  const reading = readRouteBody(request, matched.route, limits, options.realm, takesFiles)
  const body = reading instanceof Promise ? await reading : reading
  checkForm(context, body)
  around.realm = requestRealm(context, body)
  const meant = form ? overriddenRoute(found, matched, body, options) : matched
  if (meant !== matched || form) {
    checkLimited(context, meant)
    checkReadOnly(context, meant)
    checkAbilities(identity, resource, [meant], options)
  }
  if (body.from === 'form' && body.files) checkTakes(meant, body.files, t)
  const { part, query: asked } = splitPart(meant.route, readRouteQuery(target, meant.route, limits, t), t)
  const wants = context.face.wants(meant.route)
  const only = known[meant.route.query]
  if (only && wants.strict) checkParameters(asked, only, t)
  around.realm = replicaRealm(context, meant.route)
  // Lenient callers are people: they may have typed filter values in their own number format.
  const query = resource && !wants.strict ? normalizeFilters(resource, asked, around.realm) : asked
  around.route = meant.route
  if (meant.route.reads) around.reads = true
  around.query = query
  if (around.realm.replica) await recordWrite(context)
  if (wants.chosen) context.preferences = await readPreferences(options.realm, identity)
  const input = inputOf(request, methodOf(request, form ? body : noBody), query, readParams(found.params, t), body, meant.route, t)
  // `return await` takes two microtask turns fewer than returning the promise.
  if (part || meant.verb.on === 'page') return await runPage(context, meant, identity, resource, input, part)
  return await runVerb(context, meant, identity, resource, input)
}

/** Finds out who asks for what is nowhere: whoever is signed in gets the panel's menu around a page that says so. */
export async function identifyForError(context: RequestContext): Promise<void> {
  context.secret = await context.options.secret()
  context.visitor = await identify(context)
  received(context)
  const { identity, realm } = context.around
  if (identity) context.lines = await menuOf(realm, identity)
}

/** Notes for the page who is asking, and in which realm. */
function received(context: RequestContext): Identity | null {
  const { visitor, around } = context
  // An identity of its own for this request, so that an error in a policy is logged under this request's id.
  const identity = visitor && hearFaults(visitor.identity, (thrown) => noteFault(context, thrown))
  // Whoever is limited sees nothing of the panel around what they may do, and is a guest to what is public.
  around.identity = visitor?.limited ? null : identity
  around.realm = requestRealm(context, noBody)
  return identity
}

function resourceOf({ params }: Match, { realm }: AppOptions): Resource {
  const resource = realm.resources.get(percentDecode(params.get('resourceUri') ?? '') ?? '')
  if (!resource) throw new DaymarkError('notFound', realm.t('resource.none'))
  return resource
}

/** The allowed parameters of routes whose verbs do not check for unknown ones themselves. */
const known: { readonly [Q in Route['query']]?: readonly string[] } = {
  none: [],
  search: ['query'],
  cursor: ['cursor'],
  name: ['name'],
  path: ['path'],
  import: ['mode', 'check'],
  check: ['_check'],
  format: ['format'],
}

function runVerb(
  context: RequestContext,
  { route, verb }: Mounted,
  identity: Identity,
  resource: Resource | null,
  input: Input,
): Promise<Outcome> {
  const { face, until } = context
  const { realm } = context.around
  const wants = { ...face.wants(route), stream: context.streams }
  if (verb.on === 'panel') {
    const call = { identity, realm, input, wants, from: fromOf(context), chosen: context.preferences, until }
    return orAgain(
      context,
      input.body,
      () => verb.run(call),
      verb.again && ((error) => (verb.again as NonNullable<typeof verb.again>)(call, error)),
    )
  }
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
    chosen: context.preferences,
    until,
    seen,
  }
  if (input.body.from !== 'form' || !input.body.files || verb.files === 'own') return runForm(verb, context.call, face.name === 'html')
  return storeFiles(context.call).then((call) => {
    context.call = call
    return runForm(verb, call, face.name === 'html')
  })
}

/** Refuses files that a verb does not take, naming the field of the first. */
function checkTakes(mounted: Mounted, files: ReadonlyMap<string, unknown>, t: Translate): void {
  const [first = ''] = files.keys()
  if (!filesOf(mounted)) throw invalid(shown(first), t('body.file'))
}

/** What a body that is a file alone may be. */
function tableTypes({ formats }: Realm): readonly string[] {
  return ['text/csv', ...[...formats.values()].map(({ type }) => type)]
}

const filesOf = ({ verb }: Mounted) => ('files' in verb ? verb.files : undefined)

/** Runs a custom page, a part of any page (by the page's URL or its components'), or a method that a page calls. */
function runPage(
  context: RequestContext,
  { route, verb }: Mounted,
  identity: Identity,
  resource: Resource | null,
  input: Input,
  asked: PartAsked | null,
): Promise<Outcome> {
  const { face, until, options, preferences } = context
  const { realm } = context.around
  const { part } = options.verbs
  const pageUri = route.page === undefined || route.page === 'named' ? (input.params?.get('pageUri') ?? '') : route.page
  const run = verb.on === 'page' ? verb : part
  // The panel's own verbs include it.
  if (run?.on !== 'page') throw new TypeError(`The route "${route.name}" has no parts`)
  const call = {
    identity,
    realm,
    resource,
    pageUri,
    part: asked,
    input,
    client: () => clientOf(context),
    wants: { ...face.wants(route), view: 'index' as const },
    chosen: preferences,
    until,
  }
  const { again } = run
  return orAgain(context, input.body, () => run.run(call), again && ((error) => again(call, error)))
}

const redrawn = new Set(['invalid', 'stale', 'conflict'])

/** Runs a resource verb. If an HTML form is refused, the page is shown again with what was typed. */
function runForm(verb: Extract<Verb, { on: 'resource' }>, call: Call, page: boolean): Promise<Outcome> {
  const redraw = page && call.input.body.from === 'form' ? verb.redraw : undefined
  if (!redraw) return verb.run(call)
  return redraw.instead?.(call) ? redraw.again(call, null) : orRedrawn(redraw, verb, call)
}

async function orRedrawn(redraw: Redraw, verb: Extract<Verb, { on: 'resource' }>, call: Call): Promise<Outcome> {
  try {
    return await verb.run(call)
  } catch (thrown) {
    if (thrown instanceof DaymarkError && (redrawn.has(thrown.code) || lacksSelected(thrown) || deniesPart(thrown)))
      return redraw.again(call, thrown)
    throw thrown
  }
}

/** Of several records, some may still be there. */
const lacksSelected = ({ code, errors }: DaymarkError) => code === 'notFound' && errors.has('ids')

/** Of a record with its related ones, the user may not write one; in place of the form, nobody could say which. */
const deniesPart = ({ code, errors }: DaymarkError) => code === 'forbidden' && errors.size > 0

/** Runs a verb that needs no sign-in. */
async function runGuest(context: RequestContext, found: Match, { route, verb }: Mounted): Promise<Outcome> {
  const { request, options, target, face, around } = context
  const { limits, realm } = options
  // The matcher allows no other public verb.
  if (verb.on !== 'guest') throw new TypeError(`The route "${route.name}" runs nothing`)
  const body = await readRouteBody(request, route, limits, realm)
  checkForm(context, body)
  const query = readRouteQuery(target, route, limits, realm.t)
  around.query = query
  const input = inputOf(request, methodOf(request, noBody), query, readParams(found.params, realm.t), body, route, realm.t)
  const call = {
    identity: around.identity,
    realm: around.realm,
    input,
    wants: face.wants(route),
    from: fromOf(context),
    chosen: context.preferences,
    until: context.until,
  }
  const again = verb.again && ((error: DaymarkError) => (verb.again as NonNullable<typeof verb.again>)(call, error))
  return orAgain(context, body, () => verb.run(call), again, verb.byLink)
}

const shownAgain = new Set(['invalid', 'unauthenticated', 'throttled'])

/** Runs a verb. If an HTML form is refused, or a link where `byLink`, its page is shown again. */
async function orAgain(
  { face }: RequestContext,
  body: Body,
  run: () => Promise<Outcome>,
  again: ((error: DaymarkError) => Promise<Outcome>) | undefined,
  byLink = false,
): Promise<Outcome> {
  if (!again || face.name !== 'html' || (body.from !== 'form' && !byLink)) return run()
  try {
    return await run()
  } catch (thrown) {
    // Whoever comes back from elsewhere has no page to look at meanwhile.
    const isShown = thrown instanceof DaymarkError && (shownAgain.has(thrown.code) || (byLink && thrown.code === 'unavailable'))
    if (isShown) return again(thrown)
    throw thrown
  }
}

function unauthenticated({ realm }: AppOptions): DaymarkError {
  return new DaymarkError('unauthenticated', realm.t('request.signIn'), { headers: { 'www-authenticate': realm.auth.challenges } })
}
