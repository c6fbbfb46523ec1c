import { isSecret } from './one-time-code.js'
import type { TwoFactor } from './two-factor.js'

/** How often, and when last. */
export interface CodesCounted {
  readonly count: number
  /** RFC 3339. */
  readonly last: string
}

/** The wrong codes that came with a user's right password. They are kept with the second factor. */
export interface WrongCodes {
  /** Identifies the password that they came with. With another one, whoever gave them cannot go on, and nothing of this counts. */
  readonly stamp: string
  /** Those since the last sign-in; null: none. */
  readonly open: (CodesCounted & { readonly first: string }) | null
  /** Those that the user was told about at a sign-in; null: none. */
  readonly told: CodesCounted | null
}

/** What the panel keeps of a user's second factor. */
export interface SecondFactor {
  /** The secret that the user's authenticator app holds, too: base32. */
  readonly secret: string
  /** The hashes of the recovery codes that are left. */
  readonly codes: readonly string[]
  /** When it was turned on: RFC 3339. */
  readonly since: string
  /** Wrong codes that came with the password. Left out: none. */
  readonly wrong?: WrongCodes
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
 * @throws Error if it was encrypted with a key that the panel does not have, or is none. Nobody gets in instead: whoever could write nonsense
 *   into the column could otherwise switch it off. What is stored is not in the message
 */
export async function readFactor(stored: string, { keys }: Pick<TwoFactor, 'keys'>): Promise<SecondFactor> {
  if (stored.startsWith('{')) return factorIn(stored)
  const { compactDecrypt } = await jose()
  for (const key of keys) {
    const plaintext = await compactDecrypt(stored, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    }).then(
      (decrypted) => Buffer.from(decrypted.plaintext).toString(),
      // Another key's, or damaged.
      () => null,
    )
    if (plaintext !== null) return factorIn(plaintext)
  }
  throw new Error('it is damaged, or encrypted with a key that is neither DAYMARK_TWO_FACTOR_KEY nor a previous one')
}

/** The second factor that a text holds. The error of `JSON.parse` would quote it. */
function factorIn(text: string): SecondFactor {
  let found: Partial<SecondFactor> | null = null
  try {
    found = JSON.parse(text) as Partial<SecondFactor> | null
  } catch {
    // It is none.
  }
  const { secret, codes, since, wrong } = found ?? {}
  const isOne = typeof secret === 'string' && isSecret(secret) && Array.isArray(codes) && codes.every((one) => typeof one === 'string')
  if (!isOne || typeof since !== 'string' || Number.isNaN(Date.parse(since))) throw new Error('it is damaged')
  if (wrong !== undefined && !isWrongCodes(wrong)) throw new Error('it is damaged')
  return { secret, codes, since, ...(wrong && { wrong }) }
}

function isWrongCodes(value: unknown): value is WrongCodes {
  const { stamp, open, told } = (value ?? {}) as Partial<WrongCodes>
  const areCounted = (times: CodesCounted | null | undefined) =>
    times === null || (Number.isSafeInteger(times?.count) && !Number.isNaN(Date.parse(String(times?.last))))
  return typeof stamp === 'string' && areCounted(open) && areCounted(told) && (!open || !Number.isNaN(Date.parse(String(open.first))))
}
