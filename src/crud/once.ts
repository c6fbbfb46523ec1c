/** Runs what a one-time key stands for once: a second call with the key gets what the first one got, waiting for it where it still runs. */
export interface Once {
  run<T>(key: string, make: () => Promise<T>): Promise<T>
}

/**
 * Remembers by key, in memory. What is refused is forgotten, so that a mended form goes through.
 *
 * @param most keys remembered; the oldest go first
 * @param lifetime milliseconds
 */
export function makeOnce({ most = 10_000, lifetime = 3_600_000 } = {}): Once {
  const made = new Map<string, { readonly outcome: Promise<unknown>; readonly until: number }>()
  return {
    async run<T>(key: string, make: () => Promise<T>): Promise<T> {
      const now = Date.now()
      const known = made.get(key)
      if (known && known.until > now) return known.outcome as Promise<T>
      for (const [old, { until }] of made) {
        if (until > now && made.size < most) break
        made.delete(old)
      }
      const outcome = make()
      made.set(key, { outcome, until: now + lifetime })
      try {
        return await outcome
      } catch (thrown) {
        made.delete(key)
        throw thrown
      }
    },
  }
}
