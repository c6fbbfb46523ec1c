import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DaymarkError } from '../base/errors.js'

/**
 * The 503 if the database cannot be opened. Its cause names the file and the reason: for the log and the command line, never for a caller.
 */
export class Unopened extends DaymarkError {
  constructor(path: string, cause: unknown) {
    super('unavailable', 'The database cannot be opened', { cause: new Error(`${path}: ${why(path, cause)}`, { cause }) })
  }
}

// Some drivers report only an error number.
function why(path: string, cause: unknown): string {
  const folder = dirname(path)
  if (!existsSync(folder)) return `there is no folder ${folder}`
  return cause instanceof Error ? cause.message : String(cause)
}
