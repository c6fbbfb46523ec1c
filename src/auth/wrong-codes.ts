import type { Account } from './account.js'
import type { CodesCounted, SecondFactor, WrongCodes } from './second-factor.js'
import { stampOf } from './stamp.js'

/**
 * How many wrong codes may come between two sign-ins before no code is taken any more (NIST SP 800-63B-4, 3.2.2: at most 100). Of a million
 * codes three are right at a time, so to guess one in fifty succeeds once in 6,700 times.
 */
export const mostWrongCodes = 50

/** The wrong codes that count for the user's password of today. */
export function wrongCodes({ wrong }: SecondFactor, account: Account): Omit<WrongCodes, 'stamp'> {
  return wrong && wrong.stamp === passwordOf(account) ? wrong : { open: null, told: null }
}

/** The factor after one more wrong code. */
export function withWrongCode(factor: SecondFactor, account: Account, now: Date): SecondFactor {
  const { open, told } = wrongCodes(factor, account)
  const last = now.toISOString()
  return {
    ...factor,
    wrong: { stamp: passwordOf(account), told, open: { count: (open?.count ?? 0) + 1, first: open?.first ?? last, last } },
  }
}

/**
 * The factor after a sign-in that began at `begun`. The user is told of wrong codes that came before it; those since then are their own
 * mistakes.
 */
export function withoutWrongCodes(factor: SecondFactor, account: Account, begun: Date): SecondFactor {
  const { open, told } = wrongCodes(factor, account)
  if (open === null) return factor
  const { wrong: _, ...rest } = factor
  const now = toldAt(open, begun) ?? told
  return now === null ? rest : { ...rest, wrong: { stamp: passwordOf(account), open: null, told: now } }
}

/** What the user is told of when they sign in; null: nothing. */
export function wrongBefore(factor: SecondFactor, account: Account, begun: Date): CodesCounted | null {
  const { open } = wrongCodes(factor, account)
  return open && toldAt(open, begun)
}

function toldAt({ count, first, last }: NonNullable<WrongCodes['open']>, begun: Date): CodesCounted | null {
  return new Date(first) < begun ? { count, last } : null
}

// Of the password alone: whoever knows it still does when its user is let in again.
const passwordOf = ({ passwordHash }: Account) => stampOf({ passwordHash })
