import type { Answer } from '../../resource/action/action.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import type { Call } from '../call/call.js'
import type { RepeatOptions } from '../realm/idempotency.js'
import { bodyDigest } from './body-digest.js'
import { panelText } from './panel-text.js'

/**
 * Runs a form's request once, however often it is sent. The form carries a one-time key, `_once`.
 *
 * @param what distinguishes the forms of one user
 */
export function runOnce<T>(
  { realm, identity, input }: Pick<Call, 'realm' | 'identity' | 'input'>,
  what: readonly string[],
  run: () => Promise<T>,
  again: RepeatOptions<T>,
): Promise<T> {
  const key = panelText(input, '_once')
  if (key === '') return run()
  // A form may name its records in its URL.
  const sent = JSON.stringify([bodyDigest(input.body), ...input.query])
  return realm.once.run(JSON.stringify([identity.id, ...what, key]), sent, run, again)
}

/**
 * Like `runOnce`, for an action of a page or resource.
 *
 * @param of where the action is declared
 */
export function runActionOnce<T>(
  call: Pick<Call, 'realm' | 'identity' | 'input'>,
  of: readonly ['handler' | 'resource' | 'page', name: string],
  { uri }: BoundAction,
  run: () => Promise<T>,
  again: Omit<RepeatOptions<T>, 'said'> = {},
): Promise<T> {
  return runOnce(call, [...of, uri], run, { ...again, said: () => call.realm.t('action.doneBefore') })
}

/** Files may be large, so they are not kept; a stream can be read only once, so it is not shared. */
export const fileRepeats: Omit<RepeatOptions<Answer>, 'said'> = {
  shares: ({ download }) => download === undefined || typeof download.body === 'string' || download.body instanceof Uint8Array,
  keeps: ({ download }) => download === undefined,
}
