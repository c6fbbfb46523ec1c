/** A reason to end whose message says all that a person needs. */
export class Stop extends Error {
  override readonly name = 'Stop'
}

/** An error as whoever runs a command is told it: what a caller of the panel never learns, which database and why, they can put right. */
export function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  const { code } = cause as { code?: unknown }
  return `${message}: ${cause.message || String(code ?? cause.name)}`
}
