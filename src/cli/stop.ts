/** Ends the command with a message that is all the user needs. */
export class Stop extends Error {
  override readonly name = 'Stop'
}

/** An error for the command line: with the cause, which HTTP clients never see but the operator can fix. */
export function reasonOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  const { code } = cause as { code?: unknown }
  return `${message}: ${cause.message || String(code ?? cause.name)}${isMissing(cause.message, code) ? `\n${missing}` : ''}`
}

const missing =
  'The database lacks what the schema declares: your migrations create it, or Drizzle Kit (“A schema” in node_modules/daymark/docs/getting-started.md)'

/** Whether the database does not have a table or a column: SQLite says so in words, PostgreSQL by a code. */
function isMissing(text: string, code: unknown): boolean {
  return /\bno such (?:table|column)\b/.test(text) || code === '42P01' || code === '42703'
}
