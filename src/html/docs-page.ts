import { html } from '../base/html.js'
import type { View } from '../face/view.js'
import { builtFolder } from './built.js'

/** What the view of the documentation page gets. */
export interface DocsData {
  /** The `title` of `oag()`. */
  readonly title: string
  /** The path of the document. */
  readonly url: string
}

/** The documentation page: a viewer of OpenAPI documents, which is served by us and asks nobody else. */
export const docsView: View<DocsData> = ({ title, url }, { t, theme, asset }) => ({
  title,
  content: html`<div id="docs" data-url="${url}" data-title="${title}" data-theme="${theme}" data-viewer="${asset('scalar.js')}"></div><noscript><p class="card">${t('docs.noScript')} <a href="${url}">${url}</a></p></noscript>`,
  bare: true,
  styles: [asset('docs.css')],
  scripts: [asset('docs.js')],
  policy: docsPolicy,
})

// The viewer writes its style into the page, and shows pictures that it has made itself.
const docsPolicy = { 'style-src': "'unsafe-inline'", 'font-src': 'data:' }

const files = ['docs.css', 'docs.js', 'scalar.js']

const folder = builtFolder()

/** Its files, as the build has made them. */
export const docsAssets: Readonly<Record<string, URL>> = Object.freeze(
  Object.fromEntries(folder ? files.map((file) => [file, new URL(file, folder)]) : []),
)
