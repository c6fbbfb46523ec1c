import { html } from '../base/html.js'
import type { Palette } from '../crud/outcome.js'
import type { Around, Reply } from '../face/face.js'
import { url } from '../route/url.js'
import { heading } from './components/heading.js'
import { page } from './page.js'
import { recordUrls } from './record-urls.js'

/** What the palette offers, as links: for who comes to its address by hand. */
export function palettePage({ lists, records }: Palette, at: Around): Reply {
  const { t } = at.realm
  const links = [
    ...lists.map(({ title, uriKey }) => ({ label: title, href: url(at.place, 'crud.index', { resourceUri: uriKey }) })),
    ...records.flatMap(({ resource, choices }) =>
      choices.map(({ key, label }) => ({ label, href: recordUrls(at.place, resource.uriKey).show(key) })),
    ),
  ]
  const title = t('palette.title')
  return page(
    at,
    { title },
    html`${heading({ title })}<ul class="links">${links.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>`,
  )
}
