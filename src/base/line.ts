/** A place in a line. */
export interface Place<T> {
  readonly one: T
  /** Null at either end of the line, and after the place was left. */
  before: Place<T> | null
  after: Place<T> | null
}

/**
 * A doubly linked list in order of arrival, for waiting callers or recently used entries. Any entry can leave at any time, without a trace.
 *
 * Not a `Set` or `Map`: V8 rebuilds their table again and again when entries come and go with each request, and each discarded table points
 * to its successor. Once one of them is in the old generation, V8 keeps all its successors alive, with whatever they held, until a full
 * garbage collection.
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

  /** Does nothing if the place was left before. */
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
