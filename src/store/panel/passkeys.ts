import type { Passkey, PasskeyStore } from '../../auth/stores.js'
import type { Condition } from '../../resource/condition/condition.js'
import type { Reads, Store, Writes } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { lock } from './locks.js'
import { eq, panelTable } from './table.js'
import { passkeys, users } from './tables.js'
import type { UserIds } from './user-ids.js'

const table = panelTable(passkeys)
const userTable = panelTable(users)

// More than a user may have.
const most = 1000

/**
 * Passkeys in the panel's own tables: panels with the same users share them, and a browser offers each of them only at its host.
 *
 * @param countsThem whether the users are the panel's own, whose table says how many each has
 */
export function passkeyStore(open: () => Promise<Store>, ids: UserIds, countsThem: boolean, events: KeepsEvents): PasskeyStore {
  const keyOf = (userId: string) => `passkeys ${userId}`
  const ofUser = (reads: Reads, userId: string) =>
    table.first(reads, most, eq('userId', userId), { column: 'createdAt', direction: 'DESC' })
  /** Notes how many a user has, in the transaction that changes it. */
  const count = async (tx: Reads & Writes, userId: string) => {
    if (countsThem) await userTable.update(tx, Number(userId), { passkeys: (await ofUser(tx, userId)).length || null })
  }
  const ours = (row: typeof passkeys.$inferSelect | null): Passkey | null => ids.ours(row)
  return {
    async create(passkey, mostOfUser, event) {
      const userId = ids.stored(passkey.userId)
      return (await open()).transaction(async (tx) => {
        await lock(tx, [keyOf(userId), `passkey ${passkey.id}`])
        if ((await ofUser(tx, userId)).length >= mostOfUser || (await table.find(tx, passkey.id))) return false
        await table.create(tx, { ...passkey, userId, transports: [...passkey.transports] })
        await count(tx, userId)
        await events.add(tx, event)
        return true
      })
    },
    find: async (id) => ours(await table.find(await open(), id)),
    of: async (userId) => (await ofUser(await open(), ids.stored(userId))).flatMap((one) => ours(one) ?? []),
    async used(id, counter, at) {
      const before: Condition = counter === 0 ? eq('counter', 0) : { op: 'lt', column: 'counter', value: counter }
      return (await (await open()).transaction((tx) => table.update(tx, id, { counter, lastSeenAt: at }, before))) > 0
    },
    async rename(id, name) {
      await table.updateAlone(await open(), id, { name })
    },
    async remove(id, event) {
      const found = await table.find(await open(), id)
      if (!found) return false
      return (await open()).transaction(async (tx) => {
        await lock(tx, [keyOf(found.userId)])
        const removed = await table.delete(tx, [id])
        await count(tx, found.userId)
        if (removed > 0) await events.add(tx, event)
        return removed > 0
      })
    },
    async removeOf(userId, event) {
      const stored = ids.stored(userId)
      return (await open()).transaction(async (tx) => {
        await lock(tx, [keyOf(stored)])
        const removed = await table.deleteAll(tx, eq('userId', stored))
        await count(tx, stored)
        if (removed > 0) await events.add(tx, event)
        return removed
      })
    },
  }
}
