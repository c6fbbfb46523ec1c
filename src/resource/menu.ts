import type { IconName } from '../base/icon-paths.js'
import type { Declared } from './declared.js'
import type { Figure } from './figure.js'
import type { Page } from './own-page.js'
import type { Policy } from './policy.js'

/** What every line of the menu may state. */
export interface MenuFacts {
  /** Default: the title of what it leads to. */
  readonly label?: string
  /** Default: that of the page or the resource; else the first letters of the label. */
  readonly icon?: IconName
  /** Text, or a count that is read at most twice a minute. */
  readonly badge?: string | Figure
  /** Who sees it, of those who may see what it leads to. */
  readonly can?: Policy
}

/** A line of the menu: a resource, a page, a link elsewhere, a group of lines, or a dividing line. */
export type MenuLine =
  | Declared
  | Page
  | (MenuFacts & { readonly resource: Declared | string })
  | (MenuFacts & { readonly page: Page })
  | (MenuFacts & { readonly label: string; readonly href: string })
  | (Pick<MenuFacts, 'can'> & { readonly group: string; readonly items: readonly MenuLine[] })
  | 'divider'
