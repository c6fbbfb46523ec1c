import type { Lens } from '../crud/call/lens.js'

/** A cache per lens of what a presenter made from rows or parts of them, for as long as those live. */
export function perLens<K extends object, V>(): (lens: Lens) => WeakMap<K, V> {
  const all = new WeakMap<Lens, WeakMap<K, V>>()
  return (lens) => {
    const known = all.get(lens) ?? new WeakMap<K, V>()
    all.set(lens, known)
    return known
  }
}
