import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AuthSpec, checkAuth, makeAuth, openIdsOf, sessionOf, takesPasskeys } from './auth/assemble.js'
import type { AttemptStore } from './auth/identity.js'
import { password } from './auth/password.js'
import { authenticate, type Services } from './auth/pipeline.js'
import { relyingPartyOf } from './auth/relying-party.js'
import { session } from './auth/session.js'
import { twoFactorOf } from './auth/two-factor.js'
import { messagesOf } from './base/language.js'
import { translator } from './base/messages.js'
import type { Realm } from './crud/call.js'
import { makeMails } from './crud/mails.js'
import { scopedStores } from './crud/scoped-store.js'
import { tablesReady } from './crud/tables-ready.js'
import { verbs } from './crud/verbs.js'
import type { Webhooks } from './crud/webhooks.js'
import type { Face } from './face/face.js'
import { htmlFace } from './html/present.js'
import { type App, createApp, type Given } from './http/app.js'
import { fronting } from './http/front.js'
import { inLanguages } from './http/in-languages.js'
import { defaultLimits } from './http/limits.js'
import { entryOf, safely, toStandardError } from './http/log.js'
import { type Listening, listen, listener } from './http/node.js'
import type { Hosts } from './http/origin.js'
import { keepsCookies, type Way } from './http/way.js'
import { jsonFace } from './json/present.js'
import { checkListed, checkPanel } from './panel/check.js'
import { checkTables } from './panel/check-databases.js'
import { checkLocales, checkSame } from './panel/check-languages.js'
import { type Common, makeCommon } from './panel/common.js'
import { type PanelSpec, pagesOf } from './panel/spec.js'
import {
  type MethodsOf,
  type PageHelper,
  type PageMethods,
  type PageUrls,
  pageUrls,
  type ResourceUrls,
  resourceUrls,
  type ToPage,
  toPage,
} from './panel/urls.js'
import { type PluginAssets, pluginAssets } from './plugin/assets.js'
import { checkPlugins, checkViews, installRoutes, installViews } from './plugin/install.js'
import type { House, Plugin } from './plugin/plugin.js'
import { checkResources } from './resource/check.js'
import type { Carries, Declared } from './resource/declared.js'
import type { Page } from './resource/own-page.js'
import { DeclarationError, type Problem } from './resource/problem.js'
import { placeTables } from './resource/reach.js'
import type { Resource } from './resource/resource.js'
import { throughsOf } from './resource/through.js'
import { type RouteArguments, urlParams } from './route/params.js'
import { type RouteName, routes } from './route/routes.js'
import { type Place, url, urlOf } from './route/url.js'
import { examine, fewRows } from './store/doctor.js'
import { ensureUser, type FirstUser } from './store/panel/ensure-user.js'
import type { PanelStore } from './store/panel/open.js'

/** A panel, as `definePanel` returns it: it serves requests and knows its URLs. `P`: the ids of its plugins. */
export interface Panel<R extends readonly Resource[] = readonly Resource[], P extends string = string> extends Carries<R> {
  /** The panel's `id`, as declared. */
  readonly id: string
  /** The panel's `title`, as declared. */
  readonly title: string
  /** The resources by their `uriKey`, those of plugins included. */
  readonly resources: ReadonlyMap<string, Resource>
  /** What is not wrong but worth knowing: columns left out, derived relations that lead nowhere, nobody who could sign in. */
  readonly warnings: readonly Problem[]
  /**
   * Answers a web `Request` with a `Response`. Mount it in any server that uses them, or call it in a test. A `Request` does not say who
   * sent it: pass the `address` of the connection, by which failed sign-ins are counted, or the `c.env` of Hono on Node, which holds it.
   */
  fetch(request: Request, given?: Given): Promise<Response>
  /** Answers a request of `node:http`, and of servers built on it. */
  listener(request: IncomingMessage, response: ServerResponse): void
  /**
   * The absolute path of a named route; for a plugin's, `{id}.{name}`: `oag.docs`. The parameters that its path needs are required. Routes of
   * plugins that are where the panel is mounted have their short name, too: `docs` and `data` are those of `oag()`.
   *
   * @throws TypeError for an unknown name or a missing parameter
   */
  route<N extends RouteName | `${P}.${string}` | 'docs' | 'data'>(
    name: N,
    ...params: N extends RouteName ? RouteArguments<N> : [params?: Readonly<Record<string, unknown>>]
  ): string
  /**
   * The URL of a page, or with `redirect` a `Response` that redirects there.
   *
   * @throws TypeError for a page or resource that the panel does not have; it lists what exists
   */
  readonly toPage: PageHelper
  /**
   * The URLs of a resource, or of one of the panel's own pages.
   *
   * @throws TypeError for a page or resource that the panel does not have
   */
  urls<const T extends Page | Declared>(of: T): T extends Page ? PageUrls<PageMethods<T>> : ResourceUrls<MethodsOf<T>>
  /**
   * Serves the panel on a port of its own; port 0 takes a free one. `host` defaults to `127.0.0.1`.
   *
   * @throws Error in open mode, if `host` is not loopback
   */
  listen(at: {
    /** The host to listen on. Default: `127.0.0.1`. */
    readonly host?: string
    /** The port to listen on; 0 takes a free one. */
    readonly port: number
  }): Promise<Listening>
  /**
   * Creates a user of the panel's own; if the username exists, overwrites that user's password and keeps name and roles. For a first start,
   * a demo or a test.
   *
   * @throws Error in open mode, and with users of your application
   * @throws DaymarkError `invalid` for a blank username
   */
  ensureUser(user: FirstUser): Promise<void>
  /**
   * Asks the databases which listings of tables with 10,000 rows or more lack an index, and which full-text indexes are missing. For a
   * warning at start-up; `daymark doctor` says more.
   */
  examine(): Promise<readonly Problem[]>
  /**
   * Waits for the current batch of each running job, the removal of files and the messages to webhooks that are being sent, then closes the
   * stores. Call it after the server has closed.
   */
  close(): Promise<void>
}

