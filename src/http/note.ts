import type { Unopened } from '../store/unopened.js'
import { entryOf } from './log.js'
import type { Visit } from './visit.js'

/** Logs an error of ours under the request id that the caller got. */
export function note({ request: { method }, around: { requestId, path }, options }: Visit, thrown: unknown): void {
  // The token in a password-reset link is as good as the password.
  options.log(entryOf({ requestId, method, path: path.replace(/(\/reset\/).+/, '$1…') }, thrown))
}

// While a database is down, every request fails on it.
const pause = 60_000
const said = new WeakMap<Visit['options'], Map<string, number>>()

/** Logs why a database cannot be opened: at once, then once a minute. */
export function noteUnopened(visit: Visit, { cause }: Unopened): void {
  const { message } = cause as Error
  const times = said.get(visit.options) ?? new Map<string, number>()
  said.set(visit.options, times)
  const now = performance.now()
  if (now - (times.get(message) ?? Number.NEGATIVE_INFINITY) < pause) return
  times.set(message, now)
  note(visit, cause)
}
