// While a database is down, everything fails on it.
const pause = 60_000

/**
 * Returns what tells whether to log why a database is away, or cannot be written to: at once, then once a minute.
 *
 * @param now a clock in milliseconds. Default: one that is never set
 */
export function makeOutages(now: () => number = () => performance.now()): (cause: unknown) => boolean {
  const logged = new Map<string, number>()
  return (cause) => {
    const reason = String((cause as { readonly code?: unknown }).code ?? (cause as { readonly message?: unknown }).message)
    const at = now()
    if (at - (logged.get(reason) ?? Number.NEGATIVE_INFINITY) < pause) return false
    logged.set(reason, at)
    return true
  }
}