/** The resources that a plugin brings, if its type names them. */
type Brought<P> = P extends { readonly resources: readonly (infer R extends Resource)[] } ? R : never

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/

/** The key under which a panel gives the command line and `daymark/testing` access to its internals. Not for anybody else. */
export const inside: unique symbol = Symbol.for('daymark.inside') as never

/** What the command line and tests need. */
export interface Inside {
  /** Null in open mode. */
  readonly store: PanelStore | null
  readonly url: string | null
  readonly realm: Realm
  readonly house: House
  readonly plugins: readonly Plugin[]
}

/**
 * Combines resources into a panel and checks every declaration. It opens no connection, file or port.
 *
 * @throws DeclarationError with everything that is wrong with the declarations
 * @throws TypeError for a Drizzle database over an unsupported driver, and for plugins whose routes are wrong or meet another route
 *
 * @example
 * ```ts
 * import { definePanel, defineResource } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer('id').primaryKey(), name: text('name').notNull() })
 *
 * export default definePanel({ auth: 'open', database: 'sqlite:atlas.db', resources: [defineResource({ model: cities })] })
 * ```
 */
export function definePanel<const R extends readonly Resource[], const P extends readonly Plugin[] = readonly []>(
  spec: PanelSpec<R, P>,
): Panel<readonly (R[number] | Brought<P[number]>)[], P[number]['id']> {
  const { app, panel } = built(spec)
  return panel(app)
}

/**
 * Combines resources into a panel in several languages. Each user gets the language that they have chosen, else one that the browser or
 * program asks for (`Accept-Language`), else the first. Only texts differ: paths, fields, users, sessions and databases are
 * the same in each.
 *
 * @param locales BCP 47 tags, such as `de-AT`; the first is the default
 * @param specIn returns the settings for a language. It is called once for each
 * @throws DeclarationError with everything that is wrong with the declarations, or is not the same in each language
 * @throws TypeError as `definePanel` does
 *
 * @example
 * ```ts
 * import { definePanelIn, defineResource } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer('id').primaryKey(), name: text('name').notNull() })
 *
 * export default definePanelIn(['en', 'fr'], (locale) => ({
 *   auth: 'open',
 *   database: 'sqlite:atlas.db',
 *   resources: [defineResource({ model: cities, title: { en: 'Cities', fr: 'Villes' }[locale] })],
 * }))
 * ```
 */
export function definePanelIn<
  const L extends readonly [string, ...string[]],
  const R extends readonly Resource[],
  const P extends readonly Plugin[] = readonly [],
