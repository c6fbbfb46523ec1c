/** A panel that lies over the page closes when one goes on elsewhere. */
export function panels(): void {
  addEventListener('click', (event) => {
    for (const panel of document.querySelectorAll<HTMLDetailsElement>('.filter[open]'))
      if (!panel.contains(event.target as Node)) panel.open = false
  })
}
