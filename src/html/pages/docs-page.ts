import { block, html } from '../../base/html.js'
import type { View } from '../../face/view.js'
import { logoOf } from '../components/icon.js'
import { builtAssetsFolder } from '../frame/built-assets.js'

/** The data of the documentation page's view. */
export interface DocsData {
  /** The `title` of `oag()`. */
  readonly title: string
  readonly url: string
}

/** The documentation page: an OpenAPI viewer, which we serve and which calls no other host. */
export const docsView: View<DocsData> = ({ title, url }, { t, theme, brand, home, asset }) => ({
  title,
  content: block`
    ${home !== null && html`<header class="docs-head"><a href="${home}">${logoOf(brand)}<span>${brand.name}</span></a></header>`}
    <div id="docs" data-url="${url}" data-title="${title}" data-theme="${theme}" data-viewer="${asset('scalar.js')}"></div>
    <noscript><p class="card">${t('docs.noScript')} <a href="${url}">${url}</a></p></noscript>
  `,
  bare: true,
  styles: [asset('docs.css')],
  scripts: [asset('docs.js')],
  policy: docsPolicy,
})

// The viewer injects styles and embeds its fonts.
const docsPolicy = { 'style-src': "'unsafe-inline'", 'font-src': 'data:' }

const files = ['docs.css', 'docs.js', 'scalar.js']

const folder = builtAssetsFolder()

/** The built files of the page. */
export const docsAssets: Readonly<Record<string, URL>> = Object.freeze(
  Object.fromEntries(folder ? files.map((file) => [file, new URL(file, folder)]) : []),
)