>(
  locales: L,
  specIn: (locale: L[number]) => Omit<PanelSpec<R, P>, 'locale'> & { readonly locale?: never },
): Panel<readonly (R[number] | Brought<P[number]>)[], P[number]['id']> {
  const problems = checkLocales(locales)
  if (problems.length > 0) throw new DeclarationError(problems)
  const [locale, ...others] = locales
  const first = built({ ...specIn(locale), locale }, locales.length > 1 ? locales : [])
  const all = [first, ...others.map((locale) => built({ ...specIn(locale), locale }, locales, first))]
  const apps = new Map(all.map(({ app }, i) => [locales[i] as string, app]))
  return first.panel(apps.size === 1 ? first.app : inLanguages(apps, { id: first.spec.id ?? 'admin', cookies: first.cookies }))
}

/** A panel in one language. */
interface Built<R extends readonly Resource[], P extends string> {
  /** With what its plugins bring. */
  readonly spec: PanelSpec
  /** Whether it reads and sets cookies. */
  readonly cookies: boolean
  readonly common: Common
  /** Answers its requests. */
  readonly app: App
  /** The panel whose requests `app` answers, perhaps in several languages. */
  panel(app: App): Panel<R, P>
}

/**
 * @param languages the locales of all of them; empty: it has one
 * @param first the panel in the first language, which must be the same but for its texts; null: it is the first
 */
function built<const R extends readonly Resource[], const P extends readonly Plugin[]>(
  spec: PanelSpec<R, P>,
  languages: readonly string[] = [],
  first: Built<readonly Resource[], string> | null = null,
): Built<readonly (R[number] | Brought<P[number]>)[], P[number]['id']> {
  const missing = checkListed(spec)
  if (missing.length > 0) throw new DeclarationError(missing)
  const authSpec = authSpecOf(spec)
  const plugins = spec.plugins ?? []
  const views = installViews(plugins, spec.views ?? {})
  const whole = withPlugins(spec, plugins)
  const declared = whole.resources
  placeTables(declared, spec.database)
  const { links, problems, warnings } = checkResources(declared, pagesOf(whole), spec.can)
  const auth = authSpec ? checkAuth(authSpec) : { problems: [], warnings: [] }
  const wrong = [
    ...problems,
    ...checkPanel(whole),
    ...checkViews(spec.views, 'views'),
    ...checkPlugins(plugins, views),
    ...(first ? checkSame(whole, first.spec) : []),
    ...auth.problems.map((one) => ({ ...one, where: 'auth' })),
  ]
  if (wrong.length > 0) throw new DeclarationError(wrong)
  const title = spec.title ?? 'Daymark'
  const log = spec.log ? safely(spec.log) : toStandardError
  const common = first?.common ?? makeCommon(whole, log)
  const { kept, lists, storeOf, webhooks } = common
  const misplaced = checkTables(whole, common.sqlStore)
  if (misplaced.length > 0) throw new DeclarationError(misplaced)
  const resources = new Map(declared.map((resource) => [resource.uriKey, resource]))
  const pages = new Map(pagesOf(whole).map((page) => [page.uri, page]))
  const place: Place = Object.freeze({
    mount: spec.url === undefined ? '' : new URL(spec.url).pathname.replace(/\/$/, ''),
    prefix: Object.freeze({ panel: 'admin', resource: 'resource', page: 'page', ...spec.prefix }),
  })
  const mails = spec.mail
    ? makeMails(spec.mail, spec.brand?.name ?? title, (thrown) => log(entryOf({ requestId: '', method: 'MAIL', path: '' }, thrown)))
    : null
  if (mails) common.mails.add(mails)
  const t = translator(messagesOf(spec.locale ?? 'en', spec.messages))
  const followed = throughsOf(declared, links, (relation, label) => t('filter.through', { relation, label }))
  const cookies = !authSpec || [...authSpec.middleware, ...authSpec.auth.pipelines].some((one) => one.cookies)
  const realm: Realm = Object.freeze({
    resources,
    pages,
    home: spec.home ?? null,
    menu: spec.menu ?? null,
    moreMenu: plugins.flatMap((plugin) => plugin.menu ?? []),
    ...followed,
    can: spec.can ?? {},
    t,
    locale: spec.locale ?? 'en',
    languages,
    languageChoices: cookies ? languages : [],
    timeZone: spec.timeZone ?? 'UTC',
    storeOf,
    store: common.store,
    replica: lists && {
      after: spec.replica?.after ?? 10,
      storeOf: (one: Resource) => (one.ownStore || one.database ? storeOf(one) : lists),
    },
    once: common.once,
    jobs: common.jobs,
    history: common.history,
    files: common.files,
    formats: new Map((spec.formats ?? []).map((one) => [one.name, one])),
    webhooks,
    mails,
    passwordUrl: (token: string) => {
      const path = url(place, 'password.reset', { token })
      return spec.url === undefined ? path : new URL(path, spec.url).href
    },
    auth: common.open ?? makeAuth(authSpec as AuthSpec, servicesOf(spec, authSpec as AuthSpec, kept as PanelStore, common.attempts)),
    scoped: scopedStores,
  })
  const hosts = hostsOf(spec, authSpec !== null)
  const way: Way = {
    origin: spec.url === undefined ? null : new URL(spec.url).origin,
    proxies: spec.trustProxy || 0,
    allowInsecure: (authSpec && sessionOf(authSpec)?.allowInsecure) ?? false,
  }
  const house: House = Object.freeze({
    id: spec.id ?? 'admin',
    title,
    realm,
    place,
    hosts,
    keepsCookies: keepsCookies(way, hosts),
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
    id: spec.id ?? 'admin',
    hosts,
    limits: { ...defaultLimits, ...spec.limits },
    secret: common.secret,
    cookies,
    way,
    cors: spec.cors || null,
    known: common.known,
    log,
  })
  const internals: Inside = Object.freeze({ store: kept, url: spec.url ?? null, realm, house, plugins })
  return { spec: whole, cookies, common, app, panel }

  function panel(served: App): Panel<readonly (R[number] | Brought<P[number]>)[], P[number]['id']> {
    const app = webhooks ? delivering(webhooks, served) : served
    return Object.freeze({
      [inside]: internals,
      id: spec.id ?? 'admin',
      title,
      resources,
      warnings: [
        ...warnings,
        ...auth.warnings.map((one) => ({ ...one, where: 'auth' })),
        ...plugins.flatMap((plugin) => plugin.warns?.(house) ?? []),
      ],
      fetch: app.fetch,
      listener: listener(app.answer, log),
      route: (name: string, params?: object) => {
        const row =
          table.routes.find((one) => one.name === name) ?? table.routes.find((one) => one.at === 'root' && one.name.endsWith(`.${name}`))
        if (!row) throw new TypeError(`No route "${name}". Valid: ${table.routes.map((one) => one.name).join(', ')}`)
        return urlOf(place, row, urlParams(params))
      },
      toPage: (page: ToPage) => toPage(realm, place, page) as never,
      urls: (of: Page | Declared) => ('components' in of ? pageUrls(realm, place, of) : resourceUrls(realm, place, of)) as never,
      listen: async ({ host: named, port }: { host?: string; port: number }) => {
        // Node would listen on every address of the machine for an empty host.
        const host = named || '127.0.0.1'
        if (!authSpec && !loopback.test(host))
          throw new Error(
            `Anybody may do anything in this panel (auth: 'open'), so it listens on loopback only, not on ${host}. Take the host 127.0.0.1 (\`panel.listen({ host })\`; on the command line --host or HOST), or let users sign in`,
          )
        webhooks?.start()
        return listen(fronting(app.answer, url(place, 'index'), place.mount), { host, port, log, large: realm.files !== null })
      },
      ensureUser: (user: FirstUser) => ensureUser(kept, user),
      examine: async () => {
        await tablesReady({ realm })
        return examine(realm, fewRows)
      },
      close: common.close,
    })
  }
}

