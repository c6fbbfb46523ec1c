import { may } from '../crud/call/allow.js'
import { type Theme, themes } from '../crud/call/theme.js'
import { menuResources } from '../crud/pages/menu-resources.js'
import type { Shell } from '../face/face.js'
import { railCookie, readCookie, readFlash, themeCookie } from './cookies.js'
import { csrfOf } from './csrf.js'
import { refererPath } from './referer.js'
import type { RequestContext } from './request-context.js'

/** What a full page needs besides its record. */
export function shellOf(context: RequestContext): Shell {
  const { request, around } = context
  const { identity, realm } = around
  return {
    menu: identity ? menuResources(realm).filter((resource) => may(realm, identity, resource, 'viewAny')) : [],
    lines: context.lines,
    theme: themeOf(context),
    rail: context.options.cookies ? { on: readCookie(request, railCookie(context)) === '1', cookie: railCookie(context) } : null,
    preferences: context.preferences,
    flash: readFlash(context),
    csrf: csrfOf(context),
    viewedBy: context.visitor?.viewedBy?.name ?? null,
    back: refererPath(request),
  }
}

/** The user's theme; for guests, the one this browser remembers. */
function themeOf(context: RequestContext): Theme {
  const { request, options, preferences } = context
  if (preferences.theme) return preferences.theme
  const value = options.cookies ? readCookie(request, themeCookie(context)) : null
  return themes.find((theme) => theme === value) ?? 'system'
}
