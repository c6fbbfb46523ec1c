import { randomBytes } from 'node:crypto'
import { formToken, isFormToken } from '../auth/csrf.js'
import { DaymarkError } from '../base/errors.js'
import type { Body } from '../crud/call.js'
import { isForm } from './body.js'
import { guestCookie, readCookie } from './cookies.js'
import type { Visit } from './visit.js'

/**
 * What a plain form on any page can send must carry our token, where no header of the browser says from which page it comes. What else a page elsewhere could
 * send, a browser asks us about before, and is refused.
 *
 * @throws DaymarkError `forbidden`
 */
export function checkForm(visit: Visit, body: Body): void {
  const { request, options, secret } = visit
  if (!asksToken(visit)) return
  const inBody = body.from === 'form' ? body.panel.get('_token')?.at(-1) : undefined
  const token = request.headers.get('x-csrf-token') ?? inBody ?? ''
  const holder = holderOf(visit)
  if (holder === null || secret === null || !isFormToken(secret, holder, token))
    throw new DaymarkError('forbidden', options.realm.t('request.noToken'))
}

/** Asks for the token before a body is read, where no body of a form can bring it. */
export function checkHeader(visit: Visit): void {
  if (asksToken(visit) && !isForm(visit.request)) checkForm(visit, { from: 'none' })
}

/** The token for the forms of a page; null where none is needed. */
export function csrfOf(visit: Visit): string | null {
  const { options, secret, around } = visit
  if (!options.cookies || secret === null || (visit.visitor && !visit.visitor.ambient)) return null
  // A page for guests that has forms gives out what they are bound to.
  if (!visit.visitor && around.route?.ability === 'public') visit.guest ??= holderOf(visit) ?? randomBytes(16).toString('base64url')
  const holder = visit.visitor ? holderOf(visit) : visit.guest
  return holder === null ? null : formToken(secret, holder)
}

const plainTypes = new Set(['', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])

function asksToken({ request, visitor, options }: Visit): boolean {
  const { method, headers } = request
  if (method !== 'POST' || !options.cookies || (visitor && !visitor.ambient)) return false
  if (headers.get('sec-fetch-site') !== null || headers.get('origin') !== null) return false
  return plainTypes.has((headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** What the token is bound to: the session, or before a sign-in the cookie that stands in its place. */
function holderOf(visit: Visit): string | null {
  return visit.visitor?.session ?? readCookie(visit.request, guestCookie(visit))
}
