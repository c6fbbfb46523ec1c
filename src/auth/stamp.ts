import { createHash } from 'node:crypto'
import type { Account } from './account.js'

/**
 * Identifies a stored password hash without revealing anything about it, and when the user was last disabled or signed out: what was begun
 * with another stamp is void. Where there is no hash, the username tells one user from the next who gets the same id, in a table of the
 * application's own.
 */
export function stampOf({
  passwordHash,
  identity,
  disabledAt,
  signedOutAt,
}: Pick<Account, 'passwordHash' | 'disabledAt' | 'signedOutAt'> & Partial<Pick<Account, 'identity'>>): string {
  const who = passwordHash ?? (identity ? JSON.stringify([identity.username]) : '')
  const ends = [disabledAt, signedOutAt].map((at) => (at ? ` ${at.getTime()}` : '')).join(',')
  return createHash('sha256')
    .update(`stamp ${who}${ends === ',' ? '' : ends}`)
    .digest('base64url')
    .slice(0, 22)
}
