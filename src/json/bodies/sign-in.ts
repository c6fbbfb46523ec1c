import * as z from 'zod'
import type { Identity } from '../../auth/identity.js'
import type { Grant, Services } from '../../auth/pipeline.js'
import type { CodesCounted } from '../../auth/second-factor.js'
import type { DaymarkError } from '../../base/errors.js'
import type { CodeAsked, SignedIn } from '../../crud/outcomes/account.js'
import type { PresenterContext } from '../../face/face.js'
import { url } from '../../route/url.js'
import { problemBody } from '../problem.js'
import { message, time } from './values.js'

/** The JSON of sign-ins. */

export const user = { id: z.string(), username: z.string(), name: z.string(), roles: z.array(z.string()) }

export const wrongCodes = z
  .strictObject({ count: z.int(), last: time })
  .describe('Wrong codes of two-factor sign-in that came with the right password: how many, and when the last one')

export const countedBody = ({ count, last }: CodesCounted) => ({ count, last })

/** What a sign-in with a code tells besides. */
const secondStep = {
  codesLeft: z.int().optional().describe('How many recovery codes are left, where one was used'),
  wrongCodes: wrongCodes.optional(),
}

function secondStepBody({ codesLeft = null, wrongCodes = null }: SignedIn) {
  return { ...(codesLeft !== null && { codesLeft }), ...(wrongCodes && { wrongCodes: countedBody(wrongCodes) }) }
}

export const signedInSchema = z.strictObject({ message, user: z.strictObject(user), ...secondStep })

/** The answer to a sign-in with a cookie. */
export function signedInBody(signed: SignedIn, { realm: { t } }: PresenterContext): z.infer<typeof signedInSchema> {
  return { message: t('signIn.done'), user: userBody(signed.identity), ...secondStepBody(signed) }
}

export const tokensSchema = z.strictObject({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.int().describe('Seconds'),
  refreshToken: z.string(),
})

export const signedInTokensSchema = tokensSchema.extend(secondStep)

/** The answer to a sign-in with tokens. */
export function signedInTokensBody(signed: SignedIn, grant: Extract<Grant, { is: 'tokens' }>): z.infer<typeof signedInTokensSchema> {
  return { ...tokensBody(grant), ...secondStepBody(signed) }
}

/** The answer to a refresh with tokens. */
export function tokensBody({ token, expiresIn, refreshToken }: Extract<Grant, { is: 'tokens' }>): z.infer<typeof tokensSchema> {
  return { token, tokenType: 'Bearer', expiresIn, refreshToken }
}

/** What a 401 of a sign-in has besides, where the password was right. */
export const ticketSchema = z.strictObject({
  ticket: z.string().describe('Send it to `authenticate/code` with the code. It is there if the password was right'),
  expiresIn: z.int().describe('How long the ticket is valid, in seconds'),
})

/** The problem that asks for a code. */
export function codeAskedBody({ ticket, expiresIn }: CodeAsked, error: DaymarkError, at: PresenterContext) {
  return { ...problemBody(error, at), ...({ ticket, expiresIn } satisfies z.infer<typeof ticketSchema>) }
}

export function userBody({ id, username, name, roles }: Identity) {
  return { id, username, name, roles: [...roles] }
}

const openIdWays = { openIds: z.array(z.strictObject({ id: z.string(), label: z.string(), url: z.string() })) }

const passkeyWay = {
  passkey: z.strictObject({
    options: z.string().describe('Where to get the options'),
    action: z.string().describe('Where the answer goes'),
  }),
}

/** The ways to sign in that a panel has. */
export function signInSchema({ openIds, relyingParty }: Services) {
  const action = openIds.length > 0 ? z.string().nullable() : z.string()
  const ways = { ...(openIds.length > 0 && openIdWays), ...(relyingParty && passkeyWay) }
  return z.strictObject({ data: z.strictObject({ action, fields: z.array(z.string()), ...ways }) })
}

/** How to sign in. */
export function signInBody({ realm: { auth }, place }: PresenterContext): z.infer<ReturnType<typeof signInSchema>> {
  const { openIds, relyingParty } = auth.services
  const byPassword = { action: url(place, 'authenticate'), fields: ['username', 'password', 'remember'] }
  const ways = openIds.map(({ id, label }) => ({ id, label, url: url(place, 'openid', { provider: id }) }))
  const passkey = { options: url(place, 'passkey.begin'), action: url(place, 'passkey') }
  return {
    data: {
      ...(auth.signsIn ? byPassword : { action: null, fields: [] }),
      ...(ways.length > 0 && { openIds: ways }),
      ...(relyingParty && { passkey }),
    },
  }
}

export const openIdSchema = z.strictObject({ url: z.string() })

export const resetSchema = z.strictObject({ data: z.strictObject({ username: z.string() }) })
