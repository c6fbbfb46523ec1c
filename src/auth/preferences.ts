import type { Json } from '../field/field.js'
import type { PreferenceStore } from './stores.js'

/** Preferences whose name begins with this are those of all users of a panel. */
export const sharedPrefix = 'shared:'

/** Keeps preferences in the memory of the process: for an open panel, which has no tables of its own. */
export function memoryPreferences(): PreferenceStore {
  const kept = new Map<string, Map<string, Json>>()
  let changes = 0
  return {
    changes: () => changes,
    of: async (userId) => new Map(kept.get(userId)),
    async change(userId, chosen, check) {
      const own = kept.get(userId) ?? new Map<string, Json>()
      check?.(own)
      changes++
      kept.set(userId, own)
      for (const [name, value] of chosen) {
        if (value === null) own.delete(name)
        else own.set(name, value)
      }
    },
  }
}
