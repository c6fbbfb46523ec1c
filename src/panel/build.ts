import { type AuthSpec, checkAuth, sessionOf } from '../auth/assemble.js'
import { password } from '../auth/password.js'
import { authenticate } from '../auth/pipeline.js'
import { session } from '../auth/session.js'
import type { Realm } from '../crud/call/call.js'
import { verbs } from '../crud/verbs.js'
import type { Face } from '../face/face.js'
import { htmlFace } from '../html/present.js'
import { type App, createApp } from '../http/app.js'
import { defaultLimits } from '../http/limits.js'
import { type Log, safely, toStandardError } from '../http/log.js'
import { keepsCookies, type NetworkSettings } from '../http/network.js'
import type { Reports } from '../http/node.js'
import type { Hosts } from '../http/origin.js'
import { makeTelemetry, type Telemetry } from '../http/telemetry.js'
import { jsonFace } from '../json/present.js'
import { type PluginAssets, pluginAssets } from '../plugin/assets.js'
import { checkPlugins, installRoutes, installViews } from '../plugin/install.js'
import type { House, Plugin } from '../plugin/plugin.js'
import { checkResources } from '../resource/check/check.js'
import { DeclarationError, type Problem } from '../resource/problem.js'
import { placeTables } from '../resource/relation/reach.js'
import { routes } from '../route/routes.js'
import type { Place } from '../route/url.js'
import { checkListed, checkPanel } from './check.js'
import { checkTables } from './check-databases.js'
import { checkSame } from './check-languages.js'
import { type Common, makeCommon } from './common.js'
import { makeRealm } from './realm.js'
import { type PanelSpec, pagesOf } from './spec.js'

/** A panel in one language: its parts, put together. */
export interface Built {
  /** With what its plugins bring. */
  readonly spec: PanelSpec
  /** Whether anybody may do anything. */
  readonly isOpen: boolean
  /** Whether it reads and sets cookies. */
  readonly cookies: boolean
  readonly common: Common
  readonly realm: Realm
  readonly house: House
  /** Answers its requests. */
  readonly app: App
  /** Who is told what happens. */
  readonly reports: Required<Reports>
  readonly warnings: readonly Problem[]
}

/**
 * Checks the settings and the declarations of a panel, then puts its parts together.
 *
 * @param languages the locales of all of them; empty: it has one
 * @param first the panel in the first language, which must be the same but for its texts; null: it is the first
 * @throws DeclarationError with everything that is wrong
 */
export function build(spec: PanelSpec, languages: readonly string[] = [], first: Built | null = null): Built {
  const { authSpec, plugins, views, whole, links, warnings } = checked(spec, first)
  const { id = 'admin', title = 'Daymark', url } = spec
  const log = spec.log ? safely(spec.log) : toStandardError
  const common = first?.common ?? makeCommon(whole, log)
  const misplaced = checkTables(whole, common.sqlStore)
  if (misplaced.length > 0) throw new DeclarationError(misplaced)
  const place: Place = Object.freeze({
    mount: url === undefined ? '' : new URL(url).pathname.replace(/\/$/, ''),
    prefix: Object.freeze({ panel: 'admin', resource: 'resource', page: 'page', ...spec.prefix }),
  })
  const cookies = !authSpec || [...authSpec.middleware, ...authSpec.auth.pipelines].some((one) => one.cookies)
  const realm = makeRealm(whole, { common, links, authSpec, place, languages, cookies, log })
  const hosts = hostsOf(spec, authSpec !== null)
  const network: NetworkSettings = {
    origin: url === undefined ? null : new URL(url).origin,
    proxies: spec.trustProxy || 0,
    allowInsecure: (authSpec && sessionOf(authSpec)?.allowInsecure) ?? false,
  }
  const reports = { log, network, t: realm.t, telemetry: first ? first.reports.telemetry : telemetryOf(spec, common, { log, network }) }
  const house: House = Object.freeze({
    id,
    title,
    realm,
    place,
    hosts,
    keepsCookies: keepsCookies(network, hosts),
    routes: () => table.routes,
    verbs: () => table.verbs,
  })
  const table = installRoutes(plugins, { routes, verbs }, house)
  const assets = pluginAssets(plugins)
  const app = createApp({
    realm,
    place,
    brand: { name: title, logo: null, accent: null, ...spec.brand },
    ...table,
    views,
    assetUrl: (file) => assets.url(place, file),
    faces: { json: jsonFace, html: withAssets(htmlFace, assets) },
    id,
    hosts,
    limits: { ...defaultLimits, ...spec.limits },
    secret: common.secret,
    cookies,
    cors: spec.cors || null,
    cache: common.known,
    isNewOutage: common.isNewOutage,
    ...reports,
  })
  return { spec: whole, isOpen: authSpec === null, cookies, common, realm, house, app, reports, warnings }
}

/**
 * The settings with what plugins bring, and what was found of them.
 *
 * @throws DeclarationError with everything that is wrong
 */
function checked(spec: PanelSpec, first: Built | null) {
  const missing = checkListed(spec)
  if (missing.length > 0) throw new DeclarationError(missing)
  const authSpec = authSpecOf(spec)
  const plugins = spec.plugins ?? []
  const views = installViews(plugins, spec.views ?? {})
  const whole = withPlugins(spec, plugins)
  placeTables(whole.resources, spec.database)
  const { links, problems, warnings } = checkResources(whole.resources, pagesOf(whole), spec.can)
  const auth = authSpec ? checkAuth(authSpec) : { problems: [], warnings: [] }
  const ofAuth = (told: readonly Omit<Problem, 'where'>[]) => told.map((one) => ({ ...one, where: 'auth' }))
  const wrong = [
    ...problems,
    ...checkPanel(whole),
    ...checkPlugins(plugins, views),
    ...(first ? checkSame(whole, first.spec) : []),
    ...ofAuth(auth.problems),
  ]
  if (wrong.length > 0) throw new DeclarationError(wrong)
  return { authSpec, plugins, views, whole, links, warnings: [...warnings, ...ofAuth(auth.warnings)] }
}

/** Lets the face serve the assets of plugins, too. */
function withAssets(face: Face, assets: PluginAssets): Face {
  return { ...face, asset: (hash, file, ...more) => face.asset?.(hash, file, ...more) ?? assets.reply(hash, file, more[0]) }
}

/** The panel's settings with the resources and pages of its plugins added. */
function withPlugins(spec: PanelSpec, plugins: readonly Plugin[]): PanelSpec {
  const resources = [...spec.resources, ...plugins.flatMap((plugin) => plugin.resources ?? [])]
  return { ...spec, resources, pages: [...(spec.pages ?? []), ...plugins.flatMap((plugin) => plugin.pages ?? [])] }
}

/** The authentication settings with their defaults; null in open mode. */
function authSpecOf({ auth, middleware }: PanelSpec): AuthSpec | null {
  if (auth === 'open') return null
  return { middleware: middleware ?? [session()], auth: auth ?? { middleware: authenticate(), pipelines: [password()] } }
}

function telemetryOf(
  { answered }: PanelSpec,
  { running }: Common,
  to: { readonly log: Log; readonly network: NetworkSettings },
): Telemetry | null {
  return answered && running ? makeTelemetry(answered, { ...to, running }) : null
}

/** A proxy may use any host name. Without one, a panel that knows its URL answers only for that host and loopback. */
function hostsOf({ url, trustProxy }: PanelSpec, users: boolean): Hosts {
  if (!users) return 'loopback'
  return url === undefined || trustProxy ? null : [new URL(url).host, 'localhost', '127.0.0.1', '[::1]']
}
