import { problem } from './parts.js'

/** Says below a row what went wrong with it. */
export function rowNote(row: HTMLTableRowElement, message: string, again?: () => void): void {
  clearNote(row)
  const line = row.ownerDocument.createElement('tr')
  const cell = document.createElement('td')
  line.className = 'row-note'
  cell.colSpan = row.cells.length
  line.append(cell)
  row.after(line)
  // Put in last, so that it is read out.
  cell.append(problem(message, again))
}

/** Takes back what was said of a row. */
export function clearNote(row: HTMLTableRowElement): void {
  if (row.nextElementSibling?.matches('.row-note')) row.nextElementSibling.remove()
}
