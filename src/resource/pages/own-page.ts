import type { IconName } from '../../base/icon-paths.js'
import { a, type Settings } from '../../base/setting.js'
import { aPageButton, ofActions, type PageButton, type PageMethod } from '../action/action.js'
import { type BoundAction, bindActions } from '../action/bind-action.js'
import type { Policy } from '../action/policy.js'
import type { Where } from '../condition/condition.js'
import type { KeyName } from '../condition/declared.js'
import type { PageFilter } from '../condition/page-choice.js'
import { aComponent } from '../model/sorts.js'
import type { PageType, Section } from '../page.js'
import { refuseWrong } from '../problem.js'
import { type Component, everyComponent } from './component.js'

/** The settings of `definePage`. */
export interface PageSpec<U extends string = string, M = Record<never, never>, N extends string = KeyName<M>> {
  /** `{pageUri}`: lower-case letters, digits and hyphens; unique in the panel, or in the resource. */
  readonly uri: U
  /** The name that users see. */
  readonly title: string
  /** The name of an icon for the menu. Default: none. */
  readonly icon?: IconName
  /** Who may see the page. Default: users with a role; for a resource's page, users who may list the resource. */
  readonly can?: Policy
  /** `false` keeps it out of the menu. Default: `true`. */
  readonly menu?: boolean
  /** What users choose on it, by the names of the parameters in its URL, for its components to name. Default: nothing. */
  readonly filters?: { readonly [name: string]: PageFilter }
  /** What it shows. */
  readonly components: readonly Component[]
  /** What its buttons and scripts may call by name. Default: none. */
  readonly methods?: { readonly [K in N]: object } & { readonly [K in keyof M]: PageMethod<M[K]> }
  /** Buttons beside the heading. Default: none. */
  readonly buttons?: readonly PageButton<NoInfer<N>>[]
}

/** The names of a page's methods: a phantom, never set at run time. */
declare const called: unique symbol

/** A page of components, as `definePage` returns it: frozen data. */
export interface Page<U extends string = string, N extends string = string> {
  /** `{pageUri}`. */
  readonly uri: U
  /** The name that users see. */
  readonly title: string
  /** The name of an icon for the menu; null: none. */
  readonly icon: IconName | null
  /** Who may see it; null: the default. */
  readonly can: Policy | null
  /** `false` keeps it out of the menu. */
  readonly menu: boolean
  /** What users choose on it, by the names of the parameters in its URL. */
  readonly filters: ReadonlyMap<string, PageFilter>
  /** What it shows. */
  readonly components: readonly Component[]
  /** Its methods by name. */
  readonly methods: ReadonlyMap<string, BoundAction>
  /** Buttons beside the heading. */
  readonly buttons: readonly PageButton[]
  readonly [called]?: N
}

/** A further index, detail or form page of a resource, with fields of its own. */
export interface KindPage<Name extends string = string, W = Where<Record<string, unknown>>> {
  /** `{pageUri}`: lower-case letters, digits and hyphens; unique in the resource. */
  readonly uri: string
  /** The name that users see. */
  readonly title: string
  /** What kind of page it is. */
  readonly type: PageType
  /** What it shows. The fields of a form must also be in `pages.form`. */
  readonly fields: readonly Name[]
  /** Narrows the records of an index page. Default: all records. */
  readonly where?: W
  /** Who may see it. Default: users with the ability for such a page. */
  readonly can?: Policy
}

/** A further page of a record, whose fields may be in sections. */
export interface DetailPage<Name extends string = string> extends Pick<KindPage, 'uri' | 'title' | 'can'> {
  /** What kind of page it is. */
  readonly type: 'detail'
  /** What it shows. */
  readonly fields: readonly (Name | Section<Name>)[]
}

const ofPages: Settings<PageSpec> = {
  uri: a.text,
  title: a.text,
  icon: a.value,
  can: a.value,
  menu: a.switch,
  filters: a.object,
  components: a.list(aComponent),
  methods: a.byName(a.form<PageMethod<never>>({ ...ofActions, can: a.value, run: a.function }, 'run')),
  buttons: a.list(aPageButton),
}

/**
 * Declares a page of components: for a panel (`definePanel({ pages })`) at `/page/{pageUri}`, or for a resource (`pages: { more }`).
 *
 * @throws DeclarationError for an unknown setting, or one of another type: a misspelt `can` would let everybody see the page
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
 */
export function definePage<const U extends string, M = Record<never, never>, N extends string = never>(
  spec: PageSpec<U, M, N>,
): Page<U, NoInfer<N>> {
  refuseWrong(`pages.${spec?.uri}`, spec, ofPages, 'uri', 'title', 'components')
  const { uri, title, icon, can, menu = true, filters = {}, components, methods = {}, buttons = [] } = spec
  return Object.freeze({
    uri,
    title,
    icon: icon ?? null,
    can: can ?? null,
    menu,
    filters: new Map(Object.entries(filters)),
    components: Object.freeze([...components]),
    methods: bindActions(methods),
    buttons: Object.freeze([...buttons]),
  })
}

/** All buttons of a page: those beside its heading, then those among its components. Requests identify a button by its index here. */
export function pageButtons({ buttons, components }: Pick<Page, 'buttons' | 'components'>): readonly PageButton[] {
  return [...buttons, ...[...everyComponent(components)].flatMap((one) => (one.is === 'button' ? [one.button] : []))]
}

/** Whether a page is made of components. */
export function isComposed(page: Page | KindPage): page is Page {
  return 'components' in page
}
