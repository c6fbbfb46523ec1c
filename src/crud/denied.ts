import { DaymarkError } from '../base/errors.js'
import type { Realm } from './call.js'

/** A bare refusal of what the caller may not do. Disabled actions and cross-site requests have their own messages. */
export class DeniedError extends DaymarkError {
  /** @param why in the words of a policy */
  constructor({ t }: Pick<Realm, 't'>, why?: string) {
    super('forbidden', why ?? t('action.denied'))
  }
}
