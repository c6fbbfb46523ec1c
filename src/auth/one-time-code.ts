import { firstUse } from './throttle.js'
import type { TwoFactor } from './two-factor.js'

// Loaded on demand, since most processes check no code.
const otpauth = () => import('otpauth')

// What every authenticator app can do; some ignore any other setting (RFC 6238 §5.2, RFC 4226 §5.3).
const facts = { algorithm: 'SHA1', digits: 6, period: 30 }
const secretBytes = 20

/** A new secret for an authenticator app: 160 random bits, in base32 (RFC 4226 §4). */
export async function makeSecret(): Promise<string> {
  const { Secret } = await otpauth()
  return new Secret({ size: secretBytes }).base32
}

/** Whether a text can be a secret: base32 of at least 160 bits. */
export function isSecret(text: string): boolean {
  return /^[A-Z2-7]{32,128}$/.test(text)
}

// In code points. With the longest names, each 12 characters of the URI, the QR code holds them still.
const longest = { issuer: 40, username: 60 }
const shortened = (text: string, most: number) => [...text.toWellFormed()].slice(0, most).join('')

/** What tells an authenticator app the secret: an `otpauth:` URI, and its QR code as dark squares by row. It shortens long names. */
export async function secretCode(secret: string, username: string, { issuer }: Pick<TwoFactor, 'issuer'>) {
  const [{ TOTP, Secret }, { encode }] = await Promise.all([otpauth(), import('uqr')])
  const names = { issuer: shortened(issuer, longest.issuer), label: shortened(username, longest.username) }
  const uri = new TOTP({ ...facts, ...names, secret: Secret.fromBase32(secret) }).toString()
  return { uri, squares: encode(uri, { ecc: 'M', border: 0 }).data as readonly (readonly boolean[])[] }
}

/** The six digits of a code, however they were typed; null: it is none, so nobody has guessed. */
function digitsOf(code: string): string | null {
  const digits = code.replace(/\s+/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}

/** What a code is worth. `used`: it was right, and has been used already. `none`: it is no code at all. */
export type CodeChecked = 'right' | 'used' | 'wrong' | 'none'

/**
 * Checks whether a code is that of the current half minute, of the one before or of the one after, since clocks differ. Each is valid once
 * (RFC 6238 §5.2).
 */
export async function checkCode(code: string, secret: string, userId: string, { uses }: Pick<TwoFactor, 'uses'>): Promise<CodeChecked> {
  const digits = digitsOf(code)
  if (digits === null) return 'none'
  const { TOTP, Secret } = await otpauth()
  const totp = new TOTP({ ...facts, secret: Secret.fromBase32(secret) })
  const now = Date.now()
  const off = totp.validate({ token: digits, timestamp: now, window: 1 })
  if (off === null) return 'wrong'
  return (await firstUse(uses, 'code', userId, secret, String(totp.counter({ timestamp: now }) + off))) ? 'right' : 'used'
}
