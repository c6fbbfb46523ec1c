import { block, type Html, html } from '../../base/html.js'

export function box(title: string | null, inside: readonly Html[]): Html {
  return block`
    <section class="card boxed"${title !== null && html` aria-label="${title}"`}>
      ${title !== null && html`<h2>${title}</h2>`}${inside}
    </section>
  `
}
