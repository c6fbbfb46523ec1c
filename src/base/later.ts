/** Whether a value comes later: a promise, or whatever else can be awaited. What is there at once needs no promise, and no turn of its own. */
export function isLater<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as Partial<PromiseLike<T>>).then === 'function'
}
