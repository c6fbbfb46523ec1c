import { isDeepStrictEqual } from 'node:util'

/** Whether two stored values, or rows of them, are the same. To `isDeepStrictEqual`, a time that nobody can read is never itself. */
export function isSameStored(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true
  if (!Array.isArray(one) || !Array.isArray(other)) return isNoTime(one) && isNoTime(other)
  return one.length === other.length && one.every((value, i) => isSameStored(value, other[i]))
}

const isNoTime = (value: unknown) => value instanceof Date && Number.isNaN(value.getTime())
