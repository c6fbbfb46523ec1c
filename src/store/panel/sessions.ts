import type { SessionStore } from '../../auth/identity.js'
import type { Store } from '../store.js'
import { eq, panelTable } from './table.js'
import { sessions, tokens } from './tables.js'

const table = panelTable(sessions)
const tokenTable = panelTable(tokens)

/** Sessions in the panel's own tables. With a session go its tokens. */
export function sessionStore(open: () => Promise<Store>): SessionStore {
  const remove = async (ids: readonly string[]) => {
    if (ids.length === 0) return
    await (await open()).transaction(async (tx) => {
      for (const id of ids) {
        const own = await tokenTable.where(tx, eq('sessionId', id))
        await tokenTable.delete(
          tx,
          own.map((token) => token.id),
        )
      }
      await table.delete(tx, ids)
    })
  }
  return {
    async create(session) {
      const store = await open()
      const over = await table.where(store, { op: 'lte', column: 'expiresAt', value: new Date() }, undefined, 100)
      await remove(over.map(({ id }) => id))
      await table.createAlone(store, session)
    },
    find: async (id) => table.find(await open(), id),
    async seen(id, at) {
      await table.updateAlone(await open(), id, { lastSeenAt: at })
    },
    async wrote(id, at) {
      await table.updateAlone(await open(), id, { wroteAt: at })
    },
    async restamp(id, stamp) {
      await table.updateAlone(await open(), id, { stamp })
    },
    remove: (id) => remove([id]),
    of: async (userId) => table.where(await open(), eq('userId', userId), { column: 'createdAt', direction: 'DESC' }),
    async removeOf(userId, except) {
      const all = await table.where(await open(), eq('userId', userId))
      await remove(all.map(({ id }) => id).filter((id) => id !== except))
    },
  }
}
