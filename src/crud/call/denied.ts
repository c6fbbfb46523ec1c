import { DaymarkError } from '../../base/errors.js'
import type { Realm } from './call.js'

/** A bare refusal of what the caller may not do. Disabled actions and cross-site requests have their own messages. */
export class DeniedError extends DaymarkError {
  constructor({ t }: Pick<Realm, 't'>) {
    super('forbidden', t('action.denied'))
  }
}
