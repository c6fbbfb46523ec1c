/** Reads from the tab's session storage; null if the browser blocks it. */
export function remembered(name: string): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

/** @param value null removes it */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // Blocked or full: the page works without.
  }
}

/** Removes everything whose name begins so. */
export function forgetAll(start: string): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(start)) sessionStorage.removeItem(name)
  } catch {
    // Blocked: nothing was stored.
  }
}
