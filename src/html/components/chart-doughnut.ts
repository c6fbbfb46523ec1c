import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { type ChartView, groupName, swatch } from './chart-parts.js'

/** The parts of a whole as a ring, with a table of what they are. Numbers below 0 are no part. */
export function doughnut({ label, groups, series: [one], scaleText, shareText }: ChartView, t: Translate): Html {
  const values = groups.map((_, index) => Math.max(0, one?.values[index]?.value ?? 0))
  const whole = values.reduce((sum, value) => sum + value, 0)
  // Each by the largest, since the sum of doubles may be none.
  const parts = values.map((value) => value / (Math.max(...values) || 1))
  const sum = parts.reduce((all, part) => all + part, 0)
  const shares = parts.map((part) => (sum === 0 ? 0 : part / sum))
  let from = 0
  let before: string | undefined
  const gaps: Html[] = []
  const ring = shares.map((share, index) => {
    const start = from
    from += share
    const length = Math.round(share * 10_000) / 100
    const tone = groups[index]?.tone
    // Beyond the colours, parts next to each other would be one.
    if (length > 0 && tone === before) gaps.push(gap(start))
    if (length > 0) before = tone
    // It begins at the top, a quarter before where circles do.
    return (
      length > 0 &&
      block`
        <circle
          class="tone-${tone}"
          r="16"
          cx="20"
          cy="20"
          pathLength="100"
          stroke-dasharray="${length} ${100 - length}"
          stroke-dashoffset="${Math.round((0.25 - start) * 10_000) / 100}"/
        >
      `
    )
  })
  return block`
    <div class="ring">
      <svg viewBox="0 0 40 40" aria-hidden="true">
        ${ring}${gaps}
        <text x="20" y="20">${Number.isFinite(whole) && scaleText(whole)}</text>
      </svg>
      <table class="bars">
        <caption class="unseen">${label}</caption>
        <tbody>
          ${groups.map(
            (group, index) =>
              block`
                <tr>
                  <th scope="row">${swatch(group.tone)}${groupName(group, t)}</th>
                  <td class="number">${one?.values[index]?.text}</td>
                  <td class="number share">${shareText(shares[index] as number)}</td>
                </tr>
              `,
          )}
        </tbody>
      </table>
    </div>
  `
}

/** A line through the ring, where a part begins. */
function gap(start: number): Html {
  return html`<line class="gap" x1="20" x2="20" y1="0" y2="8" transform="rotate(${Math.round(start * 36_000) / 100} 20 20)"/>`
}
