import { type Html, html } from '../../base/html.js'

export interface MetricView {
  readonly name: string
  readonly label: string
  /** The URL of this component alone. */
  readonly url: string
  readonly value: Html
  readonly href: string | null
  /** The record that has the value. */
  readonly note: { readonly label: string; readonly href: string } | null
}

/** A value with its label. */
export function metric({ name, label, url, value, href, note }: MetricView): Html {
  return html`<div class="card metric" id="${name}" data-fragment="${url}"><div class="label">${href === null ? label : html`<a href="${href}">${label}</a>`}</div><div class="value">${value}</div>${note && html`<div class="note"><a href="${note.href}">${note.label}</a></div>`}</div>`
}
