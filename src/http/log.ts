import { inspect } from 'node:util'
import { DaymarkError } from '../base/errors.js'

/** What goes wrong on our side. The caller learns the request id, and nothing else of it. */
export interface LogEntry {
  readonly level: 'error'
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly message: string
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
