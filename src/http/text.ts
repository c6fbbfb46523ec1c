import { DaymarkError, invalid } from '../base/errors.js'
import type { Translate } from '../base/messages.js'

/**
 * Text that no database stores as it is: NUL, and half of a character.
 *
 * @param name the field or parameter that holds it
 * @throws DaymarkError `invalid`
 */
export function checkText(name: string, text: string, t: Translate): void {
  if (text.includes('\0')) throw invalid(shown(name), t('text.nul'))
  if (!text.isWellFormed()) throw invalid(shown(name), t('text.surrogate'))
}

/** A name from outside as it may stand in an answer: not endless. */
export function shown(name: string): string {
  const whole = name.toWellFormed()
  return whole.length > 100 ? `${whole.slice(0, 100).toWellFormed()}…` : whole
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws DaymarkError `malformed` where the bytes are not UTF-8 */
export function textOf(bytes: Uint8Array, t: Translate): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new DaymarkError('malformed', t('body.notUtf8'))
  }
}
