import { block, type Html } from '../../base/html.js'

export interface MeterView {
  readonly name: string
  readonly label: string
  /** The URL of this component alone. */
  readonly url: string
  readonly value: number
  readonly max: number
  /** The same in words. */
  readonly text: string
}

/** How much of something there is or is done. */
export function meter({ name, label, url, value, max, text }: MeterView): Html {
  return block`
    <div class="meter" id="${name}" data-fragment="${url}">
      <label for="${name}-bar">${label}</label><span class="text">${text}</span>
      <progress id="${name}-bar" value="${value}" max="${max > 0 ? max : 1}">${text}</progress>
    </div>
  `
}
