import { createHmac, timingSafeEqual } from 'node:crypto'
import { challengeLifetime, isFreshChallenge, type PasskeyChallenge } from '../auth/passkey-challenge.js'
import type { RequestHead } from '../auth/pipeline.js'
import type { PendingOpenId } from '../crud/call/from.js'
import type { Flash, Reply } from '../face/face.js'
import { ownPath, panelPath } from '../route/url.js'
import type { RequestContext } from './request-context.js'

/** The cookie that remembers this browser's theme. */
export function themeCookie({ options }: RequestContext): string {
  return `daymark-${options.id}-theme`
}
/** The cookie for the collapsed menu. The page's script sets it; only the width of the menu depends on it. */
export function railCookie({ options }: RequestContext): string {
  return `daymark-${options.id}-rail`
}
/** The cookie that remembers this browser's language, in a panel that has several. */
export function languageCookie({ id }: { readonly id: string }): string {
  return `daymark-${id}-language`
}
const flashCookie = ({ options }: RequestContext) => `daymark-${options.id}-flash`
const year = 31_536_000

/** The cookies a reply sets: the session, a theme, language or flash from the presenter, and the removal of a flash this page has shown. */
export function cookiesOf(
  { theme, language, flash, status, session, begun, challenges }: Reply,
  context: RequestContext,
): readonly string[] {
  const { options, face, secret, around } = context
  if (!options.cookies) return []
  const cookies: string[] = []
  if (session) cookies.push(ownCookie(context, sessionCookie(context), session.value, session.maxAge))
  else if (session === null) cookies.push(ownCookie(context, sessionCookie(context), '', 0))
  // HEAD finds none, so it leaves those alone that there are.
  if (begun && secret !== null && context.request.method !== 'HEAD')
    cookies.push(
      ownCookie(
        context,
        begunCookie(context),
        begun.length === 0 ? '' : signed('openid', small(begun, options), secret),
        begun.length === 0 ? 0 : begunFor,
      ),
    )
  if (challenges && secret !== null) {
    const value = challenges.length === 0 ? '' : signed('passkey', challenges, secret)
    cookies.push(ownCookie(context, challengeCookie(context), value, challenges.length === 0 ? 0 : challengeLifetime))
  }
  if (theme) cookies.push(cookie(context, themeCookie(context), theme, year))
  if (language !== undefined) cookies.push(cookie(context, languageCookie(options), language ?? '', language === null ? 0 : year))
  // In JSON, only a script that goes on to a page gets one.
  if (flash && secret !== null) cookies.push(cookie(context, flashCookie(context), signed('flash', flash, secret), 60))
  if (face.name !== 'html') return cookies
  if (context.guest !== null && status !== 303 && readCookie(context.request, guestCookie(context)) !== context.guest)
    cookies.push(ownCookie(context, guestCookie(context), context.guest, null))
  if (!flash && around.shell?.flash && status < 300) cookies.push(cookie(context, flashCookie(context), '', 0))
  return cookies
}

/** The session cookie. Over https it has the `__Host-` prefix, so that no other host (or plain http) can set it. */
export function sessionCookie(context: RequestContext): string {
  return ownName(context, '')
}

/** The cookie that a guest's form tokens are bound to. */
export function guestCookie(context: RequestContext): string {
  return ownName(context, '-form')
}

/** The flash message to show on this page, if its signature is ours. */
export function readFlash(context: RequestContext): Flash | null {
  return readSigned<Flash>('flash', flashCookie(context), context)
}

// In seconds: as long as somebody may take to sign in elsewhere.
const begunFor = 1800

const begunCookie = (context: RequestContext) => ownName(context, '-openid')

// Browsers keep cookies of 4 kB.
const longestWays = 1000

/** With ways back of the panel's own alone, and not too long ones. */
function small(begun: readonly PendingOpenId[], { place }: RequestContext['options']): readonly PendingOpenId[] {
  let left = longestWays
  return begun.map((one) => {
    const to = ownPath(place, one.to) ?? ''
    const fits = to.length <= left
    if (fits) left -= to.length
    return { ...one, to: fits ? to : '' }
  })
}

/** The sign-ins that this browser has begun at OpenID providers. A copy of the cookie ends with it. */
export function readPendingOpenIds(context: RequestContext): readonly PendingOpenId[] {
  const begun = readSigned<readonly PendingOpenId[]>('openid', begunCookie(context), context) ?? []
  return begun.filter(({ at }) => at > Date.now() - begunFor * 1000)
}

const challengeCookie = (context: RequestContext) => ownName(context, '-passkey')

/** The challenges for passkeys that this browser was given. A copy of the cookie ends with them, and each is used once. */
export function readChallenges(context: RequestContext): readonly PasskeyChallenge[] {
  return (readSigned<readonly PasskeyChallenge[]>('passkey', challengeCookie(context), context) ?? []).filter(isFreshChallenge)
}

function readSigned<T>(what: Signed, name: string, { request, options, secret }: RequestContext): T | null {
  if (!options.cookies || secret === null) return null
  const [text, signature] = (readCookie(request, name) ?? '').split('.') as [string, string | undefined]
  if (!signature || !equal(signature, sign(what, text, secret))) return null
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
}

export function readCookie({ headers }: RequestHead, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

function ownName({ sender, options }: RequestContext, ending: string): string {
  return `${sender.secure ? '__Host-' : ''}daymark-${options.id}${ending}`
}

function ownCookie({ sender }: RequestContext, name: string, value: string, age: number | null): string {
  return `${name}=${value}; Path=/${age === null ? '' : `; Max-Age=${age}`}; HttpOnly; SameSite=Lax${sender.secure ? '; Secure' : ''}`
}

function cookie({ sender, options: { place } }: RequestContext, name: string, value: string, age: number): string {
  return `${name}=${value}; Path=${panelPath(place) || '/'}; Max-Age=${age}; HttpOnly; SameSite=Lax${sender.secure ? '; Secure' : ''}`
}

/** What a signature is for: one of the one kind is none of the other. */
type Signed = 'flash' | 'openid' | 'passkey'

function signed(what: Signed, value: unknown, secret: string): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${text}.${sign(what, text, secret)}`
}

function sign(what: Signed, text: string, secret: string): string {
  return createHmac('sha256', secret).update(`${what} ${text}`).digest('base64url')
}

function equal(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
