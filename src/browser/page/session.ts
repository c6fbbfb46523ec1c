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

/** Removes everything whose name begins so and goes on with a path below this one. */
export function forgetAll(start: string, path: string): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(start) && name.includes(` ${path}`)) sessionStorage.removeItem(name)
  } catch {
    // Blocked: nothing was stored.
  }
}
