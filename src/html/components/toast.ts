import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface Said {
  readonly text: string
  readonly tone: 'success' | 'info' | 'warning' | 'error'
}

/** News, in passing; the style sheet takes them away. */
export function toast({ text, tone }: Said, t: Translate): Html {
  return html`<div class="toast${tone !== 'success' && html` ${tone}`}"${tone === 'error' && html` role="alert"`}>${icon(tone === 'success' ? 'check-circle' : 'wrong')}<span>${text}</span><button type="button" class="dismiss scripted" aria-label="${t('script.dismiss')}">${icon('x')}</button></div>`
}

/** Where news appear: they are read out, since the place was there before. */
export function toasts(flash: Said | null, t: Translate): Html {
  return html`<div class="toasts" role="status">${flash !== null && toast(flash, t)}</div>`
}
