/** A reason to end whose message says all that a person needs. */
export class Stop extends Error {
  override readonly name = 'Stop'
}
