import { type Html, html } from '../../base/html.js'
import { icon } from './icon.js'

export interface NoticeLine {
  readonly text: string
  /** Where it can be put right. */
  readonly href?: string
}

/** Something that stands in the way, or nearly so, with where to put it right. What a page was shown for has the focus there. */
export function notice(tone: 'info' | 'good' | 'warn' | 'bad', title: string, lines: readonly NoticeLine[] = [], focused = false): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"${focused && html` tabindex="-1" autofocus`}>${icon(icons[tone])}<div><p>${title}</p>${lines.length > 0 && html`<ul>${lines.map(({ text, href }) => html`<li>${href === undefined ? text : html`<a href="${href}">${text}</a>`}</li>`)}</ul>`}</div></div>`
}

const icons = { info: 'info', good: 'check-circle', warn: 'warning', bad: 'wrong' } as const
