import { block, type Html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface DialogView {
  readonly name: string
  /** The label of the button that opens it. */
  readonly label: string
  readonly title: string
  /** Whether it is at the side rather than in the middle. */
  readonly beside: boolean
  /** The URL of this component alone. */
  readonly url: string
}

/** Components in a dialog with the button that opens it. It is a popover, so it needs no script. */
export function dialog({ name, label, title, beside, url }: DialogView, inside: readonly Html[], t: Translate): Html {
  return block`
    <div data-fragment="${url}">
      <button type="button" class="button" popovertarget="${name}"><span class="text">${label}</span></button>
      <div class="dialog${beside && ' beside'}" popover id="${name}" role="dialog" tabindex="-1" autofocus aria-labelledby="${name}-title">
        <header>
          <h2 id="${name}-title">${title}</h2>
          <button
            type="button"
            class="button plain square"
            popovertarget="${name}"
            popovertargetaction="hide"
            aria-label="${t('component.close')}"
          >
            ${icon('x')}
          </button>
        </header>
        <div class="composed">${inside}</div>
      </div>
    </div>
  `
}
