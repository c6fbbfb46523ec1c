import type { Html } from '../base/html.js'
import type { Translate } from '../base/messages.js'
import type { Theme } from '../crud/call/theme.js'
import type { Brand } from './brand.js'

/** Renders data as a page. It has a name, such as `oag::docs`: a plugin brings it, and `definePanel({ views })` can replace it. */
// Only the plugin knows the type of a view's data.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type View<Data = any> = (data: Data, at: ViewAt) => ViewPage

/** What a view gets besides its data. */
export interface ViewAt {
  /** Returns a text of the panel by its key. */
  readonly t: Translate
  /** The panel's `locale`, a BCP 47 tag. */
  readonly locale: string
  /** The user's choice: `light`, `dark` or `system`. */
  readonly theme: Theme
  /** The panel's name, logo and colour. */
  readonly brand: Brand
  /** The URL of the panel's first page; null if the panel takes tokens, which no browser has. */
  readonly home: string | null
  /** The URL of an asset, of a plugin or of the panel, by its file name. */
  asset(file: string): string
}

/** What a view returns: the content of a page, and what it needs. */
export interface ViewPage {
  /** The title of the page. */
  readonly title: string
  /** The markup of the page, inside the panel's frame. */
  readonly content: Html
  /** URLs of stylesheets to load besides the panel's, from your own host only. Default: none. */
  readonly styles?: readonly string[]
  /** URLs of module scripts to load besides the panel's, from your own host only. Inline scripts never run. Default: none. */
  readonly scripts?: readonly string[]
  /** `true`: shows the page without the menu and the panel's frame. Default: `false`. */
  readonly bare?: boolean
  /**
   * Widens the Content-Security-Policy of this page, by directive: `{ 'style-src': "'unsafe-inline'" }`. Never `script-src`. Default: none.
   */
  readonly policy?: Readonly<Record<string, string>>
}
