/** A panel that lies over the page closes when one goes on elsewhere. */
export function panels(): void {
  addEventListener('click', (event) => {
    // Enter in a field clicks the first button of its form, wherever that is.
    for (const panel of document.querySelectorAll<HTMLDetailsElement>('.filter[open]'))
      if (!panel.contains(event.target as Node) && !panel.contains(document.activeElement)) panel.open = false
  })
}
