import { problem, text } from './parts.js'
import { signInPart } from './signed-out.js'

/** Says below a row what went wrong with it. */
export function rowNote(row: HTMLTableRowElement, message: string, again?: () => void): void {
  putBelow(row, problem(message, again))
}

/** Says below a row that nobody is signed in any more, with the way to the sign-in. */
export function signInNote(row: HTMLTableRowElement): void {
  const { login } = document.body.dataset
  putBelow(row, login === undefined ? problem(text('signedOut')) : signInPart(login))
}

function putBelow(row: HTMLTableRowElement, notice: HTMLElement): void {
  clearNote(row)
  const line = row.ownerDocument.createElement('tr')
  const cell = document.createElement('td')
  line.className = 'row-note'
  cell.colSpan = row.cells.length
  line.append(cell)
  row.after(line)
  // Put in last, so that it is read out.
  cell.append(notice)
}

/** Takes back what was said of a row. */
export function clearNote(row: HTMLTableRowElement): void {
  if (row.nextElementSibling?.matches('.row-note')) row.nextElementSibling.remove()
}
