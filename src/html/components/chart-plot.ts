import { block, type Html, html } from '../../base/html.js'
import { type ChartView, type GroupView, percent, type SeriesView, swatch } from './chart-parts.js'
import { scaleOf } from './chart-scale.js'

/**
 * Columns or lines over a scale. Everything is placed in percent, so that it fits any width without script; texts are HTML, which does not
 * stretch. Not read out, since the table of numbers below is.
 */
export function plot(view: ChartView, type: 'column' | 'line'): Html {
  const { groups, series, stacked, scaleText, wholeNumbers } = view
  const piled = stacked && type === 'column'
  const values = series.map((one) => one.values.map(({ value }) => value))
  const scale = scaleOf(piled ? groups.flatMap((_, at) => pile(values, at)) : values.flat().filter((value) => value !== null), wholeNumbers)
  const { ticks, at } = scale
  const lines = ticks.map(
    (tick) => html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="0" x2="100%" y1="${percent(at(tick))}" y2="${percent(at(tick))}"/>`,
  )
  const labels = labelsOf(groups)
  const drawn = type === 'line' ? series.map((one) => line(one, at)) : groups.map((group, index) => column(view, group, index, at))
  return block`
    <div class="plot" dir="ltr" aria-hidden="true">
      <ol class="scale">${ticks.toReversed().map((tick) => html`<li>${scaleText(tick)}</li>`)}</ol>
      <div class="field">
        <svg>${lines}${drawn}</svg>
        <ol class="slots${labels.narrow === 1 && ' each'}">${groups.map((_, index) => slot(view, index, labels))}</ol>
      </div>
    </div>
  `
}

/** Where the pile of a group ends, below 0 and above. */
function pile(values: readonly (readonly (number | null)[])[], index: number): readonly number[] {
  const own = values.map((one) => one[index] ?? 0)
  return [own.reduce((sum, value) => sum + Math.min(0, value), 0), own.reduce((sum, value) => sum + Math.max(0, value), 0)]
}

// A column takes so much of its slot, and no more than this in percent of the whole.
const [filled, widest] = [0.72, 12]

/** The columns of a group: one on another as parts of a whole, else side by side. */
function column({ groups, series, stacked }: ChartView, { current, alone }: GroupView, index: number, at: (value: number) => number): Html {
  const slot = 100 / groups.length
  const width = Math.min(slot * filled, widest)
  const single = stacked ? width : width / series.length
  const left = (index + 0.5) * slot - width / 2
  const place = { above: 0, below: 0 }
  return block`
    <g${current && html` class="current"`}>
      ${series.map(({ tone, values }, number) => {
        const value = values[index]?.value ?? 0
        if (value === 0) return null
        const side = value < 0 ? 'below' : 'above'
        const from = stacked ? place[side] : 0
        place[side] = from + value
        const [top, bottom] = [at(Math.max(from, from + value)), at(Math.min(from, from + value))]
        return block`
          <rect
            class="tone-${(series.length === 1 && alone) || tone}"
            x="${percent(left + (stacked ? 0 : number * single))}"
            y="${percent(top)}"
            width="${percent(single)}"
            height="${percent(bottom - top)}"/
          >
        `
      })}
    </g>
  `
}

/** A line through the middle of the slots, with a gap where there is no number. It may stretch, but its width doesn't. */
function line({ tone, values }: SeriesView, at: (value: number) => number): Html {
  const two = (value: number) => String(Math.round(value * 100) / 100)
  const has = (index: number) => (values[index]?.value ?? null) !== null
  let path = ''
  let points = ''
  for (const [index, { value }] of values.entries()) {
    if (value === null) continue
    const place = `${two(((index + 0.5) * 100) / values.length)} ${two(at(value))}`
    // A line of no length is a dot, since its ends are round.
    if (!has(index - 1) && !has(index + 1)) points += `M${place}h0`
    else path += `${has(index - 1) ? 'L' : 'M'}${place}`
  }
  const drawn = (d: string, name: string) => d !== '' && html`<path class="${name}" d="${d}" vector-effect="non-scaling-stroke"/>`
  return block`
    <svg class="tone-${tone}" viewBox="0 0 100 100" preserveAspectRatio="none">${drawn(path, 'line')}${drawn(points, 'points')}</svg>
  `
}

// What a label takes in pixels, about, and the width of a chart on half a page and on a whole one.
const [letter, gap, half, whole] = [7, 8, 360, 800]
// So many groups each have a label, however long: it is cut off where there is no room.
const few = 4

/** Which groups have a label, so that labels do not touch: every so many of them where there is room, and where there is less. */
interface Labels {
  readonly roomy: number
  readonly narrow: number
}

function labelsOf(groups: readonly GroupView[]): Labels {
  if (groups.length <= few) return { roomy: 1, narrow: 1 }
  const lengths = groups.map(({ short }) => short.length).sort((a, b) => a - b)
  const usual = lengths[Math.floor(lengths.length / 2)] ?? 0
  const needed = groups.length * (Math.min(usual, 24) * letter + gap)
  const roomy = Math.max(1, Math.ceil(needed / whole))
  return { roomy, narrow: roomy * Math.ceil(needed / half / roomy) }
}

/** Whether a label is left out where there is less room, or only on a phone; null: it has none at all. */
function labelClass(index: number, { roomy, narrow }: Labels): string | null {
  if (index % roomy > 0) return null
  if (index % narrow > 0) return 'at roomy'
  return (index / narrow) % 2 === 1 ? 'at minor' : 'at'
}

/** The part of the chart that belongs to a group: its label, its numbers while it is pointed at, and the way to its records. */
function slot({ groups, series, totals, stacked }: ChartView, index: number, labels: Labels): Html {
  const { label, short, href } = groups[index] as GroupView
  const named = groups.length > few ? labelClass(index, labels) : 'at'
  const name = named !== null && html`<span class="${named}">${short}</span>`
  const side = index < groups.length / 3 ? ' start' : index >= (groups.length * 2) / 3 ? ' end' : ''
  const several = series.length > 1
  const tip = block`
    <span class="tip${side}">
      <b>${label}</b>
      ${series.map(
        (one) =>
          block`
            <span>
              ${several && swatch(one.tone)}${several && html`<span>${one.label}</span>`}
              <span class="number">${one.values[index]?.text}</span>
            </span>
          `,
      )}
      ${several && stacked && html`<span class="total"><span class="number">${totals[index]?.text}</span></span>`}
    </span>
  `
  return block`
    <li>${href === null ? html`<span class="hit">${tip}</span>` : html`<a class="hit" href="${href}" tabindex="-1">${tip}</a>`}${name}</li>
  `
}
