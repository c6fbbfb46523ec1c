import type { ApiKeyStore } from '../../auth/identity.js'
import { both, type Condition } from '../../resource/condition.js'
import type { Store } from '../store.js'
import { eq, panelTable } from './table.js'
import { apiKeys } from './tables.js'

const table = panelTable(apiKeys)

// At most this many keys are listed.
const most = 10_000

/** API keys in the panel's own tables: those of one panel, since several may share a database. */
export function apiKeyStore(open: () => Promise<Store>, panel: string): ApiKeyStore {
  const ofPanel = eq('panel', panel)
  return {
    async create(key, mostOfUser) {
      return (await open()).transaction(async (tx) => {
        const others = await table.first(tx, mostOfUser, both(ofPanel, eq('userId', key.userId)))
        if (others.length >= mostOfUser) return false
        await table.create(tx, { ...key, roles: key.roles && [...key.roles], panel })
        return true
      })
    },
    find: async (id) => table.find(await open(), id),
    async seen(id, at) {
      const earlier: Condition = { op: 'or', all: [eq('lastSeenAt', null), { op: 'lt', column: 'lastSeenAt', value: at }] }
      await table.updateAlone(await open(), id, { lastSeenAt: at }, earlier)
    },
    async of(userId) {
      const where = userId === null ? ofPanel : both(ofPanel, eq('userId', userId))
      return table.first(await open(), most, where, { column: 'createdAt', direction: 'DESC' })
    },
    async remove(id) {
      return (await (await open()).transaction((tx) => table.delete(tx, [id]))) > 0
    },
  }
}
