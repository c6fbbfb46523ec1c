import type { Identity } from '../auth/identity.js'
import type { Visitor } from '../auth/pipeline.js'
import { DaymarkError } from '../base/errors.js'
import type { Realm } from '../crud/call/call.js'
import type { Body } from '../crud/call/input.js'
import { readPreferences } from '../crud/call/read-preferences.js'
import { fileFields } from '../crud/commit/record-files.js'
import { checkParameters } from '../crud/input/check-parameters.js'
import type { Outcome } from '../crud/outcomes/outcome.js'
import { menuOf } from '../crud/pages/menu.js'
import { normalizeFilters } from '../crud/query/normalize-filters.js'
import { hearFaults } from '../resource/action/policy.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import { isForm } from './body.js'
import { checkAbilities, checkLimited, checkReadOnly } from './check-access.js'
import { checkForm, checkHeader } from './csrf.js'
import { identify } from './identify.js'
import { noteFault } from './log-error.js'
import type { Match, Mounted } from './match.js'
import { methodNotAllowed, methodOf, overriddenRoute, unsafeRoutes } from './method-override.js'
import { checkOrigin } from './origin.js'
import { requestsPart, splitPart } from './page-part.js'
import { inputOf, noBody, readRouteBody, readRouteQuery } from './read.js'
import { recordWrite, replicaRealm } from './replica.js'
import type { AppOptions, RequestContext } from './request-context.js'
import { requestRealm } from './request-realm.js'
import { checkTakes, filesOf, runGuest, runPage, runVerb } from './run-verb.js'
import { percentDecode } from './url-encoding.js'

/**
 * Runs the verb of a route: who asks, whether they may, what they sent, and only then the verb. Abilities are checked before the body is
 * read; the verb checks them again. A step that is ready is not awaited, since each `await` costs a turn of the microtask queue.
 */
export async function run(context: RequestContext, found: Match, matched: Mounted): Promise<Outcome> {
  const { options, around } = context
  const { realm } = options
  if (matched.verb.on === 'nothing') return matched.verb.run(realm)
  const secret = options.secret()
  context.secret = typeof secret === 'string' ? secret : await secret
  const identifying = identify(context)
  const identity = admitted(context, matched, identifying instanceof Promise ? await identifying : identifying)
  if (around.identity && context.face.name === 'html' && !requestsPart(matched.route, context.target.query))
    context.lines = await menuOf(around.realm, around.identity)
  checkSource(context)
  if (!identity || matched.verb.on === 'guest') return await runGuestRoute(context, found, matched)
  const resource = matched.route.path.includes('{resourceUri}') || found.params.get('resourceUri') ? resourceOf(found, options) : null
  const reading = readAllowed(context, found, matched, identity, resource)
  const body = reading instanceof Promise ? await reading : reading
  checkForm(context, body)
  around.realm = requestRealm(context, body)
  const form = isPosted(context.request)
  const meant = form ? meantRoute(context, found, matched, identity, resource, body) : matched
  if (body.from === 'form' && body.files) checkTakes(meant, body.files, realm.t)
  const wants = context.face.wants(meant.route)
  const { part, query } = queryOf(context, meant, resource, wants.strict)
  around.realm = replicaRealm(context, meant.route)
  around.route = meant.route
  if (meant.route.reads) around.reads = true
  around.query = query
  if (around.realm.replica) await recordWrite(context)
  if (wants.chosen) context.preferences = await readPreferences(realm, identity)
  const method = methodOf(context.request, form ? body : noBody)
  const input = inputOf(context.request, found.params, { method, query, body, route: meant.route }, realm.t)
  // `return await` takes two microtask turns fewer than returning the promise.
  if (part || meant.verb.on === 'page') return await runPage(context, meant, identity, resource, input, part)
  return await runVerb(context, meant, identity, resource, input)
}

/** Finds out who asks for what is nowhere: whoever is signed in gets the panel's menu around a page that says so. */
export async function identifyForError(context: RequestContext): Promise<void> {
  context.secret = await context.options.secret()
  received(context, await identify(context))
  const { identity, realm } = context.around
  if (identity) context.lines = await menuOf(realm, identity)
}

/**
 * Lets a visitor, or nobody, as far as a route, whatever they may do there.
 *
 * @throws DaymarkError `unauthenticated`, `forbidden`
 */
