import { createHash } from 'node:crypto'
import type { Account } from './identity.js'

/** Tells one stored password from another without telling anything of it. */
export function stampOf({ passwordHash }: Pick<Account, 'passwordHash'>): string {
  return createHash('sha256')
    .update(`stamp ${passwordHash ?? ''}`)
    .digest('base64url')
    .slice(0, 22)
}
