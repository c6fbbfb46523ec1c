import { randomBytes, randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { isDocumentOnly } from '../base/document-only.js'
import { a, optionsFault, type Settings as SettingsOf } from '../base/setting.js'
import type { Account } from './account.js'
import type { Identity } from './identity.js'
import type { AuthMiddleware, Grant, Pipeline, RequestHead, Services, SignInContext, Visitor } from './pipeline.js'
import { secondsFault } from './seconds.js'
import { leastBytes, secretBytes, secretsIn } from './secret-text.js'
import { holderOf, isOutdated, noteSeen, untilOf, visitorBy } from './session.js'
import { stampOf } from './stamp.js'
import type { Session } from './stores.js'
import { panelTokenHash } from './token-hash.js'

/** The options of `jwtAuth()`. Times are in seconds. */
export interface JwtOptions {
  /** The secret that signs tokens: base64 of at least 32 bytes. Default: the environment variable `JWT_SECRET`. */
  readonly secret?: string
  /** Earlier secrets, whose tokens stay valid while you replace the secret. Default: `JWT_PREVIOUS_SECRETS`, separated by commas. */
  readonly previousSecrets?: readonly string[]
  /** How long an access token is valid. Default: 3600, one hour. */
  readonly lifetime?: number
  /** How long a user stays signed in by refreshing. Default: 2592000, 30 days. */
  readonly familyLifetime?: number
}

/** Answers callers who send no valid token with a 401 and `WWW-Authenticate: Bearer`. Use it with `jwtAuth()`. */
export function authenticateApi(): AuthMiddleware {
  return Object.freeze({ name: 'authenticateApi', challenge: 'Bearer' })
}

/**
 * Lets users sign in with a username and a password, and get an access token and a refresh token. Each request carries the access token in
 * `Authorization: Bearer …` (RFC 6750 §2.1); no cookie is set or read.
 *
 * Tokens are JWTs signed with HS256. Without a valid secret, the panel does not start.
 *
 * @example
 * ```ts
 * import { authenticateApi, jwtAuth } from 'daymark/jwt'
 *
 * export const tokens = { middleware: [], auth: { middleware: authenticateApi(), pipelines: [jwtAuth()] } }
 * ```
 */
export function jwtAuth(options: JwtOptions = {}): Pipeline {
  const wrong = optionsFault('jwtAuth()', options, ofTokens)
  const {
    secret = process.env.JWT_SECRET ?? '',
    previousSecrets = secretsIn('JWT_PREVIOUS_SECRETS'),
    lifetime = 3600,
    familyLifetime = 30 * 86_400,
  } = wrong ? {} : options
  const secrets = [secret, ...previousSecrets].map(secretBytes)
  const keys = secrets.filter((one) => one !== null)
  const settings: Settings = { keys, lifetime, familyLifetime, good: new Map() }
  return Object.freeze({
    name: 'jwt',
    cookies: false,
    check: () => {
      if (wrong) return wrong
      const seconds = secondsFault([lifetime, familyLifetime])
      if (seconds !== null) return { id: 'jwt-seconds', text: seconds }
      // Generating a document issues no tokens, so it needs no secret.
      return isDocumentOnly() || secrets.every((one) => one !== null) ? null : { id: 'jwt-secret', text: secretText(secret) }
    },
    identify: (request: RequestHead, services: Services) => identify(request, services, settings),
    signIn: (account: Account, services: Services, context: SignInContext) => begin(account, services, context, settings),
    refresh: (token: string, services: Services, usedTwice?: (user: Identity) => void) => refresh(token, services, settings, usedTwice),
  })
}

const ofTokens: SettingsOf<JwtOptions> = {
  secret: a.secret(a.text),
  previousSecrets: a.secret(a.list(a.secret(a.text))),
  lifetime: a.value,
  familyLifetime: a.value,
}

interface Settings {
  /** The first key signs; all of them verify. */
  readonly keys: readonly Uint8Array[]
  readonly lifetime: number
  readonly familyLifetime: number
  /** Claims of tokens whose signature was verified, by panel and token. Whether the session still lasts is checked on every request. */
  readonly good: Map<string, Claims>
}

interface Claims {
  readonly sub: string
  readonly sid: string
  /** In seconds. */
  readonly exp: number
}

function secretText(secret: string): string {
  const what =
    secret.trim() === ''
      ? 'JWT_SECRET is not set'
      : secretBytes(secret) === null
        ? `JWT_SECRET must be base64 of at least ${leastBytes} bytes`
        : `JWT_PREVIOUS_SECRETS must be base64 of at least ${leastBytes} bytes each, separated by commas`
  return `${what}. Make one with: openssl rand -base64 ${leastBytes}`
}

// Loaded with the first token, since loading it takes a tenth of a start.
const jose = () => import('jose')

const algorithm = 'HS256'
const type = 'at+jwt'
// How far the clocks of two machines may differ, in seconds.
const skew = 60
const longest = 4096
const mostGood = 1000

// The last of the 43 digits of a signature has two bits that say nothing: as anything but 0, they would spell the same token once more.
const isSpelledOnce = /[AEIMQUYcgkosw048]$/

async function identify(request: RequestHead, services: Services, settings: Settings): Promise<Visitor | null> {
  const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token === undefined || token.length > longest || !isSpelledOnce.test(token)) return null
  const claims = await verified(token, services, settings)
  if (!claims) return null
  const session = await services.sessions.find(claims.sid)
  if (session?.kind !== 'tokens' || session.userId !== claims.sub) return null
  const account = await holderOf(services, session)
  if (!account) {
    // For good, even if the user is let in again.
    services.sessions.remove(session.id).catch(() => {})
    return null
  }
  noteSeen(services, session)
  return visitorBy(services, session, account, false, Math.min(untilOf(session), claims.exp * 1000))
}

