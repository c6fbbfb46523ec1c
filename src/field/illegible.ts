/** What a database holds in a column that its type cannot read: a text that is no JSON, what a type of the user's own throws at. It is shown as nothing, and kept as it is until something else is written over it. */
export class Illegible {
  /** @param stored as the driver gave it */
  constructor(readonly stored: unknown) {}

  toJSON(): null {
    return null
  }

  toString(): string {
    return ''
  }
}

/** A stored value for whoever reads values: what nobody can read is nothing. */
export function legible(stored: unknown): unknown {
  return stored instanceof Illegible ? null : stored
}
