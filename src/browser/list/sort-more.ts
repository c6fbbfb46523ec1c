/** Shift+click on a column head adds it to the sort order. Without script, the view options do. */
export function sortMore(): void {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.listing th a[data-also]')
    if (!link || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const other = link.cloneNode() as HTMLAnchorElement
    other.href = link.dataset.also as string
    other.hidden = true
    // A temporary link, so that the list's own link handling follows it.
    link.after(other)
    other.click()
    other.remove()
  })
}
