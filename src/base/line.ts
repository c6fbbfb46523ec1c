/** A place in a line. */
export interface Place<T> {
  readonly one: T
  /** Null at either end, and once it was left. */
  before: Place<T> | null
  after: Place<T> | null
}

/**
 * What comes and goes, in the order of coming: who waits, or what was used lately. Each may leave at any time, and leaves nothing behind.
 *
 * A `Set` or a `Map` does: where something comes and goes with each request, it is built anew all the time, and each that it was points to the one that it became. As soon as one of them
 * is old, V8 keeps them all, with whatever they held, until a full collection of garbage.
 */
export class Line<T> {
  #first: Place<T> | null = null
  #last: Place<T> | null = null

  get first(): Place<T> | null {
    return this.#first
  }

  enter(one: T): Place<T> {
    const place = { one, before: this.#last, after: null }
    if (this.#last) this.#last.after = place
    else this.#first = place
    this.#last = place
    return place
  }

  /** Nothing happens where it was left before. */
  leave(place: Place<T>): void {
    const { before, after } = place
    if (before === null && this.#first !== place) return
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    place.before = null
    place.after = null
  }
}
