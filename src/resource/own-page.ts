import type { IconName } from '../base/icon-paths.js'
import type { PageButton, PageMethod } from './action.js'
import { type BoundAction, bindActions } from './bind-action.js'
import { type Component, everyComponent } from './component.js'
import type { Where } from './condition.js'
import type { Key } from './declared.js'
import type { PageType } from './page.js'
import type { Policy } from './policy.js'
import { type Names, unknownIn } from './unknown.js'

/** A page of your own, as it is declared. */
export interface PageSpec<U extends string = string, M = Record<never, never>> {
  /** `{pageUri}`; unique among the pages of a panel, or of a resource. */
  readonly uri: U
  readonly title: string
  /** The name of an icon, for the menu. */
  readonly icon?: IconName
  /** Who may see it. Default: whoever has a role; of a resource's page, whoever may list the resource. */
  readonly can?: Policy
  /** `false` keeps it out of the menu. Default `true`. */
  readonly menu?: boolean
  readonly components: readonly Component[]
  /** What its buttons and code in it may call by name, of those who may see it. */
  readonly methods?: { readonly [K in keyof M]: PageMethod<M[K]> }
  /** Beside its heading. */
  readonly buttons?: readonly PageButton<Key<M>>[]
}

/** The names of a page's methods: a phantom, never set at run time. */
declare const called: unique symbol

/** A page made of components: frozen data. */
export interface Page<U extends string = string, N extends string = string> {
  readonly uri: U
  readonly title: string
  readonly icon: IconName | null
  readonly can: Policy | null
  readonly menu: boolean
  readonly components: readonly Component[]
  readonly methods: ReadonlyMap<string, BoundAction>
  readonly buttons: readonly PageButton[]
  readonly [called]?: N
}

/** A further page of one of the three kinds, of a resource: some of its fields, and for a list some of its records. */
export interface KindPage<Name extends string = string, W = Where<Record<string, unknown>>> {
  readonly uri: string
  readonly title: string
  readonly type: PageType
  readonly fields: readonly Name[]
  /** Of an index page: only these records. */
  readonly where?: W
  /** Default: whoever may do what the page is for. */
  readonly can?: Policy
}

const ofPages: Names<PageSpec> = {
  uri: true,
  title: true,
  icon: true,
  can: true,
  menu: true,
  components: true,
  methods: true,
  buttons: true,
}
const ofMethods: Names<PageMethod<never>> = {
  method: true,
  safe: true,
  label: true,
  fields: true,
  input: true,
  confirm: true,
  redirectsTo: true,
  transaction: true,
  can: true,
  run: true,
}

/**
 * Declares a page made of components: for a panel (`definePanel({ pages })`) at `/page/{pageUri}`, or for a resource (`pages: { more }`).
 *
 * @example
 * ```ts
 * import { definePage, defineResource, figure, grid, metric, tableBuilder } from 'daymark'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const cities = sqliteTable('cities', { id: integer().primaryKey(), name: text().notNull(), population: integer().notNull() })
 * const Cities = defineResource({ model: cities })
 *
 * export const dashboard = definePage({
 *   uri: 'dashboard',
 *   title: 'Dashboard',
 *   components: [
 *     grid(2, [metric({ name: 'cities', label: 'Cities', value: figure.count(Cities), link: Cities })]),
 *     tableBuilder(Cities, { name: 'largest', title: 'Largest', columns: ['name', 'population'], sort: '-population', limit: 5 }),
 *   ],
 * })
 * ```
 * @throws TypeError for a name that means nothing: a `can` that is misspelt would let everybody see the page
 */
export function definePage<const U extends string, M = Record<never, never>>(spec: PageSpec<U, M>): Page<U, Key<NoInfer<M>>> {
  const { uri, title, icon, can, menu = true, components, methods = {}, buttons = [] } = spec
  const wrong = [
    ...unknownIn(spec, ofPages),
    ...Object.entries<object>(methods).flatMap(([name, one]) =>
      unknownIn(one, ofMethods).map(([key, text]) => [`methods.${name}.${key}`, text]),
    ),
  ]
  if (wrong.length > 0) throw new TypeError(`The page "${uri}": ${wrong.map(([at, text]) => `${at}: ${text}`).join('; ')}`)
  return Object.freeze({
    uri,
    title,
    icon: icon ?? null,
    can: can ?? null,
    menu,
    components: Object.freeze([...components]),
    methods: bindActions(methods),
    buttons: Object.freeze([...buttons]),
  })
}

/** All buttons of a page: beside its heading, then those among its components. A button is known by its number among them. */
export function pageButtons({ buttons, components }: Pick<Page, 'buttons' | 'components'>): readonly PageButton[] {
  return [...buttons, ...[...everyComponent(components)].flatMap((one) => (one.is === 'button' ? [one.button] : []))]
}

/** Whether a page is made of components. */
export function isComposed(page: Page | KindPage): page is Page {
  return 'components' in page
}
