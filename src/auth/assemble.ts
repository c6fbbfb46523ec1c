import type { OpenIdProvider } from './open-id-provider.js'
import type { Auth, Authenticator, AuthSettings, Middleware, Services, SessionSettings } from './pipeline.js'
import { twoFactorFault } from './two-factor.js'

/** The panel's settings `middleware` and `auth`. */
export interface AuthSpec {
  readonly middleware: readonly Middleware[]
  readonly auth: AuthSettings
}

interface Fault {
  readonly id: string
  readonly text: string
}

/** The settings of the middleware that keeps sessions; null if there is none. */
export function sessionOf({ middleware }: AuthSpec): SessionSettings | null {
  return middleware.find((one) => one.session)?.session ?? null
}

/** The OpenID providers, in order. Without sessions, nobody can sign in with one. */
export function openIdsOf(spec: AuthSpec): readonly OpenIdProvider[] {
  return sessionOf(spec) ? spec.auth.pipelines.flatMap(({ openId }) => openId ?? []) : []
}

/** Whether users can sign in with passkeys. */
export function takesPasskeys({ auth }: AuthSpec): boolean {
  return auth.pipelines.some(({ passkeys }) => passkeys === true)
}

/** Assembles the auth of a running panel from its settings. */
export function makeAuth(spec: AuthSpec, services: Services): Auth {
  const { middleware, pipelines } = spec.auth
  const usable = pipelines.filter((one) => !one.needsSession || services.session !== null)
  const signsIn = usable.find((one) => one.signIn) ?? null
  const apiKeys = pipelines.find((one) => one.apiKeys)?.apiKeys ?? null
  return Object.freeze({
    services,
    challenge: middleware.challenge,
    challenges: apiKeys && middleware.challenge !== 'Bearer' ? `${middleware.challenge}, Bearer` : middleware.challenge,
    authenticators: authenticators(spec),
    signsIn,
    hasSignIn: signsIn !== null || services.openIds.length > 0,
    refreshes: usable.find((one) => one.refresh) ?? null,
    apiKeys,
  })
}

/** What is wrong with the settings, and what is legal but probably a mistake. */
export function checkAuth(spec: AuthSpec): { readonly problems: readonly Fault[]; readonly warnings: readonly Fault[] } {
  const all: readonly Authenticator[] = [...spec.middleware, ...spec.auth.pipelines]
  const problems = [
    ...all.map((one) => one.check?.() ?? null),
    twiceFault(spec),
    twoFactorFault(spec.auth.twoFactor),
    openIdsFault(spec),
    passkeysFault(spec),
    viewAsFault(spec),
  ].filter((one) => one !== null)
  const identifies = authenticators(spec).length > 0
  return {
    problems,
    warnings: identifies
      ? []
      : [
          {
            id: 'auth-nobody',
            text: 'nothing here can identify a user, so every request is refused: add session() to the middleware, or a pipeline that identifies users',
          },
        ],
  }
}

/** Only the first pipeline that signs users in would do so, and what the other one gives nobody would get. */
function twiceFault({ auth }: AuthSpec): Fault | null {
  if (auth.pipelines.filter(({ signIn }) => signIn).length < 2) return null
  const text =
    'two of the pipelines sign users in, as password() and jwtAuth() do, and only the first would: programs can have apiKeys() beside password(), or a panel of their own with jwtAuth()'
  return { id: 'sign-in-twice', text }
}

/** What is wrong with the providers together. */
function openIdsFault(spec: AuthSpec): Fault | null {
  const all = spec.auth.pipelines.flatMap(({ openId }) => openId ?? [])
  const fault = (text: string) => ({ id: 'openid', text })
  if (all.length === 0) return null
  if (!sessionOf(spec)) return fault('openId() needs session() in the middleware: it signs in browsers')
  if (spec.auth.middleware.challenge !== 'Session')
    return fault('openId() needs authenticate() as `auth.middleware`: its buttons are on that page')
  const twice = all.find(({ id }, i) => all.findIndex((one) => one.id === id) < i)
  if (twice) return fault(`two providers have the id ${JSON.stringify(twice.id)}: openId({ id: … }) tells them apart`)
  const clientOf = ({ issuer, clientId }: OpenIdProvider) => JSON.stringify([String(issuer).replace(/\/$/, ''), clientId])
  const same = all.find((one, i) => all.findIndex((other) => clientOf(other) === clientOf(one)) < i)
  if (same) return fault(`openId({ id: '${same.id}' }) is another one's issuer and clientId: one is enough`)
  const [, also] = all.filter(({ takesEnvironment }) => takesEnvironment)
  return also
    ? fault(`openId({ id: '${also.id}' }) would send DAYMARK_OPENID_SECRET, as another one does: set its clientSecret (null: it has none)`)
    : null
}

/** What is wrong with passkeys, but for the address of the panel. */
function passkeysFault(spec: AuthSpec): Fault | null {
  const { pipelines, middleware } = spec.auth
  if (!takesPasskeys(spec)) return null
  const fault = (text: string) => ({ id: 'passkeys', text })
  if (!sessionOf(spec)) return fault('passkeys() needs session() in the middleware: it signs in browsers')
  if (middleware.challenge !== 'Session') return fault('passkeys() needs authenticate() as `auth.middleware`: its button is on that page')
  return pipelines.find(({ signIn }) => signIn)?.needsSession
    ? null
    : fault('passkeys() needs password() beside it: users add their passkeys once they have signed in')
}

function viewAsFault(spec: AuthSpec): Fault | null {
  if (spec.auth.viewAs === undefined || sessionOf(spec)) return null
  return { id: 'view-as', text: '`viewAs` needs session() in the middleware: the session of a browser holds as whom its user looks' }
}

function authenticators({ middleware, auth }: AuthSpec): readonly Authenticator[] {
  return [...middleware, ...auth.pipelines].filter((one) => one.identify)
}
