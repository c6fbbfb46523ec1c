import { randomBytes } from 'node:crypto'
import { a, optionsFault, type Settings } from '../base/setting.js'
import type { Account } from './account.js'
import type { Grant, Middleware, RequestHead, Services, SessionSettings, SignInContext, Visitor } from './pipeline.js'
import { sealedWith, unsealedWith } from './sealed.js'
import { secondsFault } from './seconds.js'
import { stampOf } from './stamp.js'
import type { Session } from './stores.js'
import { panelTokenHash } from './token-hash.js'
import { mustUseTwoFactor, usesTwoFactor } from './two-factor.js'
import { viewedIn } from './view-as.js'

/** The options of `session()`. Times are in seconds. */
export interface SessionOptions {
  /** How long a session lasts without a request. Default: 1800, 30 minutes. */
  readonly idle?: number
  /** How long a session lasts in any case. Default: 43200, 12 hours. */
  readonly absolute?: number
  /** The same two times for users who asked to be remembered. */
  readonly remembered?: {
    /** How long a session lasts without a request. Default: 1209600, 14 days. */
    readonly idle: number
    /** How long a session lasts in any case. Default: 2592000, 30 days. */
    readonly absolute: number
  }
  /** Lets users on other machines sign in over plain http, where anybody on the way can read the cookie. Default: `false`. */
  readonly allowInsecure?: boolean
}

const day = 86_400

const ofTimes: Settings<NonNullable<SessionOptions['remembered']>> = { idle: a.number, absolute: a.number }
const ofSessions: Settings<SessionOptions> = {
  ...ofTimes,
  remembered: a.form(ofTimes, 'idle', 'absolute'),
  allowInsecure: a.switch,
}

/**
 * Keeps users signed in with a cookie. Its value is 256 random bits (OWASP ASVS 7.2.3), of which the database stores only a hash. It is
 * `HttpOnly` and `SameSite=Lax`; over https also `Secure`, with the prefix `__Host-`.
 *
 * @example
 * ```ts
 * import { session } from 'daymark'
 *
 * export const middleware = [session({ idle: 15 * 60, absolute: 8 * 3600 })]
 * ```
 */
export function session(options: SessionOptions = {}): Middleware {
  const wrong = optionsFault('session()', options, ofSessions)
  const {
    idle = 1800,
    absolute = 12 * 3600,
    remembered = { idle: 14 * day, absolute: 30 * day },
    allowInsecure = false,
  } = wrong ? {} : options
  const settings: SessionSettings = Object.freeze({ idle, absolute, remembered: Object.freeze({ ...remembered }), allowInsecure })
  return Object.freeze({
    name: 'session',
    cookies: true,
    stays: true,
    session: settings,
    identify: (_: RequestHead, services: Services, cookie: string | null) => (cookie === null ? null : resume(services, settings, cookie)),
    check: () => {
      if (wrong) return wrong
      const text = secondsFault([idle, absolute, remembered.idle, remembered.absolute])
      return text === null ? null : { id: 'session-seconds', text }
    },
  })
}

/** Starts a session. It is always a new one, even if the request came with a session cookie. */
export async function openSession(
  account: Account,
  services: Services,
  { remember, agent, secondFactor, openId = null, passkey = null, event }: SignInContext,
): Promise<Grant> {
  if (!services.session) throw new TypeError('A sign-in needs session() in the middleware')
  const { absolute } = remember ? services.session.remembered : services.session
  const value = randomBytes(32).toString('base64url')
  const now = Date.now()
  const id = sessionId(services, value)
  const begun: Session = {
    id,
    kind: 'browser',
    userId: account.identity.id,
    stamp: stampOf(account),
    agent,
    remember,
    secondFactor,
    openId: sealedWith(value, openId),
    passkey,
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: new Date(now + absolute * 1000),
  }
  await services.sessions.create(begun, event)
  return { is: 'session', value, maxAge: remember ? absolute : null, id }
}

/** A browser's session goes on with another cookie: a copy of the one so far is worth nothing once that session is ended (OWASP ASVS 7.2.4). */
export async function renewSession(
  session: Session,
  account: Account,
  services: Services,
  cookie: string,
): Promise<Extract<Grant, { is: 'session' }>> {
  const value = randomBytes(32).toString('base64url')
  const id = sessionId(services, value)
  const openId = sealedWith(value, unsealedWith(cookie, session.openId ?? null))
  await services.sessions.create({ ...session, id, stamp: stampOf(account), openId })
  const left = Math.ceil((session.expiresAt.getTime() - Date.now()) / 1000)
  return { is: 'session', value, maxAge: session.remember ? left : null, id }
}

/**
 * The id of the session of a cookie or a ticket. A leaked id can be used as neither, and both are valid for one panel only, even if several
 * share a database.
 */
export function sessionId(services: Services, value: string): string {
  return panelTokenHash(services, value)
}

