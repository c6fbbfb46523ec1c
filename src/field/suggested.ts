import { type Html, html } from '../base/html.js'

/** What an input with `list="{id}"` offers. */
export function suggested(id: string, texts: readonly string[]): Html {
  return html`<datalist id="${id}">${texts.map((text) => html`<option value="${text}">`)}</datalist>`
}
