/**
 * Whether a value is a promise or another thenable. A value that is there at once is used without `await`, which would cost a microtask.
 */
export function isLater<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as Partial<PromiseLike<T>>).then === 'function'
}
