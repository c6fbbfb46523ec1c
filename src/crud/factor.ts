import { readFactor, type SecondFactor } from '../auth/second-factor.js'
import type { TwoFactor, WithFactor } from '../auth/two-factor.js'
import { DaymarkError } from '../base/errors.js'
import type { GuestCall } from './call.js'

/**
 * The second factor of a user.
 *
 * @throws DaymarkError `unavailable` if it cannot be read: the user cannot help it, and the log says whose it is
 */
export async function factorOf({ realm }: Pick<GuestCall, 'realm'>, account: WithFactor, settings: TwoFactor): Promise<SecondFactor> {
  try {
    return await readFactor(account.twoFactor, settings)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : 'unknown'
    const cause = new Error(`The second factor of the user ${account.identity.id} cannot be read: ${why}`)
    throw new DaymarkError('unavailable', realm.t('twoFactor.unreadable'), { cause })
  }
}
