import type { AccountEvent, AccountEventName, AccountWay, Client, EventOrigin, FailedBecause, Person } from '../../auth/account-event.js'
import type { GuestCall } from '../call/call.js'

/** What a user does to their own account. */
export function accountEvent(
  call: Pick<GuestCall, 'from'>,
  event: AccountEventName,
  way: AccountWay,
  user: Person,
  detail?: string,
): AccountEvent {
  return { ...eventOrigin(call, way), event, user, ...(detail !== undefined && { detail }) }
}

/** The same, before it is known to whom it happens. */
export function eventOrigin({ from: { address, agent } }: { readonly from: Client }, way: AccountWay): EventOrigin {
  return { way, client: { address, agent } }
}

/**
 * Keeps a sign-in that failed. What was typed as a username is kept for nobody: people type passwords there.
 *
 * @param user whom it was about; null: nobody who is known
 */
export function signInFailed(
  call: Pick<GuestCall, 'realm'> & { readonly from: Client },
  way: AccountWay,
  reason: FailedBecause,
  user: Person | null = null,
): void {
  call.realm.accountEvents?.failed({ ...eventOrigin(call, way), event: 'signInFailed', reason, user })
}
