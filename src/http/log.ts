import { inspect } from 'node:util'
import { DaymarkError } from '../base/errors.js'
import type { IncomingRequest } from './incoming.js'
import type { NetworkSettings } from './network.js'
import { targetOf } from './read.js'
import { traceOf } from './trace.js'

/** A server-side error. The caller gets its request id, and nothing else of it. */
export interface LogEntry {
  /** Always `error`. */
  readonly level: 'error'
  /** The id that the caller got, too; for a job, the id of the job; empty for what no request asks for. */
  readonly requestId: string
  /** The id of the trace that the request belongs to, by the `traceparent` of a proxy named in `trustProxy`; missing: none. */
  readonly traceId?: string
  /**
   * The HTTP method of the request; `JOB` for a job; `FILES` for the removal of files; `MAIL` for a mail that could not be sent; `ACCOUNTS`
   * for failed sign-ins that could not be kept; `WEBHOOK` for a message that could not be delivered, or whose condition failed; `ANSWERED` for
   * an `answered` that failed, and `LOG`, on standard error, for a `log` that failed itself.
   */
  readonly method: string
  /** The path of the request, without its query; the name of a webhook; empty for a job. */
  readonly path: string
  /** The message of the error, or of its cause. */
  readonly message: string
  /** The stack trace, or an empty text. */
  readonly stack: string
}

export type Log = (entry: LogEntry) => void

/** The log entry of an error. A DaymarkError's own message is for the caller, so its cause is logged where it has one. */
export function entryOf({ requestId, traceId, method, path }: Of, thrown: unknown): LogEntry {
  const why = thrown instanceof DaymarkError ? (thrown.cause ?? thrown) : thrown
  // String(thrown) fails for some values, such as objects without a prototype.
  const { message, stack = '' } = why instanceof Error ? why : new Error(typeof why === 'string' ? why : inspect(why))
  return { level: 'error', requestId, ...(traceId !== undefined && { traceId }), method, path: withoutToken(path), message, stack }
}

/** The token in a password-reset link is as good as the password. */
const withoutToken = (path: string) => path.replace(/(\/reset\/).+/, '$1…')

type Of = Pick<LogEntry, 'requestId' | 'method' | 'path'> & { readonly traceId?: string | undefined }

/** The log entry of an answer that broke off: its status could no longer change. */
export function brokenEntry(
  request: Pick<IncomingRequest, 'method' | 'url' | 'headers'>,
  requestId: string,
  network: NetworkSettings,
  thrown: unknown,
): LogEntry {
  const { method, url } = request
  return entryOf({ requestId, traceId: traceOf(request, network)?.traceId, method, path: targetOf(url).path }, thrown)
}

/** A line of JSON on standard error. */
export function toStandardError(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify(entry)}\n`)
}

/** Wraps the application's `log`: if it throws or rejects, its entry and the error go to standard error, and nothing else fails. */
export function safely(log: (entry: LogEntry) => unknown): Log {
  return async (entry) => {
    try {
      await log(entry)
    } catch (thrown) {
      toStandardError(entry)
      toStandardError(entryOf({ ...entry, method: 'LOG' }, thrown))
    }
  }
}
