import { randomBytes } from 'node:crypto'
import { tokenHash } from './token-hash.js'

const count = 10
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * New recovery codes, to be written down. Each has 120 random bits, so a plain hash protects it (OWASP ASVS 5.0, 6.5.2): four groups of six
 * letters and digits, none of which looks like another.
 */
export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: count }, () => {
    const text = [...randomBytes(24)].map((byte) => letters[byte % letters.length]).join('')
    return (text.match(/.{6}/g) as string[]).join('-')
  })
}

/** The stored form of a user's recovery code, however it was typed. */
export function recoveryHash(code: string, userId: string): string {
  return tokenHash(`recovery ${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, '')}`)
}
