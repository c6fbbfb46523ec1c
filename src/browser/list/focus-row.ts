/** Makes a row the one of its list that the Tab key stops at, and focuses it. */
export function focusRow(row: HTMLTableRowElement, options?: FocusOptions): void {
  for (const one of row.closest('.listing')?.querySelectorAll('tbody > tr[tabindex="0"]') ?? []) one.setAttribute('tabindex', '-1')
  row.tabIndex = 0
  row.focus(options)
}
