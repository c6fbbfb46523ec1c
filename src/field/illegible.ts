/**
 * A stored value that its column's type cannot read: text that is no JSON, or anything that makes a custom Drizzle type throw. It is shown
 * as empty, and stays in the database until something else is written over it.
 */
export class Illegible {
  /** @param stored the value as the driver returned it */
  constructor(readonly stored: unknown) {}

  toJSON(): null {
    return null
  }

  toString(): string {
    return ''
  }
}

/** A stored value for callers that read it: null if it is illegible. */
export function legible(stored: unknown): unknown {
  return stored instanceof Illegible ? null : stored
}
