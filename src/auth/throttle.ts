import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Identity } from './identity.js'
import type { AttemptStore, Counted } from './stores.js'
import { plainUsername } from './username.js'

const window = 15 * 60_000
const perUser = 5
const perAddress = 300

/** An attempt to sign in. It counts as a failure until `succeeded` is called. */
export interface Attempt {
  /** How many seconds to wait before trying again; 0: none. */
  readonly wait: number
  succeeded(): Promise<void>
}

/** Counts an attempt before any password is hashed for it. */
export async function attempt(attempts: AttemptStore, username: string, address: string): Promise<Attempt> {
  const network = networkOf(address)
  const user: Counted = { key: keyOf('user', network, plainUsername(username)), most: perUser }
  const from: Counted = { key: keyOf('address', network), most: perAddress }
  // Where no address is known, one stranger would keep everybody out. One user's password is guessed no faster, those of many are.
  const wait = await attempts.take(network === '' ? [user] : [user, from], window, Date.now())
  return { wait: Math.ceil(wait / 1000), succeeded: () => attempts.clear(user.key, from.key) }
}

/**
 * Counts an attempt at the code of a user's app, and returns how many seconds to wait before trying again. It counts from all addresses
 * together, since whoever makes one knows the password already.
 */
export async function codeAttempt(attempts: AttemptStore, user: Identity): Promise<number> {
  const wait = await attempts.take([{ key: codeKeyOf(user), most: perUser }], window, Date.now())
  return Math.ceil(wait / 1000)
}

/**
 * Counts a mail that somebody asks for, and returns how many seconds to wait before asking again. A user's count from all addresses
 * together: nobody fills a mailbox.
 */
export async function mailAttempt(attempts: AttemptStore, username: string, address: string): Promise<number> {
  const network = networkOf(address)
  const user: Counted = { key: keyOf('mail', plainUsername(username)), most: 3 }
  const from: Counted = { key: keyOf('mail-address', network), most: 30 }
  const wait = await attempts.take(network === '' ? [user] : [user, from], window, Date.now())
  return Math.ceil(wait / 1000)
}

/** Forgets the attempts at the code of a user's app: the user has signed in. */
export async function forgetCodeAttempts(attempts: AttemptStore, user: Identity): Promise<void> {
  const key = codeKeyOf(user)
  await attempts.clear(key, key)
}

/** Whether something that is valid for less than a quarter of an hour, and only once, is used for the first time. */
export async function firstUse(uses: AttemptStore, ...what: readonly string[]): Promise<boolean> {
  return (await uses.take([{ key: keyOf('use', ...what), most: 1 }], window, Date.now())) === 0
}

/** Counts attempts in the memory of this process. */
export function memoryAttempts(most = 100_000): AttemptStore {
  const times = new Map<string, number[]>()
  const recent = (key: string, since: number) => (times.get(key) ?? []).filter((at) => at > since)
  return {
    async take(keys, window, now) {
      const counted = keys.map(({ key, most }) => ({ key, most, at: recent(key, now - window) }))
      const waits = counted.filter(({ at, most }) => at.length >= most).map(({ at }) => (at[0] as number) + window - now)
      if (waits.length > 0) return Math.max(...waits)
      for (const { key, at } of counted) {
        // Delete and set moves the key to the end of the Map, so the least recently used keys come first and are dropped first.
        times.delete(key)
        times.set(key, [...at, now])
      }
      for (const key of times.keys()) {
        if (times.size <= most) break
        times.delete(key)
      }
      return 0
    },
    async clear(forget, back) {
      times.delete(forget)
      times.get(back)?.pop()
    },
  }
}

/**
 * The network that attempts are counted by: an IPv4 address, or the /64 of an IPv6 address, since a household has one of the former and
 * 2^64 of the latter.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

// With the username, since panels that share the attempts may have different users with the same id.
const codeKeyOf = ({ id, username }: Identity) => keyOf('second-factor', id, username)

// Hashed, so that the stored keys reveal no usernames or addresses.
function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
