import type { Identity } from '../../auth/identity.js'
import type { Html } from '../../base/html.js'
import type { PresenterContext, Reply, Shell } from '../../face/face.js'
import type { Resource } from '../../resource/resource.js'
import { url } from '../../route/url.js'
import { barePage, frame, type PageView } from '../components/frame.js'
import { userMenu } from '../components/user-menu.js'
import { assetUrl } from './assets.js'
import { brandUrl } from './brand.js'
import { tokenInput } from './form-token.js'
import { languagesOf } from './languages.js'
import { menuGroups } from './menu-groups.js'
import { undoForm } from './undo-form.js'

interface Page {
  readonly title: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** In addition to the panel's own. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
  /** Without the frame, even if signed in. */
  readonly bare?: boolean
  /** The resource it belongs to, if its path does not say so. */
  readonly of?: Resource | undefined
  /** Seconds after which a browser without script reloads. */
  readonly refresh?: number
}

/** A whole page: in the frame for signed-in users, alone for others. */
export function page(
  at: PresenterContext,
  { title, status = 200, headers = {}, styles = [], scripts = [], bare = false, of, refresh }: Page,
  content: Html,
): Reply {
  const { shell, identity } = at
  const isFramed = shell !== null && identity !== null && !bare
  const alone = isFramed || bare ? [] : [assetUrl(at.place, 'account.css')]
  const view: PageView = {
    t: at.realm.t,
    locale: at.realm.locale,
    theme: at.shell?.theme ?? 'system',
    density: at.shell?.preferences.density ?? 'normal',
    title: `${title} · ${at.brand.name}`,
    styles: [assetUrl(at.place, 'daymark.css'), brandUrl(at.place, at.brand), ...new Set([...alone, ...styles])].filter(
      (one) => one !== null,
    ),
    scripts: [assetUrl(at.place, 'daymark.js'), ...scripts],
    icon: assetUrl(at.place, 'mark.svg'),
    csrf: at.shell?.csrf ?? null,
    login: identity && signOutUrl(at) !== null ? url(at.place, 'login') : null,
    refresh: refresh ?? null,
    languages: bare ? [] : languagesOf(at.realm),
  }
  const body = isFramed ? frame({ ...view, ...framed(at, shell, identity, of) }, content) : barePage(view, content)
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: String(body) }
}

/** The redirect after a form. */
export function redirect(location: string): Reply {
  return { status: 303, headers: { location }, body: null }
}

function framed(at: PresenterContext, { lines, theme, flash, rail, viewedBy }: Shell, { id, name }: Identity, of: Resource | undefined) {
  const { realm, place, brand } = at
  const { t } = realm
  return {
    sidebar: {
      brand: { ...brand, href: url(place, 'index') },
      groups: menuGroups(lines, at, of),
      rail: rail && { ...rail, path: url(place, 'index') },
      palette: url(place, 'palette'),
      foot: userMenu({ name, theme, languages: languagesOf(realm), preferences: url(place, 'preferences'), ...account(at) }, t),
    },
    flash: flash && {
      text: t(flash.message, flash.fill as never),
      tone: flash.tone ?? 'success',
      action: flash.undo && undoForm(flash.undo, at.target, at),
    },
    viewing: viewedBy === null ? null : { name, by: viewedBy, end: url(place, 'view-as.end', { id }), token: tokenInput(at) },
  }
}

/** The account links of the user menu. */
function account(at: PresenterContext) {
  return {
    token: tokenInput(at),
    profile: at.realm.auth.hasSignIn ? url(at.place, 'profile') : null,
    signOut: signOutUrl(at),
    bell: at.realm.notifications && {
      href: url(at.place, 'notifications'),
      script: assetUrl(at.place, 'notifications.js'),
      current: at.route?.name === 'notifications',
    },
  }
}

/** The sign-out URL; null without sessions: tokens end in the client that holds them, and a browser has none. */
export function signOutUrl({ realm: { auth }, place }: PresenterContext): string | null {
  return auth.hasSignIn && auth.challenge === 'Session' ? url(place, 'logout') : null
}
