/** What is kept for as long as the tab is. Where the browser keeps nothing, nothing is found. */
export function remembered(name: string): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

/** @param value null: it is forgotten */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // Or it is full: the page does without.
  }
}
