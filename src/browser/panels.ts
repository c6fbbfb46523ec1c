/** Closes an open filter when the user clicks elsewhere. */
export function panels(): void {
  addEventListener('click', (event) => {
    // Enter in a field fires a click on the form's first button, wherever that is, so the focus must be outside, too.
    for (const panel of document.querySelectorAll<HTMLDetailsElement>('.filter[open]'))
      if (!panel.contains(event.target as Node) && !panel.contains(document.activeElement)) panel.open = false
  })
}
