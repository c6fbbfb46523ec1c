import { entryOf } from './log.js'
import type { Visit } from './visit.js'

/** Logs an error of ours under the request id that the caller got. */
export function note({ request: { method }, around: { requestId, path }, options }: Visit, thrown: unknown): void {
  // The token in a password-reset link is as good as the password.
  options.log(entryOf({ requestId, method, path: path.replace(/(\/reset\/).+/, '$1…') }, thrown))
}

const told = new WeakSet<Visit['options']>()

/** Logs, once, that failed sign-ins count for all callers together. */
export function noteUnknown(visit: Visit): void {
  if (told.has(visit.options)) return
  told.add(visit.options)
  note(
    visit,
    new Error(
      'The address of the caller is unknown, so that whoever fails to sign in as a user keeps that user out everywhere. Pass it: panel.fetch(request, { address }), or set trustProxy',
    ),
  )
}

// While a database is down, every request fails on it.
const pause = 60_000
const said = new WeakMap<Visit['options'], Map<string, number>>()

/** Logs why a database is away, or cannot be written to: at once, then once a minute. */
export function noteAway(visit: Visit, cause: unknown): void {
  const reason = String((cause as { readonly code?: unknown }).code ?? (cause as { readonly message?: unknown }).message)
  const times = said.get(visit.options) ?? new Map<string, number>()
  said.set(visit.options, times)
  const now = performance.now()
  if (now - (times.get(reason) ?? Number.NEGATIVE_INFINITY) < pause) return
  times.set(reason, now)
  note(visit, cause)
}
