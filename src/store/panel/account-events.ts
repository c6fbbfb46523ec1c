import type { AccountEvent, AccountEventName, KeptAccountEvent, Person } from '../../auth/account-event.js'
import { networkOf } from '../../auth/throttle.js'
import { agentText } from '../../base/agent.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Order, Reads, Store, Writes } from '../store.js'
import { eq, panelTable } from './table.js'
import { accountEvents } from './tables.js'

/** What has happened to accounts, in the panel's own tables. */
export interface AccountEventStore {
  /** Keeps an event, in the transaction of what it tells. */
  add(tx: Writes, event: AccountEvent | undefined): Promise<void>
  /** The same of a session that begins or ends. Its user may do that without end: beyond so many within an hour, they are counted. */
  came(tx: Reads & Writes, event: AccountEvent | undefined): Promise<void>
  /** Keeps a failed sign-in. Nobody waits for it, so that its time tells nothing. */
  failed(event: AccountEvent): void
  /** The last sign-ins of a user and those that failed, newest first. */
  signIns(user: Person, most: number): Promise<readonly KeptAccountEvent[]>
  /** Writes the failed sign-ins that are not written yet. */
  close(): Promise<void>
}

/** What stores that do something to an account keep it with. */
export type KeepsEvents = Pick<AccountEventStore, 'add' | 'came'>

/** For a panel that keeps none. */
export const keepsNone: KeepsEvents = Object.freeze({ add: async () => {}, came: async () => {} })

const table = panelTable(accountEvents)

// Failures alike within a quarter of an hour are one entry, as they are to the throttle.
const window = 15 * 60_000
/**
 * The most entries for sign-ins that fail in one way and for one reason that a process begins within that time. Beyond it, addresses are not
 * told apart.
 */
export const mostEntries = 200
// In milliseconds: however many fail, they are written at most this often.
const pause = 500

// Whoever may sign in could fill the table by coming and going: the most entries for that of a user within an hour. Further ones are counted,
// without address.
export const mostComings = 20
const hour = 60 * 60_000
const comings: readonly AccountEventName[] = ['signedIn', 'signedOut', 'sessionsEnded']
const newest: Order = { column: 'id', direction: 'DESC' }

const longest = { address: 64, agent: 100, detail: 500 }

/** An entry for failures alike, of which there may be more soon. */
interface Counting {
  readonly event: AccountEvent
  /** The key of its row; null: there is none yet. */
  readonly id: unknown
  readonly at: Date
  readonly lastAt: Date
  readonly count: number
  /** How many of them are written. */
  readonly written: number
}

/**
 * @param renamed whether an id always is the same user, whatever they are called
 * @param report receives why failed sign-ins could not be written; they are tried again
 */
export function accountEventStore(
  open: () => Promise<Store>,
  panel: string,
  renamed: boolean,
  report: (thrown: unknown) => void,
): AccountEventStore {
  const rowOf = ({ event, way, user, by, client, reason, detail }: AccountEvent, at: Date, count = 1, lastAt = at) => ({
    panel,
    at,
    event,
    way,
    reason: reason ?? null,
    userId: user?.id ?? null,
    username: user?.username ?? null,
    byId: by && by.id !== user?.id ? by.id : null,
    byUsername: by && by.id !== user?.id ? by.username : null,
    address: cut(client?.address, longest.address),
    agent: cut(client && agentText(client.agent), longest.agent),
    detail: cut(detail, longest.detail),
    count,
    lastAt,
  })
  const counting = new Map<string, Counting>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const write = async () => {
    const unwritten = [...counting.values()].flatMap((one) => (one.count > one.written ? { ...one, one } : []))
    if (unwritten.length === 0) return
    // A transaction may be rolled back and run again: what it has created is known at its end.
    const ids = await (await open()).transaction(async (tx) => {
      const ids: unknown[] = []
      for (const { id, event, at, count, lastAt } of unwritten) {
        if (id !== null) await table.update(tx, id, { count, lastAt })
        ids.push(id ?? (await table.create(tx, rowOf(event, at, count, lastAt))))
      }
      return ids
    })
    for (const [i, { one, count }] of unwritten.entries()) Object.assign(one, { id: ids[i], written: count })
  }
  const writeAll = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write).catch(report)
    return writing
  }
  return {
    async add(tx, event) {
      if (event) await table.create(tx, rowOf(event, new Date()))
    },
    async came(tx, event) {
      if (!event) return
      const row = rowOf(event, new Date())
      const own = both(eq('panel', panel), eq('userId', row.userId))
      const last = await table.first(tx, mostComings, both(own, { op: 'in', column: 'event', values: comings }), newest)
      const known = last.find(
        ({ event, way, byId, address }) => event === row.event && way === row.way && byId === row.byId && address === null,
      )
      if (last.length < mostComings || (last.at(-1)?.at.getTime() ?? 0) <= row.at.getTime() - hour) await table.create(tx, row)
      else if (known) await table.update(tx, known.id, { count: known.count + 1, lastAt: row.at })
      else await table.create(tx, { ...row, address: null, agent: null })
    },
    failed(event) {
      const now = new Date()
      for (const [key, { at, count, written }] of counting)
        if (count === written && at.getTime() <= now.getTime() - window) counting.delete(key)
      // Counted by themselves: a flood of wrong keys takes nothing from what is known of wrong passwords.
      const alike = [...counting.values()].filter(({ event: { way, reason } }) => way === event.way && reason === event.reason)
      const told = alike.length < mostEntries || counting.has(keyOf(event)) ? event : { ...event, client: null }
      const key = keyOf(told)
      const known = counting.get(key)
      if (known) Object.assign(known, { count: known.count + 1, lastAt: now })
      else counting.set(key, { event: told, id: null, at: now, lastAt: now, count: 1, written: 0 })
      timer ??= setTimeout(writeAll, pause).unref()
    },
    async signIns({ id, username }, most) {
      const events: Condition = { op: 'in', column: 'event', values: ['signedIn', 'signInFailed'] }
      const own = both(eq('panel', panel), eq('userId', id))
      const where = both(renamed ? own : both(own, eq('username', username)), events)
      const found = await table.first(await open(), most, where, newest)
      return found.map(({ lastAt, address, agent, ...entry }) => ({ ...entry, at: lastAt, address: address ?? '', agent: agent ?? '' }))
    },
    close: writeAll,
  }
}

const keyOf = ({ way, reason, user, client }: AccountEvent) =>
  JSON.stringify([way, reason, user?.id, client === null ? null : networkOf(client.address)])

/** A short text, or null for none. It may cut a character in two. */
function cut(text: string | null | undefined, most: number): string | null {
  return text ? text.slice(0, most).toWellFormed() : null
}
