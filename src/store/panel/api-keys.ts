import type { ApiKeyStore } from '../../auth/stores.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Store } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { lock } from './locks.js'
import { eq, panelTable } from './table.js'
import { apiKeys } from './tables.js'
import type { UserIds } from './user-ids.js'

const table = panelTable(apiKeys)

// At most this many keys are listed.
const most = 10_000

/** API keys in the panel's own tables: those of one panel, since several may share a database. */
export function apiKeyStore(open: () => Promise<Store>, ids: UserIds, panel: string, events: KeepsEvents): ApiKeyStore {
  const ofPanel = eq('panel', panel)
  return {
    async create(key, mostOfUser, event) {
      const userId = ids.stored(key.userId)
      return (await open()).transaction(async (tx) => {
        await lock(tx, [`api keys ${userId}`])
        const others = await table.first(tx, mostOfUser, both(ofPanel, eq('userId', userId)))
        if (others.length >= mostOfUser) return false
        await table.create(tx, { ...key, userId, roles: key.roles && [...key.roles], panel })
        await events.add(tx, event)
        return true
      })
    },
    find: async (id) => ids.ours(await table.find(await open(), id)),
    async seen(id, at) {
      const earlier: Condition = { op: 'or', all: [eq('lastSeenAt', null), { op: 'lt', column: 'lastSeenAt', value: at }] }
      await table.updateAlone(await open(), id, { lastSeenAt: at }, earlier)
    },
    async of(userId) {
      const where = userId === null ? ofPanel : both(ofPanel, eq('userId', ids.stored(userId)))
      const found = await table.first(await open(), most, where, { column: 'createdAt', direction: 'DESC' })
      return found.flatMap((key) => ids.ours(key) ?? [])
    },
    async remove(id, event) {
      return (await open()).transaction(async (tx) => {
        const isRemoved = (await table.delete(tx, [id])) > 0
        if (isRemoved) await events.add(tx, event)
        return isRemoved
      })
    },
  }
}
