import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RequestHead } from '../auth/pipeline.js'
import type { Flash, Reply } from '../face/face.js'
import { panelPath } from '../route/url.js'
import type { Visit } from './visit.js'

/** The cookie that remembers this browser's theme. */
export function themeCookie({ options }: Visit): string {
  return `daymark-${options.id}-theme`
}
/** The cookie for the collapsed menu. The page's script sets it; only the width of the menu depends on it. */
export function railCookie({ options }: Visit): string {
  return `daymark-${options.id}-rail`
}
const flashCookie = ({ options }: Visit) => `daymark-${options.id}-flash`
const year = 31_536_000

/** The cookies a reply sets: the session, a theme or flash from the presenter, and the removal of a flash this page has shown. */
export function cookiesOf({ theme, flash, status, session }: Reply, visit: Visit): readonly string[] {
  const { options, face, secret, around } = visit
  if (!options.cookies) return []
  const cookies: string[] = []
  if (session) cookies.push(ownCookie(visit, sessionCookie(visit), session.value, session.maxAge))
  else if (session === null) cookies.push(ownCookie(visit, sessionCookie(visit), '', 0))
  if (theme) cookies.push(cookie(visit, themeCookie(visit), theme, year))
  // In JSON, only a script that goes on to a page gets one.
  if (flash && secret !== null) cookies.push(cookie(visit, flashCookie(visit), signed(flash, secret), 60))
  if (face.name !== 'html') return cookies
  if (visit.guest !== null && status !== 303 && readCookie(visit.request, guestCookie(visit)) !== visit.guest)
    cookies.push(ownCookie(visit, guestCookie(visit), visit.guest, null))
  if (!flash && around.shell?.flash && status < 300) cookies.push(cookie(visit, flashCookie(visit), '', 0))
  return cookies
}

/** The session cookie. Over https it has the `__Host-` prefix, so that no other host (or plain http) can set it. */
export function sessionCookie(visit: Visit): string {
  return ownName(visit, '')
}

/** The cookie that a guest's form tokens are bound to. */
export function guestCookie(visit: Visit): string {
  return ownName(visit, '-form')
}

/** The flash message to show on this page, if its signature is ours. */
export function readFlash(visit: Visit): Flash | null {
  const { request, options, secret } = visit
  if (!options.cookies || secret === null) return null
  const [text, signature] = (readCookie(request, flashCookie(visit)) ?? '').split('.') as [string, string | undefined]
  if (!signature || !equal(signature, sign(text, secret))) return null
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
}

export function readCookie({ headers }: RequestHead, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

function ownName({ sender, options }: Visit, ending: string): string {
  return `${sender.secure ? '__Host-' : ''}daymark-${options.id}${ending}`
}

function ownCookie({ sender }: Visit, name: string, value: string, age: number | null): string {
  return `${name}=${value}; Path=/${age === null ? '' : `; Max-Age=${age}`}; HttpOnly; SameSite=Lax${sender.secure ? '; Secure' : ''}`
}

function cookie({ sender, options: { place } }: Visit, name: string, value: string, age: number): string {
  return `${name}=${value}; Path=${panelPath(place) || '/'}; Max-Age=${age}; HttpOnly; SameSite=Lax${sender.secure ? '; Secure' : ''}`
}

function signed(flash: Flash, secret: string): string {
  const text = Buffer.from(JSON.stringify(flash)).toString('base64url')
  return `${text}.${sign(text, secret)}`
}

function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(`flash ${text}`).digest('base64url')
}

function equal(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
