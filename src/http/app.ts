import { DaymarkError } from '../base/errors.js'
import { type Outcome, outcomeOf } from '../crud/outcomes/outcome.js'
import { present, type Reply } from '../face/face.js'
import { BusyError } from '../store/queue.js'
import { checkOutcome } from './check-outcome.js'
import { languageReply } from './choose-language.js'
import { conditionalReply } from './conditional.js'
import { withHeaders } from './headers.js'
import { BodyTakenError, fromWeb, type Head, type IncomingRequest } from './incoming.js'
import { brokenEntry } from './log.js'
import { logError, logErrorOnce, logUnavailable } from './log-error.js'
import { type Match, type Mounted, matcher } from './match.js'
import { checkHost, checkPeer } from './origin.js'
import { type Probe, probeOf } from './probe.js'
import { ranged } from './range.js'
import type { CacheState, ReplyCache } from './reply-cache.js'
import { type AppOptions, type RequestContext, requestContext } from './request-context.js'
import { requestInfo } from './request-info.js'
import { identifyForError, run } from './run.js'
import { responseOf } from './send.js'
import { shellOf } from './shell.js'
import type { RequestTelemetry } from './telemetry.js'

export type { LogEntry } from './log.js'

export interface App {
  /** The web-standard handler. */
  fetch(request: Request, given?: Given): Promise<Response>
  /** The same for a server that writes the reply itself. */
  answer(request: IncomingRequest, peer: string): Reply | Promise<Reply>
}

/** What is known of a request besides it: the address of whoever sent it, by itself or in the bindings of Hono's Node server. */
export interface Given {
  /** The address of the connection. */
  readonly address?: string | undefined
  /** The request of `node:http`, as in Hono's `c.env`. */
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } }
  /** What Next passes to route handlers. It isn't read. */
  readonly params?: unknown
}

type Matcher = (path: string) => Match | null

/**
 * The door of every request: match the route, identify the caller, read the input, run the verb, present its Outcome.
 *
 * @throws TypeError for a route whose declaration can never be served
 */
export function createApp(options: AppOptions): App {
  const match = matcher(options.routes, options.verbs, options.place)
  const { cache } = options
  const anew = (request: IncomingRequest, peer: string, probe: Probe | null) =>
    respond(requestContext(request, options, peer, probe), match)
  const answer = (request: IncomingRequest, peer: string, probe: Probe | null = null): Reply | Promise<Reply> => {
    const head = cache && request.head?.()
    if (cache && !head && !reads.has(request.method)) return invalidating(cache, () => anew(request, peer, probe))
    const found = cache && head ? cache.find(head, peer) : null
    if (!cache || !head || found === null) return anew(request, peer, probe)
    return 'status' in found ? found : keeping(cache, { head, at: found }, requestContext(request, options, peer, probe, found.version))
  }
  const keeping = async (cache: ReplyCache, { head, at }: { head: Head; at: CacheState }, context: RequestContext) => {
    const reply = await respond(context, match)
    const until = context.sameUntil ?? 0
    if (reply.stays === true && until > 0 && reply.cookies?.length === 0) cache.keep(head, context.peer, { reply, at, until })
    return reply
  }
  const fetch = async (request: Request, given?: Given) => {
    const one = fromWeb(request)
    const answering = () => answer(one, addressOf(given), probeOf(given))
    const recording = options.telemetry?.begin(one)
    const reply = recording ? await recordReply(recording, answering) : await answering()
    return responseOf(reply, (thrown) => options.log(brokenEntry(one, reply.headers['x-request-id'] ?? '', options.network, thrown)))
  }
  return { answer, fetch }
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whoever takes a Response does not say when it is sent: what is no stream ends here. */
async function recordReply(recording: RequestTelemetry, answering: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    const reply = await recording.run(answering)
    const followed = recording.reply(reply, recording.end)
    if (followed === reply) recording.end(true)
    return followed
  } catch (thrown) {
    recording.end(false)
    throw thrown
  }
}

/** Invalidates cached replies before and after: the request may change memory at any moment in between. */
async function invalidating(cache: ReplyCache, work: () => Promise<Reply>): Promise<Reply> {
  cache.changes()
  try {
    return await work()
  } finally {
    cache.changes()
  }
}

const unknownAddress = () =>
  new Error(
    'The address of the caller is unknown, so that whoever fails to sign in as a user keeps that user out everywhere. Pass it: panel.fetch(request, { address }), or set trustProxy',
  )

/** Frameworks pass what they like, whatever the types say. */
function addressOf(given: Given | undefined): string {
  const address: unknown = given?.address ?? given?.incoming?.socket?.remoteAddress
  return typeof address === 'string' ? address : ''
}

