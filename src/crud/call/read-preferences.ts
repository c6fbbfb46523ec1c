import type { Identity } from '../../auth/identity.js'
import { permits } from '../../resource/action/policy.js'
import type { Realm } from './call.js'
import { type Preferences, parsePreferences } from './preferences.js'

/** The preferences of a user. */
export async function readPreferences({ auth, shareViews }: Pick<Realm, 'auth' | 'shareViews'>, identity: Identity): Promise<Preferences> {
  const kept = await auth.services.preferences.of(identity.id)
  if (shareViews === null) return parsePreferences(kept, 'none')
  return parsePreferences(kept, permits(shareViews, identity) ? 'saves' : 'sees')
}
