import { createHash } from 'node:crypto'
import type { Account } from './identity.js'

/**
 * Identifies a stored password hash without revealing anything about it, and when the user was last disabled or signed out: what was begun
 * with another stamp is void.
 */
export function stampOf({ passwordHash, disabledAt, signedOutAt }: Pick<Account, 'passwordHash' | 'disabledAt' | 'signedOutAt'>): string {
  const ends = [disabledAt, signedOutAt].map((at) => (at ? ` ${at.getTime()}` : '')).join(',')
  return createHash('sha256')
    .update(`stamp ${passwordHash ?? ''}${ends === ',' ? '' : ends}`)
    .digest('base64url')
    .slice(0, 22)
}
