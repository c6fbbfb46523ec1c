import { randomBytes } from 'node:crypto'
import { formToken, isFormToken } from '../auth/csrf.js'
import { DaymarkError } from '../base/errors.js'
import type { Body } from '../crud/call/call.js'
import { isForm } from './body.js'
import { guestCookie, readCookie } from './cookies.js'
import type { Visit } from './visit.js'

/**
 * Checks the form token where any site's plain form could have sent the request and no browser header says which page did. A foreign page
 * cannot send anything else without a CORS preflight, and no preflight permits cookies.
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
    throw new DaymarkError('forbidden', options.realm.t(visit.face.name === 'html' ? 'request.noToken' : 'request.noTokenJson'))
}

/** Checks the token before reading the body, where the body is no form and so cannot hold one. */
export function checkHeader(visit: Visit): void {
  if (asksToken(visit) && !isForm(visit.request)) checkForm(visit, { from: 'none' })
}

/** The token for the forms of a page; null if it needs none. */
export function csrfOf(visit: Visit): string | null {
  const { options, secret, around } = visit
  if (!options.cookies || secret === null || (visit.visitor && !visit.visitor.ambient)) return null
  // A page for guests that may have forms issues the guest cookie that its tokens are bound to.
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

/** What the token is bound to: the session, or the guest cookie before a sign-in. */
function holderOf(visit: Visit): string | null {
  return visit.visitor?.session ?? readCookie(visit.request, guestCookie(visit))
}
