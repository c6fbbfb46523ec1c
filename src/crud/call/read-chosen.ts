import type { Identity } from '../../auth/identity.js'
import { permits } from '../../resource/action/policy.js'
import type { Realm } from './call.js'
import { type Chosen, parseChosen } from './chosen.js'

/** The preferences of a user. */
export async function readChosen({ auth, shareViews }: Pick<Realm, 'auth' | 'shareViews'>, identity: Identity): Promise<Chosen> {
  const kept = await auth.services.preferences.of(identity.id)
  if (shareViews === null) return parseChosen(kept, 'none')
  return parseChosen(kept, permits(shareViews, identity) ? 'saves' : 'sees')
}
