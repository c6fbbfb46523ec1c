import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { type ChartView, groupName, type NumberView, percent } from './chart-parts.js'

/** Bars one below the other, each with its number: a table that is read out as it is. */
export function bars(view: ChartView, t: Translate): Html {
  const { label, groups, series, stacked, totals } = view
  const one = series.length === 1 ? series[0] : null
  return block`
    <table class="bars">
      <caption class="unseen">${label}</caption>
      <tbody>
        ${groups.map(
          (group, index) =>
            block`
              <tr>
                <th scope="row">${groupName(group, t)}</th>
                <td class="bar" aria-hidden="true">${bar(view, index)}</td>
                ${one ? number(one.values[index]) : stacked && number(totals[index])}
              </tr>
            `,
        )}
      </tbody>
    </table>
  `
}

function number(shown: NumberView | undefined): Html {
  return html`<td class="number">${shown?.text}</td>`
}

/** The bars of a group: side by side, or, as parts of a whole, one after the other. Negative ones extend to the left of 0. */
function bar({ groups, series, stacked }: ChartView, index: number): Html {
  const numbers = groups.map((_, at) => series.map(({ values }) => values[at]?.value ?? 0))
  // In shares of the largest, since the difference of two doubles may be none.
  const largest = Math.max(...numbers.flat().map(Math.abs)) || 1
  const rows = numbers.map((row) => row.map((value) => value / largest))
  const ends = rows.map(
    (row) => (stacked ? [sumOf(row, -1), sumOf(row, 1)] : [Math.min(0, ...row), Math.max(0, ...row)]) as [number, number],
  )
  const [least, most] = [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high))]
  const scale = 100 / (most - least || 1)
  const height = stacked ? 100 : 100 / series.length
  const place = { 1: 0, [-1]: 0 } as Record<1 | -1, number>
  return block`
    <svg class="bars-${stacked ? 1 : Math.min(series.length, 6)}">
      ${series.map(({ tone }, at) => {
        const value = rows[index]?.[at] ?? 0
        if (value === 0) return null
        const sign = value < 0 ? -1 : 1
        const from = stacked ? place[sign] : 0
        place[sign] = from + value
        const x = (Math.min(from, from + value) - least) * scale
        return block`
          <rect
            class="tone-${(series.length === 1 && groups[index]?.alone) || tone}"
            x="${percent(x)}"
            y="${stacked ? '0' : percent(at * height)}"
            width="${percent(Math.abs(value) * scale)}"
            height="${percent(height)}"/
          >
        `
      })}
    </svg>
  `
}

function sumOf(row: readonly number[], sign: 1 | -1): number {
  return row.reduce((sum, value) => (value * sign > 0 ? sum + value : sum), 0)
}
