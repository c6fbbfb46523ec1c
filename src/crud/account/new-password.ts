import { passwordLength } from '../../auth/password.js'
import { countCharacters } from '../../base/characters.js'
import type { Translate } from '../../base/messages.js'

/** What is wrong with a new password; null: nothing. Length is what makes one strong, so besides that it only must not be the username. */
export function passwordFault(text: string, username: string, t: Translate): string | null {
  const label = t('signIn.newPassword')
  const length = countCharacters(text)
  if (text === '') return t('field.required', { label })
  if (length < passwordLength.min) return t('field.tooShort', { label, min: passwordLength.min })
  if (length > passwordLength.max) return t('field.tooLong', { label, max: passwordLength.max })
  return text.toLowerCase() === username.toLowerCase() ? t('signIn.passwordIsName') : null
}
