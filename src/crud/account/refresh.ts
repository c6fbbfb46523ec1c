import { DaymarkError } from '../../base/errors.js'
import type { GuestCall } from '../call/call.js'
import { panelFields } from '../input/panel-fields.js'
import type { Outcome } from '../outcomes/outcome.js'
import { signInFailed } from './events.js'
import { noSuchPageError } from './sign-in.js'

/** Exchanges a refresh token, which is then used up, for new tokens. */
export async function refresh(call: GuestCall): Promise<Outcome> {
  const { realm, input } = call
  const { refreshes, services, challenge } = realm.auth
  if (!refreshes?.refresh) throw noSuchPageError(realm)
  const token = panelFields(input, ['refreshToken'], realm).get('refreshToken') ?? ''
  if (token === '') {
    const text = realm.t('field.required', { label: 'refreshToken' })
    throw new DaymarkError('invalid', text, { errors: [['refreshToken', [text]]] })
  }
  const grant = await refreshes.refresh(token, services, (user) => signInFailed(call, 'refreshToken', 'usedTwice', user))
  if (!grant) throw new DaymarkError('unauthenticated', realm.t('signIn.badRefresh'), { headers: { 'www-authenticate': challenge } })
  return { is: 'refreshed', grant }
}
