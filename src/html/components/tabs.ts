import { block, type Html, html } from '../../base/html.js'

export interface Tab {
  readonly label: string
  readonly href: string
  readonly current: boolean
}

/** Tabs for named views of a list. */
export function tabs(all: readonly Tab[], label: string): Html {
  return block`
    <nav class="tabs" aria-label="${label}">
      ${all.map((tab) => html`<a href="${tab.href}"${tab.current && html` aria-current="page"`}>${tab.label}</a>`)}
    </nav>
  `
}
