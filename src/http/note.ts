import type { Visit } from './visit.js'

/** Logs what went wrong on our side, with the id that the caller was told. */
export function note({ request, around, options }: Visit, thrown: unknown): void {
  const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown))
  // The token of a link that sets a password is worth one.
  const path = around.path.replace(/(\/reset\/).+/, '$1…')
  options.log({ level: 'error', requestId: around.requestId, method: request.method, path, message, stack })
}
