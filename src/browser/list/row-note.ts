import { problem, text } from '../page/parts.js'
import { signInPart } from '../page/signed-out.js'
import { toast } from '../page/toast.js'

/** Shows an error below a row. */
export function rowNote(row: HTMLTableRowElement, message: string, again?: () => void): void {
  // Its row may have left the page meanwhile.
  if (row.isConnected) putBelow(row, problem(message, again))
  else toast(message, 'error')
}

/** Shows below a row that the user is signed out, with a link to sign in. */
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
  // A live region must be in the page before its text is, to be read out.
  cell.append(notice)
}

/** Removes the note below a row. */
export function clearNote(row: HTMLTableRowElement): void {
  if (row.nextElementSibling?.matches('.row-note')) row.nextElementSibling.remove()
}
