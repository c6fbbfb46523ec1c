/** Shift and a click on a head adds its column to what the list is sorted by already; without script the view options do. */
export function sortMore(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.listing th a[data-also]')
    if (!link || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const other = link.cloneNode() as HTMLAnchorElement
    other.href = link.dataset.also as string
    other.hidden = true
    // Whatever follows links in this list follows this one.
    link.after(other)
    other.click()
    other.remove()
  })
}
