import { block, type Html, html } from '../../base/html.js'

export interface MetricView {
  readonly name: string
  readonly label: string
  /** The URL of this component alone. */
  readonly url: string
  readonly value: Html
  readonly href: string | null
  /** The record that has the value. */
  readonly note: { readonly label: string; readonly href: string } | null
  readonly trend: TrendView | null
}

/** How a value compares with the one before. */
export interface TrendView {
  /** By how much it is more or less; null: nobody can say. */
  readonly part: string | null
  readonly direction: 'up' | 'down' | null
  readonly tone: 'good' | 'bad' | null
  /** The value before, with its label. */
  readonly before: Html
}

/** A value with its label. */
export function metric({ name, label, url, value, href, note, trend }: MetricView): Html {
  return block`
    <div class="card metric" id="${name}" data-fragment="${url}">
      <div class="label">${href === null ? label : html`<a href="${href}">${label}</a>`}</div>
      <div class="value">${value}</div>
      ${trend && trendHtml(trend)}
      ${note && html`<div class="note"><a href="${note.href}">${note.label}</a></div>`}
    </div>
  `
}

// The sign of the number says what the arrow shows.
function trendHtml({ part, direction, tone, before }: TrendView): Html {
  const arrow = direction && html`<span aria-hidden="true">${direction === 'up' ? html`&#9650;` : html`&#9660;`}</span>`
  return block`
    <div class="trend">
      ${part !== null && html`<span class="part${tone && ` ${tone}`}">${arrow}${part}</span>`}
      <span class="muted">${before}</span>
    </div>
  `
}
