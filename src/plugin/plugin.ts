import type { Realm } from '../crud/call.js'
import type { Verb } from '../crud/verbs.js'
import type { View } from '../face/view.js'
import type { Problem } from '../resource/check.js'
import type { MenuLine } from '../resource/menu.js'
import type { Page } from '../resource/own-page.js'
import type { Resource } from '../resource/resource.js'
import type { Route } from '../route/routes.js'
import type { Place } from '../route/url.js'

/** A row of the route table that a plugin adds: as the panel's own, with the verb itself where those name one. It passes the same gate. */
export interface PluginRoute extends Omit<Route, 'verb'> {
  /** Below `/plugin/{id}`, or with `at: 'root'` where the panel is mounted. */
  readonly path: string
  readonly verb: Verb
}

/** What a plugin may know of the panel that it is in. Frozen at start-up. */
export interface House {
  readonly id: string
  readonly title: string
  readonly realm: Realm
  readonly place: Place
  /** The hosts that it answers for: those of this machine, those named (with or without a port), or all of them (null). */
  readonly hosts: 'loopback' | readonly string[] | null
  /** Whether a session's cookie is kept on every way to it: by https, or on this machine alone. */
  readonly keepsCookies: boolean
  /** Every row of the route table, those of plugins included; complete once the panel is defined. */
  routes(): readonly Route[]
  /** Every verb, by the name that its rows give. */
  verbs(): Readonly<Record<string, Verb>>
}

/** What is added to a panel. All but `id` may be left out. Kinds of fields need no plugin: a field holds its kind. */
export interface Plugin {
  /** Unique in a panel; lower-case letters, digits and hyphens. It is in the paths and the names of its routes. */
  readonly id: string
  readonly resources?: readonly Resource[]
  /** Pages of components, as if they stood in `definePanel({ pages })`. */
  readonly pages?: readonly Page[]
  /** Lines of the menu, after the panel's own. */
  readonly menu?: readonly MenuLine[]
  routes?(house: House): readonly PluginRoute[]
  /** Files that pages load, by name: where each is on this machine. Their type is that of their ending. */
  readonly assets?: Readonly<Record<string, URL>>
  /** Pages by name: `'reports::year'`. `definePanel({ views })` may replace them. */
  readonly views?: Readonly<Record<string, View>>
  /** What is not wrong but worth knowing, for the start to say. */
  warns?(house: House): readonly Problem[]
  /** The names of the views that its routes show: start-up sees to it that there are such. */
  readonly shows?: readonly string[]
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
