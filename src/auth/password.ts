import { randomBytes } from 'node:crypto'
import type { Account } from './account.js'
import type { Pipeline } from './pipeline.js'
import { openSession } from './session.js'

// Loaded on demand: five megabytes of native code that a panel without passwords never needs.
let loaded: Promise<typeof import('@node-rs/argon2')> | undefined
function argon2() {
  loaded ??= import('@node-rs/argon2')
  return loaded
}

/** Lets users sign in with a username and a password. `session()` keeps them signed in, and must be among the panel's `middleware`. */
export function password(): Pipeline {
  // Only session() handles the cookie.
  return Object.freeze({ name: 'password', cookies: false, needsSession: true, signIn: openSession })
}

/** The shortest and longest password allowed, in characters. */
export const passwordLength = Object.freeze({ min: 12, max: 256 })

/** What is wrong with the length of a new password, for whoever writes or runs a program; null: nothing. */
export function passwordLengthFault(text: string): string | null {
  const { length } = [...text]
  if (length < passwordLength.min) return `A password has at least ${passwordLength.min} characters`
  return length > passwordLength.max ? `A password has at most ${passwordLength.max} characters` : null
}

/** Hashes with Argon2id, using the OWASP parameters for 19 MiB. */
export function hashPassword(text: string): Promise<string> {
  // 2 is Argon2id. The package declares the names as a `const enum`, which does not exist at run time.
  return inTurn(async () => (await argon2()).hash(normal(text), { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }))
}

// NFC normalization is quadratic in the number of combining marks on one letter. Nobody types a password of this length.
const longest = 4096

/**
 * Whether this is the account's password. A missing account takes as long as the last one that there was, so that nobody can tell the two
 * apart if all passwords are hashed with the same parameters.
 */
export async function isPassword(account: Account | null, text: string): Promise<boolean> {
  if (text.length > longest) return false
  dummy ??= hashPassword(randomBytes(18).toString('base64'))
  const known = account?.passwordHash ?? null
  // An application may have hashed its users' passwords so that it takes longer than ours.
  if (known?.startsWith('$argon2')) dummy = Promise.resolve(known)
  const stored = known ?? (await dummy)
  const right = await inTurn(async () => (await argon2()).verify(stored, normal(text)).catch(() => false))
  return right && known !== null
}

let dummy: Promise<string> | undefined

// An é typed as one character or as two (e and a combining accent) is the same password.
const normal = (text: string) => text.normalize('NFC')

// Each hash takes 19 MiB and a core for some 30 ms, so running more at once would only be slower.
const most = 4
let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running === most) await new Promise<void>((enter) => waiting.push(enter))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
