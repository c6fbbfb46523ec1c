import { type DaymarkError, errors } from '../../base/errors.js'
import { type Html, html } from '../../base/html.js'
import { DeniedError } from '../../crud/call/denied.js'
import type { PresenterContext, Reply } from '../../face/face.js'
import { ownPath, url } from '../../route/url.js'
import { button, buttonLink } from '../components/button.js'
import { logoOf } from '../components/icon.js'
import { problem } from '../components/problem.js'
import { tokenInput } from '../frame/form-token.js'
import { entriesIn } from '../frame/menu-groups.js'
import { page, signOutUrl } from '../frame/page.js'

/** An error page: what happened, the request id, and ways to go on. */
export function problemPage(error: DaymarkError, at: PresenterContext): Reply {
  const { t } = at.realm
  const { status } = errors[error.code]
  const title = t(`error.${error.code}`)
  const details = [...error.errors.values()].flat().filter((text) => text !== error.message)
  return page(
    at,
    { title, status, headers: error.headers },
    problem(
      {
        logo: at.identity ? null : logoOf(at.brand),
        status,
        title,
        text: hasNoRole(at, error) ? t('problem.noRole') : error.message,
        details,
        requestId: at.requestId,
        focused: !at.reads,
        actions: waysOn(at, error),
      },
      t,
    ),
  )
}

/** Whether the user may do nothing because nobody has given them a role. */
function hasNoRole({ identity, realm, shell }: PresenterContext, error: DaymarkError): boolean {
  if (!(error instanceof DeniedError) || identity?.roles.length !== 0 || !realm.auth.hasSignIn) return false
  // Policies may let in whoever has none. Links to elsewhere are shown to all.
  return !shell || (shell.menu.length === 0 && entriesIn(shell.lines).every(({ to }) => typeof to === 'string'))
}

/** From a link that is used up, to where another one is asked for. */
function toForgot({ realm: { mails, t }, place, path }: PresenterContext): Html[] {
  const isReset = path.startsWith(url(place, 'password.reset', { token: 'x' }).slice(0, -1))
  return mails && isReset ? [buttonLink({ label: t('forgot.title'), href: url(place, 'password.forgot'), tone: 'primary' })] : []
}

/** To the page that was asked for. A path that is none of the panel's could name another host: `//elsewhere`. */
function toItself({ realm: { t }, place, path, target }: PresenterContext, home: string): Html[] {
  const href = ownPath(place, target) ?? (path === home ? home : null)
  return href === null ? [] : [buttonLink({ label: t('problem.again'), href, tone: 'primary' })]
}

/**
 * Links to what could not be read just now, back or to the list above, and always to the first page. On that page itself, and for who has no
 * role: sign out, to use another account.
 */
function waysOn(at: PresenterContext, error: DaymarkError): Html[] {
  const { identity, shell, place, path } = at
  const { t } = at.realm
  const home = url(place, 'index')
  const toHome = buttonLink({ label: t('problem.home'), href: home })
  const again = error.code === 'unavailable' && at.reads ? toItself(at, home) : []
  if (!identity) return path === home ? again : [...again, ...(error.code === 'notFound' ? toForgot(at) : []), toHome]
  const signOut = signOutUrl(at)
  const toSignOut =
    signOut === null ? [] : [html`<form method="post" action="${signOut}">${tokenInput(at)}${button({ label: t('profile.end') })}</form>`]
  if (path === home || (hasNoRole(at, error) && signOut !== null)) return [...again, ...toSignOut]
  const ways: Html[] = []
  const list = shell?.menu.map((resource) => ({ title: resource.title, href: url(place, 'crud.index', { resourceUri: resource.uriKey }) }))
  const own = list?.find(({ href }) => href !== path && path.startsWith(href.replace(/crud$/, '')))
  if (own) ways.push(buttonLink({ label: t('problem.list', { title: own.title }), href: own.href }))
  else if (shell?.back && ![home, path, url(place, 'login')].includes(shell.back.replace(/[?].*/, '')))
    ways.push(buttonLink({ label: t('action.back'), href: shell.back }))
  const toAll = error.code === 'notFound' ? [buttonLink({ label: t('palette.how'), icon: 'search', href: url(place, 'palette') })] : []
  return [...again, ...ways, toHome, ...toAll]
}
