import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { bars } from './chart-bars.js'
import { doughnut } from './chart-doughnut.js'
import { type ChartView, groupName, type NumberView, type SeriesView, swatch } from './chart-parts.js'
import { plot } from './chart-plot.js'

/** Numbers as a drawing, and as a table of the same: the drawing is not read out. */
export function chart(view: ChartView, t: Translate): Html {
  const { name, label, url, type, series, groups, note, days } = view
  const empty = groups.length === 0 || series.every(({ values }) => values.every(({ value }) => value === null || value === 0))
  const several = series.length > 1
  const drawn = () => (type === 'bar' ? bars(view, t) : type === 'doughnut' ? doughnut(view, t) : plot(view, type))
  return block`
    <figure class="card chart" id="${name}" data-fragment="${url}" aria-labelledby="${name}_label">
      <figcaption id="${name}_label">${label}</figcaption>
      ${
        empty
          ? html`<p class="nothing">${days === null ? t('chart.empty') : t('chart.emptyIn', { days })}</p>`
          : block`
            ${several && legend(series)}${drawn()}
            ${(several || type === 'column' || type === 'line') && numbers(view, t)}
            ${note !== null && html`<p class="more">${note}</p>`}
          `
      }
    </figure>
  `
}

function legend(series: readonly SeriesView[]): Html {
  return html`<ul class="legend" aria-hidden="true">${series.map(({ label, tone }) => html`<li>${swatch(tone)}${label}</li>`)}</ul>`
}

function numbers({ label, groups, series, stacked, totals }: ChartView, t: Translate): Html {
  const cell = ({ text }: NumberView) => html`<td class="number">${text}</td>`
  const withTotals = stacked && series.length > 1
  return block`
    <details class="numbers">
      <summary>${t('chart.numbers')}</summary>
      <div class="table" role="region" aria-label="${label}" tabindex="0">
        <table>
          <thead>
            <tr>
              <td></td>
              ${series.map((one) => html`<th scope="col">${one.label}</th>`)}
              ${withTotals && html`<th scope="col">${t('chart.total')}</th>`}
            </tr>
          </thead>
          <tbody>
            ${groups.map(
              (group, index) =>
                block`
                  <tr>
                    <th scope="row">${groupName(group, t)}</th>
                    ${series.map(({ values }) => cell(values[index] as NumberView))}
                    ${withTotals && cell(totals[index] as NumberView)}
                  </tr>
                `,
            )}
          </tbody>
        </table>
      </div>
    </details>
  `
}
