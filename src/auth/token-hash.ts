import { createHash } from 'node:crypto'

/** The stored form of a token that only its holder knows. A plain hash is enough, since a random token cannot be guessed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
