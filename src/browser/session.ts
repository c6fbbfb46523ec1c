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
