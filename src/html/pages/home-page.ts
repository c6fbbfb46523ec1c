import { html } from '../../base/html.js'
import type { Home } from '../../crud/outcomes/pages.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import { heading } from '../components/heading.js'
import { tiles } from '../components/tiles.js'
import { nothing } from '../composed/composed.js'
import { page } from '../frame/page.js'

/** The panel's default first page: links to its resources. */
export function homePage({ resources }: Home, at: PresenterContext): Reply {
  const { t } = at.realm
  const all = resources.map(({ uriKey, title, icon }) => ({
    label: title,
    icon,
    href: url(at.place, 'crud.index', { resourceUri: uriKey }),
    count: null,
  }))
  const content = all.length > 0 ? tiles(all) : nothing(at)
  return page(at, { title: t('home.title') }, html`${heading({ title: at.brand.name })}${content}`)
}
