/** For what had the focus and is gone: the rows, as after a delete of one of them; where there are none, the page. */
export function focusList(list: Element | null | undefined): void {
  const place = list?.querySelector<HTMLElement>('.scroller') ?? document.querySelector<HTMLElement>('main')
  place?.focus()
}
