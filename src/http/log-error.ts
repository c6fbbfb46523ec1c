import { entryOf } from './log.js'
import type { RequestContext } from './request-context.js'
import { traceOf } from './trace.js'

/** Logs an error of ours under the request id that the caller got. */
export function logError({ request, around: { requestId, path }, options }: RequestContext, thrown: unknown): void {
  const { method } = request
  const traceId = traceOf(request, options.network)?.traceId
  options.log(entryOf({ requestId, traceId, method, path }, thrown))
}

const faulted = new WeakSet<RequestContext>()

/** Logs the first exception of a policy or scope in a request. Only the first, since a policy runs for every row. */
export function noteFault(context: RequestContext, thrown: unknown): void {
  if (faulted.has(context)) return
  faulted.add(context)
  logError(context, thrown)
}

const told = new WeakMap<RequestContext['options'], Set<string>>()

/** Logs what is wrong with how the panel is mounted: once, since each request would say it. */
export function logErrorOnce(context: RequestContext, why: Error): void {
  const known = told.get(context.options) ?? new Set()
  told.set(context.options, known)
  if (known.has(why.message)) return
  known.add(why.message)
  logError(context, why)
}

/** Logs why a database is away, or cannot be written to: at once, then once a minute. */
export function logUnavailable(context: RequestContext, cause: unknown): void {
  if (context.options.isNewOutage(cause)) logError(context, cause)
}
