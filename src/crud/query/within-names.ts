import type { Translate } from '../../base/messages.js'
import type { Within } from '../../field/within.js'

/** Periods that are told from now on, in a message: programs use their names, and people read words. */
export function withinNames(all: readonly Within[], strict: boolean, t: Translate): string {
  return all.map((one) => (strict ? one : t(`within.${one}`))).join(', ')
}
