import type { Answer } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'
import type { Call } from './call.js'
import type { Again } from './once.js'
import { panelText } from './panel-text.js'
import { sentMark } from './sent-mark.js'

/**
 * Does what a form asks for once, however often it is sent: the form carries a key of its own, `_once`.
 *
 * @param what tells the forms of one user apart
 */
export function onlyOnce<T>(
  { realm, identity, input }: Pick<Call, 'realm' | 'identity' | 'input'>,
  what: readonly string[],
  run: () => Promise<T>,
  again: Again<T>,
): Promise<T> {
  const key = panelText(input, '_once')
  return key === '' ? run() : realm.once.run(JSON.stringify([identity.id, ...what, key]), sentMark(input.body), run, again)
}

/**
 * The same for an action of a page or of a resource.
 *
 * @param of where it is declared
 */
export function actedOnce<T>(
  call: Pick<Call, 'realm' | 'identity' | 'input'>,
  of: readonly ['handler' | 'resource' | 'page', name: string],
  { uri }: BoundAction,
  run: () => Promise<T>,
  again: Omit<Again<T>, 'said'> = {},
): Promise<T> {
  return onlyOnce(call, [...of, uri], run, { ...again, said: () => call.realm.t('action.doneBefore') })
}

/** A file may be large, and one that is made as it is sent is there once. */
export const ofFiles: Omit<Again<Answer>, 'said'> = {
  shares: ({ download }) => download === undefined || typeof download.body === 'string' || download.body instanceof Uint8Array,
  keeps: ({ download }) => download === undefined,
}
