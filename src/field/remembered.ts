/**
 * Memoises a function. Rows of a page share values, and the same page is requested again and again.
 *
 * @param most the number of results at which the cache is emptied
 */
export function remembered<K, V>(make: (key: K) => V, most = 1000): (key: K) => V {
  let known = new Map<K, V>()
  return (key) => {
    let one = known.get(key)
    if (one === undefined) {
      one = make(key)
      // A new map instead of `clear()`, which would link the old table to the new one: see `Line`.
      if (known.size === most) known = new Map()
      known.set(key, one)
    }
    return one
  }
}

// Longer texts are unlikely to come again, and a thousand of them would take much memory.
const longest = 300

/** The same for texts from outside: long ones are not cached. */
export function rememberedText<V>(make: (text: string) => V): (text: string) => V {
  const known = remembered(make)
  return (text) => (text.length > longest ? make(text) : known(text))
}
