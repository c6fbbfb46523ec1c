import type { Json } from '../field/field.js'
import type { PreferenceStore } from './identity.js'

/** Choices that are kept as long as the process runs: for a panel without users, which keeps no tables. */
export function memoryPreferences(): PreferenceStore {
  const kept = new Map<string, Map<string, Json>>()
  let changes = 0
  return {
    changes: () => changes,
    of: async (userId) => new Map(kept.get(userId)),
    async change(userId, chosen) {
      changes++
      const own = kept.get(userId) ?? new Map<string, Json>()
      kept.set(userId, own)
      for (const [name, value] of chosen) {
        if (value === null) own.delete(name)
        else own.set(name, value)
      }
    },
  }
}
