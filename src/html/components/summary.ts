import { block, type Html, html } from '../../base/html.js'

/** A cell below a column. */
export interface SummaryCell {
  /** The label of the column, which a phone shows beside the number. */
  readonly label: string
  /** Whether the column labels the records: the row has its own label there. */
  readonly first: boolean
  /** The number in words; null: there is none. */
  readonly value: string | null
}

/** Which cells the rows above have besides those of the columns. */
interface Beside {
  readonly moves: boolean
  readonly picks: boolean
  readonly menus: boolean
}

/** A row in the foot of a table, with numbers over the columns. */
export function summaryRow(label: string, cells: readonly SummaryCell[], { moves, picks, menus }: Beside): Html {
  return block`
    <tr class="summary">
      ${moves && html`<td class="move"></td>`}${picks && html`<td class="pick"></td>`}
      ${cells.map((one) => cell(one, label))}${menus && html`<td class="act"></td>`}
    </tr>
  `
}

function cell({ label, first, value }: SummaryCell, row: string): Html {
  if (first) return html`<th scope="row" class="first">${row}${value !== null && html` <b>${value}</b>`}</th>`
  return value === null ? html`<td></td>` : html`<td class="end" data-label="${label}">${value}</td>`
}