async function resume(services: Services, settings: SessionSettings, value: string): Promise<Visitor | null> {
  if (!/^[\w-]{43}$/.test(value)) return null
  const session = await services.sessions.find(sessionId(services, value))
  if (session?.kind !== 'browser') return null
  const account = isIdle(session, settings) ? null : await holderOf(services, session)
  if (!account) {
    services.sessions.remove(session.id).catch(() => {})
    return null
  }
  // At most a quarter of the idle time, so that a session in constant use never counts as idle.
  const every = Math.min(seenEvery, idleOf(session, settings) * 250)
  noteSeen(services, session, every)
  const until = Math.min(untilOf(session, every), idleAt(session, settings))
  const visitor = visitorBy(services, session, account, true, until)
  if (session.viewsAs == null || !visitor || visitor.limited) return visitor
  const viewed = await viewedIn(services, session, account.identity)
  return viewed ? seenAs(visitor, viewed) : visitor
}

/** Who looks as somebody else sees what they see, and changes nothing. */
function seenAs(visitor: Visitor, { identity, timeZone }: Account): Visitor {
  return { ...visitor, identity, timeZone, readOnly: true, manages: false, viewedBy: visitor.identity }
}

const idleOf = ({ remember }: Session, settings: SessionSettings) => (remember ? settings.remembered : settings).idle
const idleAt = (session: Session, settings: SessionSettings) => session.lastSeenAt.getTime() + idleOf(session, settings) * 1000
const isIdle = (session: Session, settings: SessionSettings) => idleAt(session, settings) <= Date.now()

/**
 * The user of a session that is still valid: it has not expired, and its user is active, and neither was disabled nor has changed the
 * password since the sign-in.
 */
export async function holderOf({ users }: Services, session: Session): Promise<Account | null> {
  if (session.expiresAt.getTime() <= Date.now()) return null
  const account = await users.byId(session.userId)
  return account?.active && stampOf(account) === session.stamp ? account : null
}

/** Whether a session of an active user would still let them in. */
export function isGood(services: Services, session: Session, account: Account): boolean {
  if (session.expiresAt.getTime() <= Date.now() || stampOf(account) !== session.stamp) return false
  if (session.kind === 'browser' && services.session && isIdle(session, services.session)) return false
  return !isOutdated(services, session, account)
}

/** Whether a session is still one: for answers that go on long after the request was let in. */
export async function isLive(services: Services, id: string): Promise<boolean> {
  const session = await services.sessions.find(id)
  if (!session) return false
  const account = await holderOf(services, session)
  return account !== null && !isOutdated(services, session, account)
}

/**
 * Whether a session is worth nothing by now: its user has given no code, but signs in with one, or has given one of a factor that is off; or
 * it began in a way that the panel does not take any more.
 */
export function isOutdated(services: Services, session: Session, account: Account): boolean {
  const { twoFactor } = services
  if (!isTaken(services, session)) return true
  if (twoFactor === null || asksNoCode(session)) return false
  return Boolean(session.secondFactor) !== usesTwoFactor(twoFactor, account)
}

/** Whether the panel still has the way in which a session began, if that was with an OpenID provider or a passkey. */
export function isTaken({ openIds, relyingParty }: Services, { openId, passkey }: Pick<Session, 'openId' | 'passkey'>): boolean {
  if (passkey != null) return relyingParty !== null
  return openId == null || openIds.some(({ id, issuer }) => id === openId.provider && issuer === openId.setting)
}

/**
 * Whether a session began with two factors in one: at an OpenID provider that has asked for a second one itself, or with a passkey, which
 * takes the device and what unlocks it.
 */
export function asksNoCode({ openId, passkey }: Pick<Session, 'openId' | 'passkey'>): boolean {
  return openId?.secondFactor === true || passkey != null
}

/** The visitor that a session identifies; null: its user has to sign in again, since they do it in another way by now. */
export function visitorBy(services: Services, session: Session, account: Account, ambient: boolean, until: number): Visitor | null {
  // The session is kept: it may be the one that is just turning it on or off.
  if (isOutdated(services, session, account)) return null
  const { id, wroteAt = null } = session
  const { identity, timeZone } = account
  return {
    identity,
    session: id,
    ambient,
    timeZone,
    wroteAt,
    until,
    limited: account.twoFactor === null && mustUseTwoFactor(services.twoFactor, identity) && !asksNoCode(session),
  }
}

const seenEvery = 60_000

/**
 * Until when the session's visitor may be reused, in milliseconds since 1970: until `lastSeenAt` has to be updated or the session expires,
 * whichever comes first.
 *
 * @param every milliseconds
 */
export function untilOf({ lastSeenAt, expiresAt }: Session, every = seenEvery): number {
  return Math.min(lastSeenAt.getTime() + every, expiresAt.getTime())
}

/** Updates `lastSeenAt`, at most once per `every`. It neither delays the request nor fails it. */
export function noteSeen({ sessions }: Services, { id, lastSeenAt }: Session, every = seenEvery): void {
  const now = Date.now()
  if (now - lastSeenAt.getTime() >= every) sessions.seen(id, new Date(now)).catch(() => {})
}
