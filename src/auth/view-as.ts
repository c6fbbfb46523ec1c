import type { Account } from './account.js'
import type { Identity } from './identity.js'
import type { Services } from './pipeline.js'
import type { Session } from './stores.js'

/** Whether a user may look at the panel as another one, who has to be able to sign in. */
export function mayViewAs({ viewAs }: Pick<Services, 'viewAs'>, user: Identity, { identity: as, active }: Account): boolean {
  return active && as.id !== user.id && viewAs?.(user, as) === true
}

/** As whom the user of a session looks at the panel; null: as themselves. What has changed meanwhile counts. */
export async function viewedIn(services: Services, { viewsAs }: Session, user: Identity): Promise<Account | null> {
  if (viewsAs == null || services.viewAs === null) return null
  const account = await services.users.byId(viewsAs)
  return account && mayViewAs(services, user, account) ? account : null
}