/** The claims of a valid token; null for any other. */
async function verified(token: string, { panel }: Services, { keys, good }: Settings): Promise<Claims | null> {
  const name = `${panel} ${token}`
  const known = good.get(name)
  if (known && known.exp > Date.now() / 1000 - skew) return known
  const { errors, jwtVerify } = await jose()
  for (const key of keys) {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        typ: type,
        issuer: issuerOf(panel),
        audience: issuerOf(panel),
        clockTolerance: skew,
        requiredClaims: ['sub', 'sid', 'iat', 'nbf', 'exp', 'jti'],
      })
      // We write `alg` and `typ` only. Anything else, such as an embedded key (`jwk`), is not from us.
      if (Object.keys(protectedHeader).some((name) => name !== 'alg' && name !== 'typ')) return null
      const claims = claimsOf(payload)
      if (good.size === mostGood) good.clear()
      if (claims) good.set(name, claims)
      return claims
    } catch (thrown) {
      if (!(thrown instanceof errors.JWSSignatureVerificationFailed)) return null
    }
  }
  return null
}

// The last second that a Date holds.
const latest = 8.64e12
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

function claimsOf({ sub, sid, jti, aud, iat, nbf, exp }: JWTPayload): Claims | null {
  const texts = [sub, sid, jti, aud].every((one) => typeof one === 'string' && one !== '')
  const isOurs = uuid.test(String(sid))
  const times = [iat, nbf, exp].every((one) => Number.isSafeInteger(one) && (one as number) >= 0 && (one as number) <= latest)
  if (!texts || !isOurs || !times || (iat as number) > Date.now() / 1000 + skew) return null
  return { sub: sub as string, sid: sid as string, exp: exp as number }
}

async function begin(
  account: Account,
  services: Services,
  { agent, secondFactor, event }: SignInContext,
  settings: Settings,
): Promise<Grant> {
  const now = new Date()
  const sid = randomUUID()
  const begun: Session = {
    id: sid,
    kind: 'tokens',
    userId: account.identity.id,
    stamp: stampOf(account),
    agent,
    remember: true,
    secondFactor,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + settings.familyLifetime * 1000),
  }
  await services.sessions.create(begun, event)
  const refreshToken = makeRefreshToken()
  await services.tokens.add(panelTokenHash(services, refreshToken), sid, now)
  return { is: 'tokens', token: await signed(services, settings, account.identity.id, sid), expiresIn: settings.lifetime, refreshToken }
}

const grace = 10_000

async function refresh(token: string, services: Services, settings: Settings, usedTwice?: (user: Identity) => void): Promise<Grant | null> {
  const next = makeRefreshToken()
  const rotation = await services.tokens.rotate(panelTokenHash(services, token), panelTokenHash(services, next), new Date(), grace)
  if (rotation.is === 'unknown') return null
  const session = await services.sessions.find(rotation.sessionId)
  const holder = session && (await holderOf(services, session))
  const account = rotation.is === 'rotated' ? holder : null
  if (!session || !account) {
    if (holder) usedTwice?.(holder.identity)
    // After a replay, two parties hold the same token and nobody can tell which is the thief, so the session ends for both.
    await services.sessions.remove(rotation.sessionId)
    return null
  }
  if (isOutdated(services, session, account)) return null
  return {
    is: 'tokens',
    token: await signed(services, settings, session.userId, session.id),
    expiresIn: settings.lifetime,
    refreshToken: next,
  }
}

async function signed({ panel }: Services, { keys, lifetime }: Settings, sub: string, sid: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const { SignJWT } = await jose()
  return new SignJWT({ sid })
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setIssuer(issuerOf(panel))
    .setAudience(issuerOf(panel))
    .setSubject(sub)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + lifetime)
    .setJti(randomUUID())
    .sign(keys[0] as Uint8Array)
}

const issuerOf = (panel: string) => `daymark:${panel}`
const makeRefreshToken = () => randomBytes(32).toString('base64url')
