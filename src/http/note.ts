import type { Unopened } from '../store/unopened.js'
import { entryOf } from './log.js'
import type { Visit } from './visit.js'

/** Logs what went wrong on our side, with the id that the caller was told. */
export function note({ request: { method }, around: { requestId, path }, options }: Visit, thrown: unknown): void {
  // The token of a link that sets a password is worth one.
  options.log(entryOf({ requestId, method, path: path.replace(/(\/reset\/).+/, '$1…') }, thrown))
}

// A database that is away is asked by every request.
const pause = 60_000
const said = new WeakMap<Visit['options'], Map<string, number>>()

/** Logs what keeps a database from being opened: at once, and while it lasts once a minute. */
export function noteUnopened(visit: Visit, { cause }: Unopened): void {
  const { message } = cause as Error
  const times = said.get(visit.options) ?? new Map<string, number>()
  said.set(visit.options, times)
  const now = performance.now()
  if (now - (times.get(message) ?? Number.NEGATIVE_INFINITY) < pause) return
  times.set(message, now)
  note(visit, cause)
}
