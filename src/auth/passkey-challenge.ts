import { randomBytes } from 'node:crypto'

/** Random bytes that a passkey has to sign. The browser keeps them in a cookie until it answers. */
export interface PasskeyChallenge {
  /** 256 random bits, in base64url. */
  readonly challenge: string
  /** What a passkey is to be that is added by it; null: somebody signs in. */
  readonly adds: {
    /** The id of the session that adds it. */
    readonly session: string
    /** What the authenticator calls the user by. */
    readonly handle: string
  } | null
  /** When it was made, in milliseconds since 1970. */
  readonly at: number
}

/** How long a challenge is valid, in seconds. */
export const challengeLifetime = 300

// For as many tabs. The cookie that keeps them has to stay small.
const most = 6

/** A new challenge, before those that the browser has already. */
export function withChallenge(
  others: readonly PasskeyChallenge[],
  adds: PasskeyChallenge['adds'],
): readonly [PasskeyChallenge, ...PasskeyChallenge[]] {
  const made = { challenge: randomBytes(32).toString('base64url'), adds, at: Date.now() }
  return [made, ...others.slice(0, most - 1)]
}

export function isFreshChallenge({ at }: PasskeyChallenge): boolean {
  return at > Date.now() - challengeLifetime * 1000
}
