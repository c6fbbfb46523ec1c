import type { AccountEvent, AccountEventName, AccountWay, FailedBecause, Happening } from '../auth/account-event.js'
import type { Identity } from '../auth/identity.js'
import type { GuestCall } from './call.js'

type Asked = Pick<GuestCall, 'realm' | 'from'>

/** What a user does to their own account. */
export function happened(
  { from }: Asked,
  event: AccountEventName,
  way: AccountWay,
  { id, username }: Identity,
  detail?: string,
): AccountEvent {
  return { ...happening({ from }, way), event, user: { id, username }, ...(detail !== undefined && { detail }) }
}

/** The same, before it is known to whom it happens. */
export function happening({ from: { address, agent } }: Pick<Asked, 'from'>, way: AccountWay): Happening {
  return { way, client: { address, agent } }
}

/**
 * Keeps a sign-in that failed. What was typed as a username is kept for nobody: people type passwords there.
 *
 * @param user whom it was about; null: nobody who is known
 */
export function signInFailed({ realm, from }: Asked, way: AccountWay, reason: FailedBecause, user: Identity | null = null): void {
  realm.accountEvents?.failed({
    ...happening({ from }, way),
    event: 'signInFailed',
    reason,
    user: user && { id: user.id, username: user.username },
  })
}
