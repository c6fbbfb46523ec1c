import type { ResetStore, TokenStore } from '../../auth/stores.js'
import type { Store } from '../store.js'
import type { KeepsEvents } from './account-events.js'
import { panelTable } from './table.js'
import { resets, tokens } from './tables.js'
import type { UserIds } from './user-ids.js'

const table = panelTable(tokens)
const resetTable = panelTable(resets)

/** Refresh tokens in the panel's own tables. */
export function tokenStore(open: () => Promise<Store>): TokenStore {
  return {
    async add(id, sessionId, at) {
      await table.createAlone(await open(), { id, sessionId, createdAt: at })
    },
    async rotate(id, next, at, grace) {
      return (await open()).transaction(async (tx) => {
        const token = await table.find(tx, id)
        if (!token) return { is: 'unknown' }
        const { sessionId, usedAt } = token
        if (usedAt && at.getTime() - usedAt.getTime() > grace) return { is: 'replayed', sessionId }
        if (!usedAt) await table.update(tx, id, { usedAt: at })
        await table.create(tx, { id: next, sessionId, createdAt: at })
        return { is: 'rotated', sessionId }
      })
    },
  }
}

/** Links that set a new password, in the panel's own tables. */
export function resetStore(open: () => Promise<Store>, ids: UserIds, events: KeepsEvents): ResetStore {
  return {
    async create(reset, event) {
      await (await open()).transaction(async (tx) => {
        const over = await resetTable.first(tx, 100, { op: 'lte', column: 'expiresAt', value: new Date() })
        await resetTable.delete(
          tx,
          over.map(({ id }) => id),
        )
        await resetTable.create(tx, { ...reset, userId: ids.stored(reset.userId) })
        await events.add(tx, event)
      })
    },
    find: async (id) => ids.ours(await resetTable.find(await open(), id)),
    async remove(id) {
      return (await (await open()).transaction((tx) => resetTable.delete(tx, [id]))) > 0
    },
  }
}
