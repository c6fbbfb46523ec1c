import type { AccountEvent } from '../../auth/account-event.js'
import type { SessionStore } from '../../auth/stores.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import type { Reads, Store, Writes } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { chunk, eq, panelTable } from './table.js'
import { sessions, tokens } from './tables.js'
import type { UserIds } from './user-ids.js'

const table = panelTable(sessions)
const tokenTable = panelTable(tokens)

// At most this many sessions of one user are listed.
const most = 1000

/** Sessions in the panel's own tables. Ending a session deletes all its tokens. */
export function sessionStore(open: () => Promise<Store>, ids: UserIds, events: KeepsEvents): SessionStore {
  const tokensOf = (tx: Reads & Writes, of: readonly string[]) => tokenTable.deleteAll(tx, { op: 'in', column: 'sessionId', values: of })
  const remove = async (ended: readonly string[], event?: AccountEvent) => {
    if (ended.length === 0) return 0
    return (await open()).transaction(async (tx) => {
      await tokensOf(tx, ended)
      const count = await table.delete(tx, ended)
      if (count > 0) await events.came(tx, event)
      return count
    })
  }
  return {
    async create(session, event) {
      const store = await open()
      const over = await table.first(store, 100, { op: 'lte', column: 'expiresAt', value: new Date() })
      await remove(over.map(({ id }) => id))
      await table.createAlone(store, { ...session, userId: ids.stored(session.userId) }, (tx) => events.came(tx, event))
    },
    find: async (id) => ids.ours(await table.find(await open(), id)),
    async seen(id, at) {
      const earlier: Condition = { op: 'lt', column: 'lastSeenAt', value: at }
      await table.updateAlone(await open(), id, { lastSeenAt: at }, earlier)
    },
    async wrote(id, at) {
      await table.updateAlone(await open(), id, { wroteAt: at })
    },
    async restamp(id, stamp) {
      await table.updateAlone(await open(), id, { stamp })
    },
    async prove(id, secondFactor) {
      await table.updateAlone(await open(), id, { secondFactor })
    },
    async viewAs(id, userId, event) {
      return (await open()).transaction(async (tx) => {
        const isChanged = (await table.update(tx, id, { viewsAs: userId }, { op: 'ne', column: 'viewsAs', value: userId })) > 0
        if (isChanged) await events.add(tx, event)
        return isChanged
      })
    },
    remove: async (id, event) => (await remove([id], event)) > 0,
    async of(userId) {
      const complete: Condition = { op: 'ne', column: 'kind', value: 'pending' }
      const own = both(eq('userId', ids.stored(userId)), complete)
      const found = await table.first(await open(), most, own, { column: 'createdAt', direction: 'DESC' })
      return found.flatMap((session) => ids.ours(session) ?? [])
    },
    async removeOf(userId, except, event) {
      const others: Condition = except === null ? always : { op: 'ne', column: 'id', value: except }
      return (await open()).transaction(async (tx) => {
        const ended = await table.deleteAll(tx, both(eq('userId', ids.stored(userId)), others))
        for (let from = 0; from < ended.length; from += chunk)
          await tokensOf(
            tx,
            ended.slice(from, from + chunk).map(({ id }) => id),
          )
        const count = ended.filter(({ kind }) => kind !== 'pending').length
        if (count > 0) await events.came(tx, event)
        return count
      })
    },
  }
}
