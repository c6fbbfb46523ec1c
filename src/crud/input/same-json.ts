/** Whether two values are the same in JSON, which is written without -0: there, it is 0. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name as never], other[name as never]))
}
