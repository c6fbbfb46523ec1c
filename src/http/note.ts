import { entryOf } from './log.js'
import type { Visit } from './visit.js'

/** Logs what went wrong on our side, with the id that the caller was told. */
export function note({ request: { method }, around: { requestId, path }, options }: Visit, thrown: unknown): void {
  // The token of a link that sets a password is worth one.
  options.log(entryOf({ requestId, method, path: path.replace(/(\/reset\/).+/, '$1…') }, thrown))
}
