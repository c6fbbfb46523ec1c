import { createHash } from 'node:crypto'
import type { Account } from './identity.js'

/** Identifies a stored password hash without revealing anything about it. */
export function stampOf({ passwordHash }: Pick<Account, 'passwordHash'>): string {
  return createHash('sha256')
    .update(`stamp ${passwordHash ?? ''}`)
    .digest('base64url')
    .slice(0, 22)
}
