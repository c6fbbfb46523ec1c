import { randomUUID } from 'node:crypto'
import type { Visitor } from '../auth/pipeline.js'
import type { Call, Realm } from '../crud/call.js'
import { type Chosen, nothingChosen } from '../crud/chosen.js'
import type { MenuEntry } from '../crud/menu.js'
import type { Verb } from '../crud/verbs.js'
import type { Brand } from '../face/brand.js'
import type { Around, Face } from '../face/face.js'
import { rememberedText } from '../field/remembered.js'
import type { Route } from '../route/routes.js'
import { type Place, panelPath } from '../route/url.js'
import type { Asked } from './asked.js'
import type { Cors } from './cors.js'
import type { Limits } from './limits.js'
import type { Log } from './log.js'
import { negotiate } from './negotiate.js'
import type { Hosts } from './origin.js'
import type { Probe } from './probe.js'
import { noQuery, type Target, targetOf } from './read.js'
import { type Sender, senderOf, type Way } from './way.js'

export interface AppOptions {
  readonly realm: Realm
  readonly place: Place
  readonly brand: Brand
  readonly views: Around['views']
  readonly assetUrl: Around['assetUrl']
  readonly routes: readonly Route[]
  readonly verbs: Readonly<Record<string, Verb>>
  readonly faces: { readonly json: Face; readonly html: Face }
  /** The panel's id: it is in the names of its cookies. */
  readonly id: string
  readonly hosts: Hosts
  readonly limits: Limits
  /** Signs what a browser keeps for us. */
  secret(): string | Promise<string>
  readonly log: Log
  /** Whether cookies are read and set at all. */
  readonly cookies: boolean
  /** What is known of the way to us. */
  readonly way: Way
  readonly cors: Cors | null
  /** Another one whenever any database of the panel may have changed; null where one of them cannot say. */
  readonly version: (() => unknown) | null
}

/** One request on its way through the door, and what is known of it so far. */
export interface Visit {
  readonly request: Asked
  readonly options: AppOptions
  /** What `Accept` asks for; null: nothing that we have. */
  readonly accepted: 'json' | 'html' | null
  /** Whether the answer goes on while something happens: `Accept: text/event-stream`, where a route can. */
  streams: boolean
  /** Who says the answer, whatever it is. */
  face: Face
  readonly target: Target
  /** When waiting for the writer ends, in milliseconds of `performance.now()`. */
  readonly until: number
  readonly sender: Sender
  /** The address of the connection itself. */
  readonly peer: string
  /** A test's, where one asks. */
  readonly probe: Probe | null
  /** What a presenter will be told: filled on the way. */
  readonly around: { -readonly [K in keyof Around]: Around[K] }
  call: Call | null
  /** What the caller has chosen for the panel, as far as the answer depends on it. */
  chosen: Chosen
  /** Who is signed in. */
  visitor: Visitor | null
  /** Signs flashes and forms; null until it is needed. */
  secret: string | null
  /**
   * Until when the same request is told the same while nothing changes that is kept somewhere, in milliseconds since 1970; 0 or null: nobody knows. (No 0 to begin with:
   * where a small integer becomes another number, V8 gives up the shape, and can go on to make objects of the old one that each have to be moved to the new one.)
   */
  sameUntil: number | null
  /** What the database's `version` said since the request came, where it was asked. */
  readonly seen: unknown
  /** The menu of a page; empty where there is none. */
  lines: readonly MenuEntry[]
  /** What stands for a session in the forms of a page on which one signs in. */
  guest: string | null
}

// How long a write waits for its turn, from the start of its request.
const patience = 5000

// Clients write few such headers.
const negotiated = rememberedText(negotiate)

export function visitOf(request: Asked, options: AppOptions, peer: string, probe: Probe | null, seen?: unknown): Visit {
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
    sender: senderOf(request, options.way, peer),
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
    chosen: nothingChosen,
    visitor: null,
    secret: null,
    guest: null,
    sameUntil: null,
    seen,
    lines: [],
  }
}

/** The whole path: what mounts us below a path may have taken it off. */
function mounted(path: string, place: Place, routes: readonly Route[]): string {
  const { mount } = place
  const base = panelPath(place)
  const whole = () => path === base || path.startsWith(`${base}/`) || routes.some((one) => one.at === 'root' && path === mount + one.path)
  return mount === '' || whole() ? path : mount + path
}
