import type { IconName } from '../../base/icon-paths.js'
import type { Policy } from '../action/policy.js'
import type { Declared } from '../condition/declared.js'
import type { Figure } from './figure.js'
import type { Page } from './own-page.js'

/** The settings of a menu entry. */
export interface MenuFacts {
  /** What users read. Default: the title of the resource or page. */
  readonly label?: string
  /** The name of an icon. Default: that of the page or the resource, else the first letters of the label. */
  readonly icon?: IconName
  /** Text, or a figure such as a count. A figure respects the user's scope and is cached for 30 seconds. Default: none. */
  readonly badge?: string | Figure
  /** Who sees the entry, of the users who may go where it leads. Default: all of them. */
  readonly can?: Policy
}

/** A menu entry: a resource, a page, a link, a group of entries, or a dividing line. */
export type MenuLine =
  | Declared
  | Page
  | (MenuFacts & {
      /** A resource or its URI. */
      readonly resource: Declared | string
    })
  | (MenuFacts & {
      /** One of the panel's own pages. */
      readonly page: Page
    })
  | (MenuFacts & {
      /** What users read. */
      readonly label: string
      /** The URL of the link. */
      readonly href: string
    })
  | (Pick<MenuFacts, 'can'> & {
      /** The heading of the entries. */
      readonly group: string
      /** The entries of the group. */
      readonly items: readonly MenuLine[]
    })
  | 'divider'
