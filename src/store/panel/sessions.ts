import type { AccountEvent } from '../../auth/account-event.js'
import type { SessionStore } from '../../auth/stores.js'
import { always, both, type Condition } from '../../resource/condition/condition.js'
import { modelOf } from '../../resource/model/model.js'
import type { Reads, Store, Writes } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { eq, panelTable } from './table.js'
import { sessions, tokens } from './tables.js'
import type { UserIds } from './user-ids.js'

const table = panelTable(sessions)
const tokenTable = panelTable(tokens)
const model = modelOf(sessions)
// Those without: the second step of the sign-in is still to come.
const complete: Condition = { op: 'ne', column: 'kind', value: 'pending' }

// At most this many sessions of one user are listed.
const most = 1000

/** Sessions in the panel's own tables. Ending a session deletes all its tokens. */
export function sessionStore(open: () => Promise<Store>, ids: UserIds, events: KeepsEvents): SessionStore {
  const end = async (tx: Reads & Writes, which: Condition) => {
    await tokenTable.deleteAll(tx, { op: 'among', column: 'sessionId', of: model, values: 'id', where: which })
    return table.deleteAll(tx, which)
  }
  const remove = async (which: Condition, event?: AccountEvent) =>
    (await open()).transaction(async (tx) => {
      const count = await end(tx, which)
      if (count > 0) await events.came(tx, event)
      return count
    })
  return {
    async create(session, event) {
      const store = await open()
      const over = await table.first(store, 100, { op: 'lte', column: 'expiresAt', value: new Date() })
      if (over.length > 0) await remove({ op: 'in', column: 'id', values: over.map(({ id }) => id) })
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
    remove: async (id, event) => (await remove(eq('id', id), event)) > 0,
    async of(userId) {
      const own = both(eq('userId', ids.stored(userId)), complete)
      const found = await table.first(await open(), most, own, { column: 'createdAt', direction: 'DESC' })
      return found.flatMap((session) => ids.ours(session) ?? [])
    },
    async removeOf(userId, except, event) {
      const others: Condition = except === null ? always : { op: 'ne', column: 'id', value: except }
      const own = both(eq('userId', ids.stored(userId)), others)
      return (await open()).transaction(async (tx) => {
        const count = await end(tx, both(own, complete))
        await end(tx, own)
        if (count > 0) await events.came(tx, event)
        return count
      })
    },
  }
}
