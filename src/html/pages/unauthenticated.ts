import { html } from '../../base/html.js'
import type { Unauthenticated } from '../../crud/outcomes/outcome.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { ownPath, url } from '../../route/url.js'
import { daymarkLogo } from '../components/icon.js'
import { page, redirect } from '../frame/page.js'
import { problemPage } from './problems.js'

/** Redirects to the sign-in page, and from there back. A panel that uses tokens explains those instead. */
export function unauthenticatedPage({ error }: Unauthenticated, at: PresenterContext): Reply {
  const { auth, t } = at.realm
  if (auth.challenge === 'Bearer') {
    const how = t('signIn.tokensHow', { path: url(at.place, 'authenticate') })
    return page(
      at,
      { title: t('signIn.tokens'), status: error.status, headers: error.headers },
      html`<div class="problem"><div class="who">${daymarkLogo}</div><h1>${t('signIn.tokens')}</h1><p>${how}</p></div>`,
    )
  }
  // A script that fetches a part would insert the sign-in page as that part.
  if (!auth.hasSignIn || asksPart(at)) return problemPage(error, at)
  // Only a GET can be repeated after the sign-in.
  const index = url(at.place, 'index')
  const led = (to: string | null) => redirect(url(at.place, 'login', { query: { to: to ?? undefined } }))
  if (at.reads) return { ...led(at.path === index ? null : at.target), status: 302 }
  // A form's session has ended: say so, and return to the page with the form.
  const back = ownPath(at.place, at.shell?.back ?? '')
  return { ...led(back === index ? null : back), flash: { message: 'signIn.ended', fill: {} } }
}

function asksPart({ route, target }: PresenterContext): boolean {
  return route?.name === 'component' || /[?&]_fragment-load=./.test(target)
}
