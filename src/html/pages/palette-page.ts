import { block, html } from '../../base/html.js'
import type { Palette } from '../../crud/outcomes/found.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { targetsOf } from '../../face/targets.js'
import { heading } from '../components/heading.js'
import { page } from '../frame/page.js'

/** The palette's entries as a page of links, for whoever opens its URL. */
export function palettePage(palette: Palette, at: PresenterContext): Reply {
  const title = at.realm.t('palette.title')
  return page(
    at,
    { title },
    block`
      ${heading({ title })}
      <ul class="links">
        ${targetsOf(palette, at).map(
          ({ label, url, hint }) => block`
            <li><a href="${url}">${label}${hint !== undefined && html` <span class="muted">${hint}</span>`}</a></li>
          `,
        )}
      </ul>
    `,
  )
}
