import { sharedPrefix } from '../../auth/preferences.js'
import type { PreferenceStore } from '../../auth/stores.js'
import { DaymarkError } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Store } from '../store.js'
import { eq, panelTable } from './table.js'
import { preferences } from './tables.js'

// More than any user has: theme, density, and for each list its columns and at most 50 saved views.
const most = 10_000
const table = panelTable(preferences)
/** The id under which those of all users are kept, which no user has. */
const everybody = ''

/** The preferences of one panel's users, in the panel's own tables. */
export function preferenceStore(open: () => Promise<Store>, panel: string): PreferenceStore {
  const inPanel = (condition: Condition) => both(eq('panel', panel), condition)
  const change = async (userId: string, changes: ReadonlyMap<string, Json>) => {
    await (await open()).transaction(async (tx) => {
      for (const [name, json] of changes) {
        const owner = name.startsWith(sharedPrefix) ? everybody : userId
        const [known] = await table.first(tx, 1, inPanel(both(eq('userId', owner), eq('name', name))))
        const to = { value: JSON.stringify(json), updatedAt: new Date() }
        if (json === null) await table.delete(tx, known ? [known.id] : [])
        else if (known) await table.update(tx, known.id, to)
        else await table.create(tx, { panel, userId: owner, name, ...to })
      }
    })
  }
  return {
    async of(userId) {
      const all = await table.first(await open(), most, inPanel({ op: 'in', column: 'userId', values: [userId, everybody] }))
      return new Map(all.map(({ name, value }) => [name, JSON.parse(value) as Json]))
    },
    async change(userId, changes) {
      try {
        await change(userId, changes)
      } catch (thrown) {
        // Another process has just created the preference of that name: it exists now and is updated.
        if (!(thrown instanceof DaymarkError && thrown.code === 'conflict')) throw thrown
        await change(userId, changes)
      }
    },
  }
}
