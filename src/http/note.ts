import { entryOf } from './log.js'
import { traceOf } from './trace.js'
import type { Visit } from './visit.js'

/** Logs an error of ours under the request id that the caller got. */
export function note({ request, around: { requestId, path }, options }: Visit, thrown: unknown): void {
  const { method } = request
  const traceId = traceOf(request, options.way)?.traceId
  // The token in a password-reset link is as good as the password.
  options.log(entryOf({ requestId, traceId, method, path: path.replace(/(\/reset\/).+/, '$1…') }, thrown))
}

const faulted = new WeakSet<Visit>()

/** Logs the first exception of a policy or scope in a request. Only the first, since a policy runs for every row. */
export function noteFault(visit: Visit, thrown: unknown): void {
  if (faulted.has(visit)) return
  faulted.add(visit)
  note(visit, thrown)
}

const told = new WeakMap<Visit['options'], Set<string>>()

/** Logs what is wrong with how the panel is mounted: once, since each request would say it. */
export function noteOnce(visit: Visit, why: Error): void {
  const known = told.get(visit.options) ?? new Set()
  told.set(visit.options, known)
  if (known.has(why.message)) return
  known.add(why.message)
  note(visit, why)
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
