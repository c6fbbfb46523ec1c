import { block, type Html, html } from '../../base/html.js'
import type { Tone } from '../../field/tone.js'

export interface BadgeView {
  readonly name: string
  readonly tone: Tone
  readonly label: string | null
  /** The URL of this component alone. */
  readonly url: string
  readonly value: Html
}

/** A state as a word or number. */
export function badge({ name, tone, label, url, value }: BadgeView): Html {
  return block`
    <p class="state" id="${name}" data-fragment="${url}">
      ${label !== null && html`<span class="label">${label}</span> `}
      <span class="badge ${tone}">${value}</span>
    </p>
  `
}
