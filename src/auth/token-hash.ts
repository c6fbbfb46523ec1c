import { createHash } from 'node:crypto'

/** What is kept of a token that only its holder knows. It is random, so that nobody finds it by trying. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
