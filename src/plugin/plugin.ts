import type { Realm } from '../crud/call/call.js'
import type { Verb } from '../crud/verbs.js'
import type { View } from '../face/view.js'
import type { MenuLine } from '../resource/pages/menu.js'
import type { Page } from '../resource/pages/own-page.js'
import type { Problem } from '../resource/problem.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import type { Place } from '../route/url.js'
import type { PluginVerb } from './records.js'

/** A route that a plugin adds: as the panel's own, but with the verb itself. Requests pass the same gate. */
export interface PluginRoute extends Omit<Route, 'verb'> {
  /** The path below `/plugin/{id}` of the panel; with `at: 'root'`, where the panel is mounted. */
  readonly path: string
  /** What runs: it receives a call, which leads to records as its caller may see and change them, and returns an Outcome. */
  readonly verb: PluginVerb
}

/** What a plugin may know of its panel. Frozen at start-up. */
export interface House {
  /** The panel's `id`. */
  readonly id: string
  /** The panel's `title`. */
  readonly title: string
  /** The panel's resources, relations, permissions and texts. */
  readonly realm: Realm
  /** Where the panel is mounted, and its prefixes. */
  readonly place: Place
  /** The hosts that it answers for: loopback, these (with or without a port), or all (null). */
  readonly hosts: 'loopback' | readonly string[] | null
  /** Whether browsers keep its session cookie however they reach it: by https, or on this machine alone. */
  readonly keepsCookies: boolean
  /** All routes, those of plugins included. Complete once the panel is defined. */
  routes(): readonly Route[]
  /** All verbs, by the name that routes use. */
  verbs(): Readonly<Record<string, Verb>>
}

/** What a plugin adds to a panel. All parts but `id` are optional. Field kinds need no plugin. */
export interface Plugin {
  /** Its name, unique in a panel: lower-case letters, digits and hyphens. The paths and names of its routes contain it. */
  readonly id: string
  /** Resources, as in `definePanel({ resources })`. */
  readonly resources?: readonly Resource[]
  /** Pages of components, as in `definePanel({ pages })`. */
  readonly pages?: readonly Page[]
  /** Menu entries, after the panel's own. */
  readonly menu?: readonly MenuLine[]
  /** Returns its routes. Called once. */
  routes?(house: House): readonly PluginRoute[]
  /** Files that pages load, by name. The type follows the file ending: js, css, svg, png, woff2 or json. */
  readonly assets?: Readonly<Record<string, URL>>
  /** Pages by name: `'reports::year'`. `definePanel({ views })` can replace them. */
  readonly views?: Readonly<Record<string, View>>
  /** Returns what is not wrong but worth knowing, for `panel.warnings`. */
  warns?(house: House): readonly Problem[]
  /** The names of the views that its routes use. Start-up reports any that does not exist. */
  readonly shows?: readonly string[]
  /** What it was made with, for those who find it in a panel: its tests, or a command. The panel reads none of it. */
  readonly settings?: object
}

/**
 * Declares a plugin, for `definePanel({ plugins: [...] })`.
 *
 * @example
 * ```ts
 * import { definePlugin, html } from 'daymark'
 *
 * // GET /admin/plugin/hello/greet?name=You, for whoever is signed in: JSON for programs, a page for people.
 * export const hello = definePlugin({
 *   id: 'hello',
 *   views: { 'hello::greet': ({ name }: { name: string }) => ({ title: 'Hello', content: html`<h1>Hello, ${name}</h1>` }) },
 *   routes: () => [
 *     {
 *       name: 'greet',
 *       methods: ['GET'],
 *       path: '/greet',
 *       ability: 'signedIn',
 *       query: 'own',
 *       verb: {
 *         on: 'panel',
 *         ends: ['answered'],
 *         run: async ({ input, identity }) => ({
 *           is: 'answered',
 *           data: { name: input.query.get('name')?.[0] ?? identity.name },
 *           view: 'hello::greet',
 *         }),
 *       },
 *     },
 *   ],
 * })
 * ```
 */
export function definePlugin<const P extends Plugin>(plugin: P): Readonly<P> {
  return Object.freeze({ ...plugin })
}
