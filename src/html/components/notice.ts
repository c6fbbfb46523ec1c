import { block, type Html, html } from '../../base/html.js'
import type { Tone } from '../../field/tone.js'
import { icon } from './icon.js'

export interface NoticeLine {
  readonly text: string
  /** Where it can be fixed. */
  readonly href?: string
}

/** A warning or error with links to where it can be fixed. `focused` if it is the reason why the page is shown. */
export function notice(tone: Tone, title: string, lines: readonly NoticeLine[] = [], focused = false): Html {
  return block`
    <div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"${focused && html` tabindex="-1" autofocus`}>
      ${icon(icons[tone])}
      <div>
        <p>${title}</p>
        ${
          lines.length > 0 &&
          html`<ul>${lines.map(({ text, href }) => html`<li>${href === undefined ? text : html`<a href="${href}">${text}</a>`}</li>`)}</ul>`
        }
      </div>
    </div>
  `
}

const icons = { info: 'info', good: 'check-circle', warn: 'warning', bad: 'wrong' } as const
