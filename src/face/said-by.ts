import type { Translate } from '../base/messages.js'
import type { Answer } from '../resource/action/action.js'
import type { Flash } from './face.js'

// The message travels in a cookie.
const longest = 300

/** What an action says on the page that follows. */
export function saidBy({ message, messageType }: Answer, t: Translate): Flash {
  const letters = [...(message ?? t('action.done'))]
  const text = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join('')
  return { message: 'action.said', fill: { text }, tone: messageType ?? 'success' }
}
