import { randomBytes } from 'node:crypto'
import { formToken, isFormToken } from '../auth/csrf.js'
import { DaymarkError } from '../base/errors.js'
import type { Body } from '../crud/call/input.js'
import { isForm } from './body.js'
import { guestCookie, readCookie } from './cookies.js'
import type { RequestContext } from './request-context.js'

/**
 * Checks the form token where any site's plain form could have sent the request and no browser header says which page did. A foreign page
 * cannot send anything else without a CORS preflight, and no preflight permits cookies.
 *
 * @throws DaymarkError `forbidden`
 */
export function checkForm(context: RequestContext, body: Body): void {
  const { request, options, secret } = context
  if (!asksToken(context)) return
  const inBody = body.from === 'form' ? body.panel.get('_token')?.at(-1) : undefined
  const token = request.headers.get('x-csrf-token') ?? inBody ?? ''
  const holder = holderOf(context)
  if (holder === null || secret === null || !isFormToken(secret, holder, token))
    throw new DaymarkError('forbidden', options.realm.t(context.face.name === 'html' ? 'request.noToken' : 'request.noTokenJson'))
}

/** Checks the token before reading the body, where the body is no form and so cannot hold one. */
export function checkHeader(context: RequestContext): void {
  if (asksToken(context) && !isForm(context.request)) checkForm(context, { from: 'none' })
}

/** The token for the forms of a page; null if it needs none. */
export function csrfOf(context: RequestContext): string | null {
  const { options, secret, around } = context
  if (!options.cookies || secret === null || (context.visitor && !context.visitor.ambient)) return null
  // A page for guests that may have forms issues the guest cookie that its tokens are bound to.
  if (!context.visitor && around.route?.ability === 'public') context.guest ??= holderOf(context) ?? randomBytes(16).toString('base64url')
  const holder = context.visitor ? holderOf(context) : context.guest
  return holder === null ? null : formToken(secret, holder)
}

const plainTypes = new Set(['', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])

function asksToken({ request, visitor, options }: RequestContext): boolean {
  const { method, headers } = request
  if (method !== 'POST' || !options.cookies || (visitor && !visitor.ambient)) return false
  if (headers.get('sec-fetch-site') !== null || headers.get('origin') !== null) return false
  return plainTypes.has((headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** What the token is bound to: the session, or the guest cookie before a sign-in. */
function holderOf(context: RequestContext): string | null {
  return context.visitor?.session ?? readCookie(context.request, guestCookie(context))
}
