/** Moves the focus to the list's rows, or else the page, when the focused element is gone, as after a delete. */
export function focusList(list: Element | null | undefined): void {
  const place = list?.querySelector<HTMLElement>('.scroller') ?? document.querySelector<HTMLElement>('main')
  // Without scrolling: a list that is longer than the window would jump to its head.
  place?.focus({ preventScroll: true })
}
