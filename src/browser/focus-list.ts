/** Moves the focus to the list's rows, or else the page, when the focused element is gone, as after a delete. */
export function focusList(list: Element | null | undefined): void {
  const place = list?.querySelector<HTMLElement>('.scroller') ?? document.querySelector<HTMLElement>('main')
  // Else a list that is longer than the screen jumps to the top.
  place?.focus({ preventScroll: true })
}