function admitted(context: RequestContext, matched: Mounted, visitor: Visitor | null): Identity | null {
  const { realm } = context.options
  context.visitor = visitor
  if (!visitor && matched.route.ability !== 'public')
    throw new DaymarkError('unauthenticated', realm.t('request.signIn'), { headers: { 'www-authenticate': realm.auth.challenges } })
  checkLimited(context, matched)
  checkReadOnly(context, matched)
  return received(context, visitor)
}

/** Notes for the page who is asking, and in which realm. */
function received(context: RequestContext, visitor: Visitor | null): Identity | null {
  const { around } = context
  context.visitor = visitor
  // An identity of its own for this request, so that an error in a policy is logged under this request's id.
  const identity = visitor && hearFaults(visitor.identity, (thrown) => noteFault(context, thrown))
  // Whoever is limited sees nothing of the panel around what they may do, and is a guest to what is public.
  around.identity = visitor?.limited ? null : identity
  around.realm = requestRealm(context, noBody)
  return identity
}

/** Refuses what a page of another site sends. */
function checkSource(context: RequestContext): void {
  const { request, options, sender, visitor } = context
  // A foreign page may call with a token it holds, never with credentials that a browser sends by itself.
  const cors = visitor?.ambient ? [] : (options.cors?.origins ?? [])
  const own = () => [options.network.origin, sender.secure ? `https://${request.headers.get('host')}` : null, ...cors]
  checkOrigin(request, options.realm.t, own)
  checkHeader(context)
}

async function runGuestRoute(context: RequestContext, found: Match, matched: Mounted): Promise<Outcome> {
  const { request, options, target } = context
  const { limits, realm } = options
  const { route } = matched
  const body = await readRouteBody(request, route, limits, realm)
  checkForm(context, body)
  const query = readRouteQuery(target, route, limits, realm.t)
  context.around.query = query
  return runGuest(context, matched, inputOf(request, found.params, { method: methodOf(request, noBody), query, body, route }, realm.t))
}

function resourceOf({ params }: Match, { realm }: AppOptions): Resource {
  const resource = realm.resources.get(percentDecode(params.get('resourceUri') ?? '') ?? '')
  if (!resource) throw new DaymarkError('notFound', realm.t('resource.none'))
  return resource
}

/** Reads the body, for callers who may do something with it. */
function readAllowed(
  { request, options }: RequestContext,
  found: Match,
  matched: Mounted,
  identity: Identity,
  resource: Resource | null,
): Body | Promise<Body> {
  // Which verb a form means is in its body (`_method`): read it only for callers who may run at least one of them.
  const form = isPosted(request)
  checkAbilities(identity, resource, form ? unsafeRoutes(found) : [matched], options)
  if (matched.verb.on === 'spelled' && !form) throw methodNotAllowed(found, matched, request.method, options)
  const takesFiles = resource !== null && (filesOf(matched) === 'own' ? tableTypes(options.realm) : fileFields(resource).length > 0)
  return readRouteBody(request, matched.route, options.limits, options.realm, takesFiles)
}

/** What a body that is a file alone may be. */
function tableTypes({ formats }: Realm): readonly string[] {
  return ['text/csv', ...[...formats.values()].map(({ type }) => type)]
}

const isPosted = (request: RequestContext['request']) => request.method === 'POST' && isForm(request)

/** The route that a form means, which it may say in its body, for callers who may do that. */
function meantRoute(
  context: RequestContext,
  found: Match,
  matched: Mounted,
  identity: Identity,
  resource: Resource | null,
  body: Body,
): Mounted {
  const { options } = context
  const meant = overriddenRoute(found, matched, body, options)
  checkLimited(context, meant)
  checkReadOnly(context, meant)
  checkAbilities(identity, resource, [meant], options)
  return meant
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

/** What the query asks for, and of which part of a page. */
function queryOf(
  { target, options, around }: RequestContext,
  { route }: Mounted,
  resource: Resource | null,
  strict: boolean,
): ReturnType<typeof splitPart> {
  const { t } = options.realm
  const { part, query } = splitPart(route, readRouteQuery(target, route, options.limits, t), t)
  const only = known[route.query]
  if (only && strict) checkParameters(query, only, t)
  // Lenient callers are people: they may have typed filter values in their own number format.
  return { part, query: resource && !strict ? normalizeFilters(resource, query, around.realm) : query }
}
