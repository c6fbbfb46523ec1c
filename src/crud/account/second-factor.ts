import type { AccountEvent } from '../../auth/account-event.js'
import { readFactor, type SecondFactor, storedFactor } from '../../auth/second-factor.js'
import { type TwoFactor, usesTwoFactor, type WithFactor } from '../../auth/two-factor.js'
import { DaymarkError } from '../../base/errors.js'
import type { GuestCall } from '../call/call.js'

/**
 * The second factor of a user.
 *
 * @throws DaymarkError `unavailable` if it cannot be read: the user cannot help it, and the log says whose it is
 */
export async function secondFactorOf({ realm }: Pick<GuestCall, 'realm'>, account: WithFactor, settings: TwoFactor): Promise<SecondFactor> {
  try {
    return await readFactor(account.twoFactor, settings)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : 'unknown'
    const cause = new Error(`The second factor of the user ${account.identity.id} cannot be read: ${why}`)
    throw new DaymarkError('unavailable', realm.t('twoFactor.unreadable'), { cause })
  }
}

/** A change of a user's second factor: what was stored before it, and since. */
export interface FactorChange {
  readonly before: SecondFactor
  readonly after: SecondFactor
}

// Two changes at once are rare, and five wrong codes at once are the most there can be.
const tries = 10

/**
 * Changes the second factor of a user, whatever else changes it meanwhile.
 *
 * @param change what it becomes; null: nothing is changed. The factor itself: nothing has to be written
 * @returns null if nothing was changed, since `change` says so, or since the user has turned it off
 */
export async function changeSecondFactor(
  { realm }: Pick<GuestCall, 'realm'>,
  account: WithFactor,
  settings: TwoFactor,
  change: (factor: SecondFactor) => SecondFactor | null,
  event?: AccountEvent,
): Promise<FactorChange | null> {
  const { users } = realm.auth.services
  let current: WithFactor = account
  for (let i = 0; i < tries; i++) {
    const before = await secondFactorOf({ realm }, current, settings)
    const after = change(before)
    if (after === null) return null
    if (after === before) return { before, after }
    const { id } = account.identity
    if (await users.changeTwoFactor(id, current.twoFactor, await storedFactor(after, settings), event)) return { before, after }
    const now = await users.byId(id)
    if (!now || !usesTwoFactor(settings, now)) return null
    current = now
  }
  throw new DaymarkError('unavailable', realm.t('twoFactor.changed'), { headers: { 'retry-after': '1' } })
}