/** Begins to send what an earlier process has left, with the first request. */
function delivering(webhooks: Webhooks, app: App): App {
  return {
    fetch: (...asked) => {
      webhooks.start()
      return app.fetch(...asked)
    },
    answer: (...asked) => {
      webhooks.start()
      return app.answer(...asked)
    },
  }
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

function servicesOf(
  { id = 'admin', title = 'Daymark', url, brand }: PanelSpec,
  authSpec: AuthSpec,
  kept: PanelStore,
  attempts: AttemptStore,
): Services {
  return Object.freeze({
    ...kept,
    panel: id,
    attempts,
    session: sessionOf(authSpec),
    openIds: openIdsOf(authSpec),
    relyingParty: url !== undefined && takesPasskeys(authSpec) ? relyingPartyOf(url, brand?.name ?? title, kept.attempts) : null,
    twoFactor: kept.users.keeps.twoFactor ? twoFactorOf(authSpec.auth.twoFactor, title, kept.attempts) : null,
  })
}

/** A proxy may use any host name. Without one, a panel that knows its URL answers only for that host and loopback. */
function hostsOf({ url, trustProxy }: PanelSpec, users: boolean): Hosts {
  if (!users) return 'loopback'
  return url === undefined || trustProxy ? null : [new URL(url).host, 'localhost', '127.0.0.1', '[::1]']
}
