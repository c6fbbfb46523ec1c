/** The rows of a list that are records, in order. */
export function rowsOf(list: Element): NodeListOf<HTMLTableRowElement> {
  return list.querySelectorAll<HTMLTableRowElement>('tbody > tr[data-key]')
}
