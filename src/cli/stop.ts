/** Ends the command with a message that is all the user needs. */
export class Stop extends Error {
  override readonly name = 'Stop'
}

/** An error for the command line: with the cause, which HTTP clients never see but the operator can fix. */
export function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  const { code } = cause as { code?: unknown }
  return `${message}: ${cause.message || String(code ?? cause.name)}`
}
