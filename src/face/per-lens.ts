import type { Lens } from '../crud/lens.js'

/** What a presenter has made of rows, or of a row, for each lens by itself: known as long as they are. */
export function perLens<K extends object, V>(): (lens: Lens) => WeakMap<K, V> {
  const all = new WeakMap<Lens, WeakMap<K, V>>()
  return (lens) => {
    const known = all.get(lens) ?? new WeakMap<K, V>()
    all.set(lens, known)
    return known
  }
}
