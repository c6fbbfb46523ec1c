import type { OpenIdProvider } from '../../auth/open-id-provider.js'
import { block, type Html } from '../../base/html.js'
import type { PresenterContext } from '../../face/face.js'
import { url } from '../../route/url.js'
import { buttonLink } from '../components/button.js'

/**
 * In place of a form, where a user without a password has to confirm first who they are. What they typed into the form would be lost on the
 * way.
 *
 * @param to the page, to which the provider leads back
 */
export function confirmCard(title: string, { id, label }: OpenIdProvider, to: string, at: PresenterContext): Html {
  const { t } = at.realm
  const href = url(at.place, 'openid', { provider: id, query: { anew: '1', to } })
  const link = buttonLink({ label: t('openId.confirm', { label }), href, tone: 'primary' })
  return block`
    <section class="card section" aria-labelledby="confirm-title">
      <h2 id="confirm-title">${title}</h2>
      <p class="muted">${t('openId.confirmHint', { label })}</p>
      <div class="actions">${link}</div>
    </section>
  `
}
