import { randomBytes } from 'node:crypto'
import type { Account } from './identity.js'
import type { Pipeline } from './pipeline.js'
import { openSession } from './session.js'

// Native code of five megabytes, which a panel without passwords never needs.
let loaded: Promise<typeof import('@node-rs/argon2')> | undefined
function argon2() {
  loaded ??= import('@node-rs/argon2')
  return loaded
}

/** Lets users sign in with a username and a password. `session()` keeps them signed in, and must be among the panel's `middleware`. */
export function password(): Pipeline {
  // The cookie is that of session().
  return Object.freeze({ name: 'password', cookies: false, needsSession: true, signIn: openSession })
}

/** What a password must have at least, and may have at most, in characters. */
export const passwordLength = Object.freeze({ min: 12, max: 256 })

/** Argon2id, by the first choice of OWASP for 19 MiB. */
export function hashPassword(text: string): Promise<string> {
  // Algorithm 2 is argon2id; the package declares its names as a `const enum`, which is nothing at run time.
  return inTurn(async () => (await argon2()).hash(normal(text), { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }))
}

// What composes letters takes the square of the accents that one letter has: a text of these is none that anybody types.
const longest = 4096

/** Whether this is the account's password. Takes as long for no account as for a wrong password. */
export async function isPassword(account: Account | null, text: string): Promise<boolean> {
  if (text.length > longest) return false
  dummy ??= hashPassword(randomBytes(18).toString('base64'))
  const stored = account?.passwordHash ?? (await dummy)
  const right = await inTurn(async () => (await argon2()).verify(stored, normal(text)).catch(() => false))
  return right && account?.passwordHash != null
}

let dummy: Promise<string> | undefined

// Who types é as one character and who types it as two means the same password.
const normal = (text: string) => text.normalize('NFC')

// Each takes 19 MiB and a core for some 30 ms: more at once would only be slower.
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
