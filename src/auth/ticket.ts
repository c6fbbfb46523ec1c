import { randomBytes } from 'node:crypto'
import type { Account } from './account.js'
import type { Services, SignInContext } from './pipeline.js'
import { sealedWith, unsealedWith } from './sealed.js'
import { holderOf, isTaken, sessionId } from './session.js'
import { stampOf } from './stamp.js'
import type { Session } from './stores.js'
import { usesTwoFactor, type WithFactor } from './two-factor.js'

/** How long a ticket is valid, in seconds. */
const lifetime = 600

/** What a user has to show for the second step of a sign-in. */
export interface Ticket {
  /** 256 random bits. */
  readonly ticket: string
  /** In seconds. */
  readonly expiresIn: number
}

/** Begins a sign-in of a user whose password was right, or whom an OpenID provider knows, and who still has to give a code. */
export async function makeTicket(
  account: Account,
  services: Services,
  { remember, agent, openId = null }: Omit<SignInContext, 'secondFactor'>,
): Promise<Ticket> {
  const ticket = randomBytes(32).toString('base64url')
  const now = Date.now()
  await services.sessions.create({
    id: sessionId(services, ticket),
    kind: 'pending',
    userId: account.identity.id,
    stamp: stampOf(account),
    agent,
    remember,
    openId: sealedWith(ticket, openId),
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: new Date(now + lifetime * 1000),
  })
  return { ticket, expiresIn: lifetime }
}

/**
 * The sign-in that a ticket is for; null once it is over, used, or void since the password has changed, the user was disabled or no code is
 * needed any more.
 */
export async function ticketed(
  services: Services,
  ticket: string,
): Promise<{ readonly session: Session; readonly account: WithFactor } | null> {
  const session = await services.sessions.find(sessionId(services, ticket))
  const account = session?.kind === 'pending' && isTaken(services, session) ? await holderOf(services, session) : null
  if (!session || !account || !usesTwoFactor(services.twoFactor, account)) return null
  return { session: { ...session, openId: unsealedWith(ticket, session.openId ?? null) }, account }
}
