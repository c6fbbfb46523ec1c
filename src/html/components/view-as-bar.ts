import { block, type Html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { button } from './button.js'
import { icon } from './icon.js'

export interface ViewAsBarView {
  /** As whom. */
  readonly name: string
  /** Who is looking. */
  readonly by: string
  /** The URL by which they are themselves again. */
  readonly end: string
  /** The CSRF token of the form. */
  readonly token: Html
}

/** Says above a page that somebody looks at the panel as another user, and leads back. */
export function viewAsBar({ name, by, end, token }: ViewAsBarView, t: Translate): Html {
  return block`
    <div class="viewing info" role="status">
      ${icon('view')}
      <p>${t('viewAs.banner', { name })}</p>
      <form method="post" action="${end}">
        <input type="hidden" name="_method" value="DELETE">${token}
        ${button({ label: t('viewAs.end', { name: by }) })}
      </form>
    </div>
  `
}
