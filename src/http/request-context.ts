import { randomUUID } from 'node:crypto'
import type { Visitor } from '../auth/pipeline.js'
import type { Call, Realm } from '../crud/call/call.js'
import { defaultPreferences, type Preferences } from '../crud/call/preferences.js'
import type { MenuEntry } from '../crud/pages/menu.js'
import type { Verb } from '../crud/verbs.js'
import type { Brand } from '../face/brand.js'
import type { Face, PresenterContext } from '../face/face.js'
import { rememberedText } from '../field/remembered.js'
import type { Route } from '../route/routes.js'
import { type Place, panelPath } from '../route/url.js'
import type { Cors } from './cors.js'
import type { IncomingRequest } from './incoming.js'
import type { Limits } from './limits.js'
import type { Log } from './log.js'
import { negotiate } from './negotiate.js'
import { type NetworkSettings, type Sender, senderOf } from './network.js'
import type { Hosts } from './origin.js'
import type { Probe } from './probe.js'
import { noQuery, type Target, targetOf } from './read.js'
import type { ReplyCache } from './reply-cache.js'
import type { Telemetry } from './telemetry.js'

export interface AppOptions {
  readonly realm: Realm
  readonly place: Place
  readonly brand: Brand
  readonly views: PresenterContext['views']
  readonly assetUrl: PresenterContext['assetUrl']
  readonly routes: readonly Route[]
  readonly verbs: Readonly<Record<string, Verb>>
  readonly faces: { readonly json: Face; readonly html: Face }
  /** The panel's id, used in the names of its cookies. */
  readonly id: string
  readonly hosts: Hosts
  readonly limits: Limits
  /** The key that signs flashes and form tokens. */
  secret(): string | Promise<string>
  readonly log: Log
  /** Whether to log why a database is away, or cannot be written to. */
  isNewOutage(cause: unknown): boolean
  /** Tells of answered requests; null: nobody asks. */
  readonly telemetry: Telemetry | null
  /** Whether the panel reads and sets cookies. */
  readonly cookies: boolean
  /** What is configured about the network between clients and us. */
  readonly network: NetworkSettings
  readonly cors: Cors | null
  /** The cached replies; null: one of the panel's databases cannot tell whether it has changed. */
  readonly cache: ReplyCache | null
}

/** One request on its way through the door, with what is known about it so far. */
export interface RequestContext {
  readonly request: IncomingRequest
  readonly options: AppOptions
  /** The face that `Accept` asks for; null: none that we have. */
  readonly accepted: 'json' | 'html' | null
  /** Whether the reply is an event stream: `Accept: text/event-stream` on a route that supports it. */
  streams: boolean
  /** Presents the outcome. */
  face: Face
  readonly target: Target
  /** When to stop waiting for the database's writer, in milliseconds of `performance.now()`. */
  readonly until: number
  readonly sender: Sender
  /** The address of the direct connection, which may be a proxy. */
  readonly peer: string
  /** Set by tests. */
  readonly probe: Probe | null
  /** The presenter's context, filled along the way. */
  readonly around: { -readonly [K in keyof PresenterContext]: PresenterContext[K] }
  call: Call | null
  /** The caller's preferences that the reply depends on. */
  preferences: Preferences
  /** The signed-in caller. */
  visitor: Visitor | null
  /** Signs flashes and forms; null until it is needed. */
  secret: string | null
  /**
   * Until when the same request gets the same reply if no stored data changes, in milliseconds since 1970; 0 or null: unknown. It starts
   * as null, not 0: where a small integer becomes a double, V8 deprecates the object's shape and may go on making objects of the old
   * shape, each of which must be migrated.
   */
  sameUntil: number | null
  /** The database version read when the request came in, if it was read. */
  readonly databaseVersion: unknown
  /** The menu of the page; empty if it has none. */
  lines: readonly MenuEntry[]
  /** What a guest's form tokens are bound to, as on the sign-in page. */
  guest: string | null
}

// How long a write waits for the writer, from the start of its request.
const patience = 5000

// Cached: clients send few different Accept headers.
const negotiated = rememberedText(negotiate)

export function requestContext(
  request: IncomingRequest,
  options: AppOptions,
  peer: string,
  probe: Probe | null,
  seen?: unknown,
): RequestContext {
  const until = performance.now() + patience
  const { faces, realm, place, brand } = options
  const accepted = negotiated(request.headers.get('accept') ?? '')
  const target = targetOf(request.url)
  const path = mounted(target.path, place, options.routes)
  return {
    request,
    options,
    accepted,
    streams: false,
    face: faces[accepted ?? 'json'],
    target,
    until,
    sender: senderOf(request, options.network, peer),
    peer,
    probe,
    around: {
      realm,
      place,
      identity: null,
      route: null,
      reads: request.method === 'GET' || request.method === 'HEAD',
      path,
      target: path + (target.query === '' ? '' : `?${target.query}`),
      query: noQuery,
      requestId: randomUUID(),
      brand,
      views: options.views,
      assetUrl: options.assetUrl,
      shell: null,
    },
    call: null,
    preferences: defaultPreferences,
    visitor: null,
    secret: null,
    guest: null,
    sameUntil: null,
    databaseVersion: seen,
    lines: [],
  }
}

/** The full path: a framework that mounts the panel below a path may have stripped that. */
function mounted(path: string, place: Place, routes: readonly Route[]): string {
  const { mount } = place
  const base = panelPath(place)
  const whole = () => path === base || path.startsWith(`${base}/`) || routes.some((one) => one.at === 'root' && path === mount + one.path)
  return mount === '' || whole() ? path : mount + path
}
