import { type Html, html } from '../../base/html.js'

export interface Fact {
  readonly label: string
  readonly value: Html
}

/** A record's values with their labels. */
export function facts(all: readonly Fact[]): Html {
  return html`<dl class="facts">${all.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** One column of cards, or a main and a side column. */
export function columns(main: Html, side: Html | null): Html {
  if (side === null) return html`<div class="body single"><div class="stack">${main}</div></div>`
  return html`<div class="body"><div class="stack">${main}</div><aside class="stack aside">${side}</aside></div>`
}
