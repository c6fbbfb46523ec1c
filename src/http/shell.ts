import { may } from '../crud/call/allow.js'
import { type Theme, themes } from '../crud/call/theme.js'
import { inMenus } from '../crud/pages/in-menus.js'
import type { Shell } from '../face/face.js'
import { backOf } from './back.js'
import { railCookie, readCookie, readFlash, themeCookie } from './cookies.js'
import { csrfOf } from './csrf.js'
import type { Visit } from './visit.js'

/** What a full page needs besides its record. */
export function shellOf(visit: Visit): Shell {
  const { request, around } = visit
  const { identity, realm } = around
  return {
    menu: identity ? inMenus(realm).filter((resource) => may(realm, identity, resource, 'viewAny')) : [],
    lines: visit.lines,
    theme: themeOf(visit),
    rail: visit.options.cookies ? { on: readCookie(request, railCookie(visit)) === '1', cookie: railCookie(visit) } : null,
    chosen: visit.chosen,
    flash: readFlash(visit),
    csrf: csrfOf(visit),
    viewedBy: visit.visitor?.viewedBy?.name ?? null,
    back: backOf(request),
  }
}

/** The user's theme; for guests, the one this browser remembers. */
function themeOf(visit: Visit): Theme {
  const { request, options, chosen } = visit
  if (chosen.theme) return chosen.theme
  const value = options.cookies ? readCookie(request, themeCookie(visit)) : null
  return themes.find((theme) => theme === value) ?? 'system'
}
