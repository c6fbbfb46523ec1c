import { sharedPrefix } from '../../auth/preferences.js'
import type { PreferenceStore } from '../../auth/stores.js'
import { DaymarkError } from '../../base/errors.js'
import type { Json } from '../../field/field.js'
import { both, type Condition } from '../../resource/condition/condition.js'
import type { Reads, Store } from '../store.js'
import { lock } from './locks.js'
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
  const of = async (reads: Reads, userId: string) => {
    const all = await table.first(reads, most, inPanel({ op: 'in', column: 'userId', values: [userId, everybody] }))
    return new Map(all.map(({ name, value }) => [name, JSON.parse(value) as Json]))
  }
  const change: PreferenceStore['change'] = async (userId, changes, check) => {
    await (await open()).transaction(async (tx) => {
      if (check) {
        await lock(
          tx,
          [userId, everybody].map((owner) => JSON.stringify(['preferences', panel, owner])),
        )
        check(await of(tx, userId))
      }
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
    of: async (userId) => of(await open(), userId),
    async change(...asked) {
      try {
        await change(...asked)
      } catch (thrown) {
        // Another process has just created the preference of that name: it exists now and is updated.
        if (!(thrown instanceof DaymarkError && thrown.code === 'conflict')) throw thrown
        await change(...asked)
      }
    },
  }
}
