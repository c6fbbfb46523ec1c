/**
 * A function that remembers what it made. Rows of a page have values in common, and the same page is asked for again and again.
 *
 * @param most so many are remembered; then all are forgotten
 */
export function remembered<K, V>(make: (key: K) => V, most = 1000): (key: K) => V {
  let known = new Map<K, V>()
  return (key) => {
    let one = known.get(key)
    if (one === undefined) {
      one = make(key)
      // One that is cleared leads from what it was to what it becomes: see `Line`.
      if (known.size === most) known = new Map()
      known.set(key, one)
    }
    return one
  }
}

// What is longer was written by nobody who will come again, and a thousand of it would be much.
const longest = 300

/** The same for what texts from outside mean. */
export function rememberedText<V>(make: (text: string) => V): (text: string) => V {
  const known = remembered(make)
  return (text) => (text.length > longest ? make(text) : known(text))
}
