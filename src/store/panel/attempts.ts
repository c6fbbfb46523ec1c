import type { AttemptStore } from '../../auth/stores.js'
import { both } from '../../resource/condition/condition.js'
import type { Store } from '../store.js'
import { lock } from './locks.js'
import { eq, panelTable } from './table.js'
import { attempts } from './tables.js'

const table = panelTable(attempts)

/** Failed attempts in the panel's own tables, shared by all processes that serve the panel. */
export function attemptStore(open: () => Promise<Store>): AttemptStore {
  return {
    async take(keys, window, now) {
      return (await open()).transaction(async (tx) => {
        await lock(
          tx,
          keys.map(({ key }) => key),
        )
        const since = new Date(now - window)
        await table.deleteAll(tx, { op: 'lte', column: 'at', value: since })
        let wait = 0
        for (const { key, most } of keys) {
          const known = await table.first(tx, most, both(eq('key', key), { op: 'gt', column: 'at', value: since }), {
            column: 'at',
            direction: 'ASC',
          })
          if (known.length >= most) wait = Math.max(wait, (known[0]?.at.getTime() ?? now) + window - now)
        }
        if (wait === 0) for (const { key } of keys) await table.create(tx, { key, at: new Date(now) })
        return wait
      })
    },
    async clear(forget, back) {
      await (await open()).transaction(async (tx) => {
        await lock(tx, [forget, back])
        await table.deleteAll(tx, eq('key', forget))
        const last = await table.first(tx, 1, eq('key', back), { column: 'at', direction: 'DESC' })
        await table.delete(
          tx,
          last.map(({ id }) => id),
        )
      })
    },
  }
}
