import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'
import { shown } from '../base/shown.js'

/**
 * Refuses text that databases cannot store as is: a NUL, or a lone surrogate.
 *
 * @param name the field or parameter that holds it
 * @throws DaymarkError `invalid`
 */
export function checkText(name: string, text: string, t: Translate): void {
  if (text.includes('\0')) throw invalid(shown(name), t('text.nul'))
  if (!text.isWellFormed()) throw invalid(shown(name), t('text.surrogate'))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws DaymarkError `malformed` if the bytes are not UTF-8 */
export function textOf(bytes: Uint8Array, t: Translate): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new DaymarkError('malformed', t('body.notUtf8'))
  }
}
