import type { Html } from '../base/html.js'
import type { Translate } from '../base/messages.js'
import type { Theme } from '../crud/theme.js'
import type { Brand } from './brand.js'

/** A page that is shown by its name, such as `oag::docs`: a plugin brings it, and `definePanel({ views })` may put another in its place. */
// The data of a view is its plugin's own business.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type View<Data = any> = (data: Data, at: ViewAt) => ViewPage

/** What a view may know besides its data. */
export interface ViewAt {
  readonly t: Translate
  readonly locale: string
  readonly theme: Theme
  readonly brand: Brand
  /** The URL of a plugin's asset, or of one of the panel's own. */
  asset(file: string): string
}

/** What a view gives: what stands in the page, and what that needs. */
export interface ViewPage {
  readonly title: string
  readonly content: Html
  /** URLs of stylesheets and of module scripts, besides the panel's own; a page takes them from our own host only. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
  /** `true`: without the menu and its frame. */
  readonly bare?: boolean
  /** What this page's policy allows besides, by directive: `{ 'style-src': "'unsafe-inline'" }`. Never `script-src`. */
  readonly policy?: Readonly<Record<string, string>>
}
