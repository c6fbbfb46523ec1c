import * as z from 'zod'
import { densities } from '../../crud/call/preferences.js'
import { themes } from '../../crud/call/theme.js'
import type { Preferred, Profile, TwoFactorShown } from '../../crud/outcomes/account.js'
import type { PresenterContext } from '../../face/face.js'
import { countedBody, user, userBody, wrongCodes } from './sign-in.js'
import { message, time } from './values.js'

/** The JSON of what is a user's own: profile, second factor, preferences. */

export const preferredSchema = z.strictObject({
  data: z.strictObject({
    theme: z.enum(themes),
    density: z.enum(densities),
    language: z.string().optional().describe('In a panel of several languages: the one that was chosen. Left out: none.'),
    columns: z.record(z.string(), z.array(z.string())).describe('The columns of lists in their order, by the resource'),
    views: z.record(z.string(), z.record(z.string(), z.string())),
    sharedViews: z
      .record(z.string(), z.record(z.string(), z.string()))
      .optional()
      .describe('In a panel with `shareViews`: the views that are for everybody.'),
  }),
})

export function preferredBody({ chosen: { theme, density, language, columns, views, sharing } }: Preferred) {
  const named = (those: boolean) =>
    Object.fromEntries(
      [...views].flatMap(([uri, all]) => {
        const some = all.flatMap(({ name, shared, query }) => (shared === those ? [[name, query] as const] : []))
        return some.length > 0 ? [[uri, Object.fromEntries(some)] as const] : []
      }),
    )
  return {
    data: {
      theme: theme ?? 'system',
      density,
      ...(language !== null && { language }),
      columns: Object.fromEntries([...columns].map(([uri, { shown }]) => [uri, shown])),
      views: named(false),
      ...(sharing !== 'none' && { sharedViews: named(true) }),
    },
  }
}

export const twoFactorSchema = z.strictObject({
  data: z.strictObject({
    on: z.boolean(),
    required: z.boolean().describe('Whether it cannot be turned off'),
    since: time.nullable(),
    codesLeft: z.int().describe('How many recovery codes are left'),
    wrongCodes: wrongCodes.nullable(),
    setUp: z
      .strictObject({ secret: z.string().describe('In base32'), uri: z.string().describe('What a QR code says') })
      .nullable()
      .describe('A secret to turn it on with, where it is off'),
  }),
  codes: z.array(z.string()).optional().describe('New recovery codes, which are sent just this once'),
  message: message.optional(),
})

const did = { on: 'twoFactor.turnedOn', off: 'twoFactor.turnedOff', codes: 'twoFactor.codesMade' } as const

/** The two-factor sign-in of the caller. */
export function twoFactorBody(shown: TwoFactorShown, { realm: { t } }: PresenterContext): z.infer<typeof twoFactorSchema> {
  const { on, required, setUp, codes } = shown
  return {
    data: {
      on: on !== null,
      required,
      since: on?.since.toISOString() ?? null,
      codesLeft: on?.codesLeft ?? 0,
      wrongCodes: on?.wrongCodes ? countedBody(on.wrongCodes) : null,
      setUp: setUp && { secret: setUp.secret, uri: setUp.uri },
    },
    ...(codes.length > 0 && { codes: [...codes] }),
    ...(shown.did && { message: t(did[shown.did]) }),
  }
}

const ownSession = z.strictObject({
  id: z.string(),
  kind: z.enum(['browser', 'tokens']),
  agent: z.string(),
  current: z.boolean(),
  createdAt: time,
  lastSeenAt: time,
  expiresAt: time,
})

const ownSignIn = z.strictObject({
  at: time,
  event: z.enum(['signedIn', 'signInFailed']),
  way: z.string(),
  reason: z.string().nullable(),
  address: z.string(),
  agent: z.string(),
  count: z.int(),
})

const profileOf = <T extends z.ZodType>(session: T) =>
  z.strictObject({
    data: z.strictObject({
      ...user,
      timeZone: z.string().nullable(),
      twoFactor: z.boolean().nullable().describe('Whether two-factor sign-in is on; null: the user cannot have it'),
      sessions: z.array(session),
      signIns: z.array(ownSignIn).optional().describe('The last sign-ins, and those that failed: where the panel keeps them'),
    }),
    message: message.optional(),
  })

export const profileSchema = profileOf(ownSession)

/** Where users can sign in with OpenID providers, too. */
export const profileWaysSchema = profileOf(
  ownSession.extend({ openId: z.string().nullable().describe('The id of the OpenID provider that the user has signed in with') }),
)

/** The caller's profile and sessions. */
export function profileBody(
  { identity, timeZone, twoFactor, sessions, signIns, current, changed }: Profile,
  { realm: { t, auth } }: PresenterContext,
): z.infer<typeof profileSchema> | z.infer<typeof profileWaysSchema> {
  const hasWays = auth.services.openIds.length > 0
  const own = sessions.map(({ id, kind, agent, openId, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    kind: kind === 'tokens' ? kind : ('browser' as const),
    agent,
    current: id === current,
    ...(hasWays && { openId: openId?.provider ?? null }),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
  const known = signIns?.map(({ at, event, way, reason, address, agent, count }) => ({
    at: at.toISOString(),
    event: event === 'signedIn' ? event : ('signInFailed' as const),
    way,
    reason,
    address,
    agent,
    count,
  }))
  const data = { ...userBody(identity), timeZone, twoFactor, sessions: own, ...(known && { signIns: known }) }
  return { data, ...(changed && { message: t('profile.saved') }) }
}
