import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Table } from 'drizzle-orm'
import type { Realm } from './crud/call/call.js'
import { tablesReady } from './crud/call/tables-ready.js'
import { notifyAll } from './crud/commit/notifier.js'
import type { App, Given } from './http/app.js'
import { inLanguages } from './http/in-languages.js'
import { type Listening, listen, listener } from './http/node.js'
import { withRootRedirect } from './http/root-redirect.js'
import { type Built, build } from './panel/build.js'
import { checkLocales } from './panel/check-languages.js'
import type { PanelSpec } from './panel/spec.js'
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
import type { House, Plugin } from './plugin/plugin.js'
import type { Notice } from './resource/action/notice.js'
import type { Carries, Declared } from './resource/condition/declared.js'
import type { Page } from './resource/pages/own-page.js'
import { DeclarationError, type Problem } from './resource/problem.js'
import type { Resource } from './resource/resource.js'
import { type RouteArguments, urlParams } from './route/params.js'
import type { RouteName } from './route/routes.js'
import { url, urlOf } from './route/url.js'
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
   * Notifies users from code outside of requests and hooks, at once.
   *
   * @throws TypeError for a notice without text or with a wrong link; Error if the panel has no `notifications`
   */
  notify(notice: Notice): Promise<void>
  /**
   * Asks the databases which listings of tables with 10,000 rows or more lack an index, and which full-text indexes are missing. For a
   * warning at start-up; `daymark doctor` says more.
   */
  examine(): Promise<readonly Problem[]>
  /**
   * Waits for the current batch of each running job, the removal of files, and the mails and messages to webhooks that are being sent, then
   * closes the stores. Call it after the server has closed.
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
export function definePanel<const R extends readonly Resource[], const P extends readonly Plugin[] = readonly [], U extends Table = Table>(
  spec: PanelSpec<R, P, U>,
): Panel<readonly (R[number] | Brought<P[number]>)[], P[number]['id']> {
  const built = build(spec)
  return panelOver(built, built.app)
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
  U extends Table = Table,
>(
  locales: L,
  specIn: (locale: L[number]) => Omit<PanelSpec<R, P, U>, 'locale'> & { readonly locale?: never },
): Panel<readonly (R[number] | Brought<P[number]>)[], P[number]['id']> {
  const problems = checkLocales(locales)
  if (problems.length > 0) throw new DeclarationError(problems)
  const [locale, ...others] = locales
  const first = build({ ...specIn(locale), locale }, locales.length > 1 ? locales : [])
  const all = [first, ...others.map((locale) => build({ ...specIn(locale), locale }, locales, first))]
  const apps = new Map(all.map(({ app }, i) => [locales[i] as string, app]))
  return panelOver(first, apps.size === 1 ? first.app : inLanguages(apps, { id: first.house.id, cookies: first.cookies }))
}

/** A panel whose requests `served` answers, perhaps in several languages. */
function panelOver<R extends readonly Resource[], P extends string>(
  { spec, isOpen, common, realm, house, reports, warnings }: Built,
  served: App,
): Panel<R, P> {
  const { place } = house
  const plugins = spec.plugins ?? []
  const { kept, webhooks, notifications, jobs } = common
  const start = () => {
    webhooks?.start()
    notifications?.start()
    jobs.watch()
  }
  const app = webhooks || notifications ? starting(start, served) : served
  const internals: Inside = Object.freeze({ store: kept, url: spec.url ?? null, realm, house, plugins })
  return Object.freeze({
    [inside]: internals,
    id: house.id,
    title: house.title,
    resources: realm.resources,
    warnings: [...warnings, ...plugins.flatMap((plugin) => plugin.warns?.(house) ?? [])],
    fetch: app.fetch,
    listener: listener(app.answer, reports),
    route: (name: string, params?: object) => {
      const all = house.routes()
      const row = all.find((one) => one.name === name) ?? all.find((one) => one.at === 'root' && one.name.endsWith(`.${name}`))
      if (!row) throw new TypeError(`No route "${name}". Valid: ${all.map((one) => one.name).join(', ')}`)
      return urlOf(place, row, urlParams(params))
    },
    toPage: (page: ToPage) => toPage(realm, place, page) as never,
    urls: (of: Page | Declared) => ('components' in of ? pageUrls(realm, place, of) : resourceUrls(realm, place, of)) as never,
    listen: async ({ host: named, port }: { host?: string; port: number }) => {
      // Node would listen on every address of the machine for an empty host.
      const host = named || '127.0.0.1'
      if (isOpen && !loopback.test(host))
        throw new Error(
          `Anybody may do anything in this panel (auth: 'open'), so it listens on loopback only, not on ${host}. Take the host 127.0.0.1 (\`panel.listen({ host })\`; on the command line --host or HOST), or let users sign in`,
        )
      start()
      return listen(withRootRedirect(app.answer, url(place, 'index'), place.mount), {
        host,
        port,
        ...reports,
        large: realm.files !== null,
        stopping: common.readiness.stop,
      })
    },
    ensureUser: (user: FirstUser) => ensureUser(kept, user),
    notify: (notice: Notice) => notifyAll(notifications, notice),
    examine: async () => {
      await tablesReady({ realm })
      return examine(realm, fewRows)
    },
    close: common.close,
  })
}

/** Begins, with the first request, with what an earlier process has left. */
function starting(start: () => void, app: App): App {
  return {
    fetch: (...asked) => {
      start()
      return app.fetch(...asked)
    },
    answer: (...asked) => {
      start()
      return app.answer(...asked)
    },
  }
}