/** The only catch: any error below becomes an Outcome, and every Outcome a reply in the format the caller asked for. */
async function respond(context: RequestContext, match: Matcher): Promise<Reply> {
  let reply: Reply
  try {
    const way = resolveRoute(context, match)
    if (way === null) {
      if (context.face.name === 'html') await identifyForError(context)
      throw new DaymarkError('notFound', context.around.realm.t('page.none'))
    }
    if ('status' in way) reply = way
    else {
      if (way.mounted.route.name === 'authenticate' && context.sender.address === '' && !context.probe)
        logErrorOnce(context, unknownAddress())
      const whole = presentOutcome(context, checkOutcome(context, await run(context, way.found, way.mounted)))
      reply = whole.parts ? ranged(whole, whole.parts, context.request, context.options.realm.t) : whole
    }
  } catch (thrown) {
    reply = presentOutcome(context, outcomeOf(thrown, context.call))
  }
  const whole = conditionalReply(withHeaders(reply, context), context.request)
  return context.options.telemetry ? { ...whole, about: requestInfo(context, match) } : whole
}

/** Resolves the route, or replies at once where no caller needs to be identified; null: it leads nowhere. */
function resolveRoute(context: RequestContext, match: Matcher): Reply | { readonly found: Match; readonly mounted: Mounted } | null {
  const { request, options, accepted, around } = context
  const { hosts, limits, place, realm } = options
  const { t } = realm
  const found = match(around.path.slice(place.mount.length))
  // Health probes (`anyHost`) address this machine by its IP address, not by a host name.
  if (hosts === 'loopback' || !found?.methods.get('GET')?.route.anyHost) {
    checkHost(request, hosts, t)
    checkPeer(context.sender, hosts, t)
  }
  if (request.url.length > limits.url) throw new DaymarkError('invalid', t('request.tooLong', { max: limits.url }))
  const choosing = languageReply(context, found)
  if (choosing) return choosing
  if (!found) return null
  const { method } = request
  if (method === 'OPTIONS') return { status: 204, headers: { allow: found.allow }, body: null }
  const mounted = found.methods.get(method === 'HEAD' ? 'GET' : method)
  if (!mounted) {
    throw new DaymarkError('methodNotAllowed', t('request.method', { method, methods: found.allow }), { headers: { allow: found.allow } })
  }
  around.route = mounted.route
  // Token routes are for programs: they have no HTML page, whatever `Accept` says.
  if (realm.auth.challenge === 'Bearer' && tokenRoutes.has(mounted.route.name) && accepted !== null) context.face = options.faces.json
  if (mounted.verb.on === 'assets') return asset(context, found)
  context.streams = mounted.route.streams === true && accepted === null && acceptsEvents(request)
  if (mounted.route.as) context.face = options.faces[mounted.route.as]
  else if (accepted === null && !context.streams && !mounted.route.download)
    throw new DaymarkError('notAcceptable', t('request.accept', { types: 'application/json, text/html' }))
  return { found, mounted }
}

/** EventSource and its like send `Accept: text/event-stream` alone. */
function acceptsEvents({ headers }: IncomingRequest): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(headers.get('accept') ?? '')
}

const tokenRoutes = new Set(['authenticate', 'authenticate.code', 'refresh', 'logout'])

/** Serves a file of the HTML face. Assets have one representation, so `Accept` is ignored. */
function asset({ request, options }: RequestContext, { params }: Match): Reply {
  const found = options.faces.html.asset?.(
    params.get('hash') ?? '',
    params.get('file') ?? '',
    request.headers.get('accept-encoding') ?? '',
    options.brand,
  )
  if (!found) throw new DaymarkError('notFound', options.realm.t('page.none'))
  return found
}

/** Presents an Outcome. If the presenter throws, the caller gets a 500 in the same face if possible, else in JSON. */
function presentOutcome(context: RequestContext, outcome: Outcome): Reply {
  context.probe?.saw(outcome)
  const error = outcome.is === 'refused' || outcome.is === 'unauthenticated' || outcome.is === 'signIn' ? outcome.error : null
  if (error) {
    if (error.code === 'internal' || (error.code === 'unauthenticated' && error.cause)) logError(context, error)
    else if (error.code === 'unavailable' && error.cause && !(error instanceof BusyError)) logUnavailable(context, error.cause)
    else if (error.cause instanceof BodyTakenError) logErrorOnce(context, error.cause)
  }
  try {
    if (context.face.name === 'html') context.around.shell = shellOf(context)
    return present(context.face, outcome, context.around)
  } catch (thrown) {
    logError(context, thrown)
    const failed = outcomeOf(thrown, null)
    try {
      return present(context.face, failed, context.around)
    } catch {
      // The shared page layout itself throws.
      return present(context.options.faces.json, failed, context.around)
    }
  }
}
