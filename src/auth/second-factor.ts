import type { TwoFactor } from './two-factor.js'

/** What the panel keeps of a user's second factor. */
export interface SecondFactor {
  /** The secret that the user's authenticator app holds, too: base32. */
  readonly secret: string
  /** The hashes of the recovery codes that are left. */
  readonly codes: readonly string[]
  /** When it was turned on: RFC 3339. */
  readonly since: string
}

// Loaded with the first use: few processes ever encrypt one.
const jose = () => import('jose')

/** What is stored of a second factor: JSON, or where the panel has a key, that JSON encrypted (RFC 7516, `dir` with A256GCM). */
export async function storedFactor(factor: SecondFactor, { key }: Pick<TwoFactor, 'key'>): Promise<string> {
  const text = JSON.stringify(factor)
  if (!key) return text
  const { CompactEncrypt } = await jose()
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/**
 * The second factor that is stored. One from before the panel had a key is not encrypted.
 *
 * @throws Error if it was encrypted with a key that the panel does not have. Nobody gets in instead: whoever could write nonsense into the
 *   column could otherwise switch it off
 */
export async function readFactor(stored: string, { keys }: Pick<TwoFactor, 'keys'>): Promise<SecondFactor> {
  if (stored.startsWith('{')) return JSON.parse(stored) as SecondFactor
  const { compactDecrypt } = await jose()
  for (const key of keys) {
    try {
      const { plaintext } = await compactDecrypt(stored, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      return JSON.parse(Buffer.from(plaintext).toString()) as SecondFactor
    } catch {
      // Another key's, or damaged.
    }
  }
  throw new Error('A second factor is encrypted with a key that is neither DAYMARK_TWO_FACTOR_KEY nor a previous one')
}
