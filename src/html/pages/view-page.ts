import { html } from '../../base/html.js'
import type { Answered } from '../../crud/outcomes/outcome.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { url } from '../../route/url.js'
import { type AssetName, assetUrl } from '../frame/assets.js'
import { page } from '../frame/page.js'

/** A plugin's data, drawn by its view, or as JSON if it names none. */
export function viewPage({ data, view: name }: Answered, at: PresenterContext): Reply {
  if (name === undefined || name === null)
    return page(at, { title: at.brand.name }, html`<div class="view"><pre class="card">${JSON.stringify(data, null, 2)}</pre></div>`)
  const view = at.views.get(name)
  if (!view) throw new TypeError(`There is no view "${name}". Valid: ${[...at.views.keys()].join(', ')}`)
  const { content, policy, ...about } = view(data, {
    t: at.realm.t,
    locale: at.realm.locale,
    theme: at.shell?.theme ?? 'system',
    brand: at.brand,
    home: at.realm.auth.challenge === 'Bearer' ? null : url(at.place, 'index'),
    asset: (file) => at.assetUrl(file) ?? assetUrl(at.place, file as AssetName),
  })
  // Within the frame it begins below the menu button of phones.
  return { ...page(at, about, about.bare ? content : html`<div class="view">${content}</div>`), ...(policy && { policy }) }
}
