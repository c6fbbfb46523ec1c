import { createHash } from 'node:crypto'
import type { Account } from './account.js'
import type { Identity } from './identity.js'
import { leastBytes, secretBytes, secretsIn } from './secret-text.js'
import type { AttemptStore } from './stores.js'

/** The options of two-factor sign-in. */
export interface TwoFactorOptions {
  /**
   * Who must use it: everybody (`true`), or the users with one of these roles. Until they have set it up, they can do nothing else. Default:
   * nobody must, and everybody may.
   */
  readonly required?: boolean | readonly string[]
  /**
   * Encrypts what the panel's database keeps for it: base64 of at least 32 bytes. Default: the environment variable
   * `DAYMARK_TWO_FACTOR_KEY`; without one, nothing is encrypted.
   */
  readonly key?: string
  /** Earlier keys, which still decrypt while you replace the key. Default: `DAYMARK_TWO_FACTOR_PREVIOUS_KEYS`, separated by commas. */
  readonly previousKeys?: readonly string[]
}

/** A user who has turned it on. */
export type WithFactor = Account & { readonly twoFactor: string }

/** The settings of two-factor sign-in in a running panel. */
export interface TwoFactor {
  /** What authenticator apps call the panel. */
  readonly issuer: string
  /** Who must use it. */
  readonly required: boolean | readonly string[]
  /** 32 bytes. It encrypts; null: nothing is encrypted. */
  readonly key: Uint8Array | null
  /** 32 bytes each. All of them decrypt. */
  readonly keys: readonly Uint8Array[]
  /** Remembers which codes have been used. */
  readonly uses: AttemptStore
}

type Settings = TwoFactorOptions | false | undefined

/** The settings in force; null: switched off. */
export function twoFactorOf(options: Settings, issuer: string, uses: AttemptStore): TwoFactor | null {
  if (options === false) return null
  const required = options?.required ?? false
  const { key, previous } = keysOf(options)
  return Object.freeze({
    issuer,
    required: typeof required === 'boolean' ? required : Object.freeze([...required]),
    key: key[0] === undefined ? null : keyBytes(key[0]),
    keys: [...key, ...previous].flatMap((text) => keyBytes(text) ?? []),
    uses,
  })
}

/** What is wrong with the settings. */
export function twoFactorFault(options: Settings): { readonly id: string; readonly text: string } | null {
  if (options === false) return null
  const { key, previous } = keysOf(options)
  const isBad = (text: string) => keyBytes(text) === null
  if (!key.some(isBad) && !previous.some(isBad)) return null
  const name = key.some(isBad) ? 'DAYMARK_TWO_FACTOR_KEY' : previousKeys
  return {
    id: 'two-factor-key',
    text: `${name} must be base64 of at least ${leastBytes} bytes. Make one with: openssl rand -base64 ${leastBytes}`,
  }
}

/** Whether a user may not go on without it. */
export function mustUseTwoFactor(twoFactor: TwoFactor | null, { roles }: Identity): boolean {
  const required = twoFactor?.required ?? false
  return typeof required === 'boolean' ? required : required.some((one) => roles.includes(one))
}

/** Whether the user has turned it on, and the panel asks for it. */
export function usesTwoFactor(twoFactor: TwoFactor | null, account: Account): account is WithFactor {
  return twoFactor !== null && account.twoFactor !== null
}

const previousKeys = 'DAYMARK_TWO_FACTOR_PREVIOUS_KEYS'

/** The texts of the keys: one or none that encrypts, and those before it. */
function keysOf(options: TwoFactorOptions = {}): { readonly key: readonly string[]; readonly previous: readonly string[] } {
  // A blank value, as in a copied .env, counts as not set.
  const key = options.key ?? (process.env.DAYMARK_TWO_FACTOR_KEY?.trim() || undefined)
  return { key: key === undefined ? [] : [key], previous: options.previousKeys ?? secretsIn(previousKeys) }
}

/** The cipher takes exactly 32 bytes. */
function keyBytes(text: string): Uint8Array | null {
  const bytes = secretBytes(text)
  return bytes && createHash('sha256').update(bytes).digest()
}
