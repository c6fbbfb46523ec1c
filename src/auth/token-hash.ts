import { createHash } from 'node:crypto'

/** The stored form of a token that only its holder knows. A plain hash is enough, since a random token cannot be guessed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** That of a token which is valid for one panel only, even if several share a database. */
export function panelTokenHash({ panel }: { readonly panel: string }, token: string): string {
  return tokenHash(`${panel} ${token}`)
}
