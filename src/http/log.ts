import { inspect } from 'node:util'
import { DaymarkError } from '../base/errors.js'

/** A server-side error. The caller gets its request id, and nothing else of it. */
export interface LogEntry {
  /** Always `error`. */
  readonly level: 'error'
  /** The id that the caller got, too; for a job, the id of the job. */
  readonly requestId: string
  /** The HTTP method of the request; `JOB` for a job; `LOG`, on standard error, for a `log` that failed itself. */
  readonly method: string
  /** The path of the request, without its query; empty for a job. */
  readonly path: string
  /** The message of the error, or of its cause. */
  readonly message: string
  /** The stack trace, or an empty text. */
  readonly stack: string
}

export type Log = (entry: LogEntry) => void

/** What was thrown, as an entry: by what was at the bottom of it, where the rest is for the caller. */
export function entryOf({ requestId, method, path }: Pick<LogEntry, 'requestId' | 'method' | 'path'>, thrown: unknown): LogEntry {
  const why = thrown instanceof DaymarkError ? (thrown.cause ?? thrown) : thrown
  // Not everything that can be thrown can be made a text by itself.
  const { message, stack = '' } = why instanceof Error ? why : new Error(typeof why === 'string' ? why : inspect(why))
  return { level: 'error', requestId, method, path, message, stack }
}

/** A line of JSON on standard error. */
export function toStandardError(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify(entry)}\n`)
}

/** A log of the application's own. What it fails at, at once or later, ends no request and no process: it goes to standard error, with the entry that would be lost. */
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
