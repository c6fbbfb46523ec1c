import { DaymarkError } from '../base/errors.js'
import type { Realm } from './call.js'

/** Refuses what the caller may not do, and says no more than that: what is switched off, or sent from elsewhere, is refused in words of its own. */
export class DeniedError extends DaymarkError {
  constructor({ t }: Pick<Realm, 't'>) {
    super('forbidden', t('action.denied'))
  }
}
