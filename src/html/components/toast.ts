import { type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface Said {
  readonly text: string
  readonly tone: 'success' | 'info' | 'warning' | 'error'
}

const icons = { success: 'check-circle', info: 'info', warning: 'warning', error: 'wrong' } as const

export const tones = Object.keys(icons) as readonly Said['tone'][]

/** News, in passing; the style sheet takes them away, but for errors, which stay until they are dismissed. */
export function toast({ text, tone }: Said, t: Translate): Html {
  return html`<div class="toast${tone !== 'success' && html` ${tone}`}"${tone === 'error' && html` role="alert"`}>${icon(icons[tone])}<span>${text}</span><button type="button" class="dismiss scripted" aria-label="${t('script.dismiss')}">${icon('x')}</button></div>`
}

/** Where news appear: they are read out, since the place was there before. */
export function toasts(flash: Said | null, t: Translate): Html {
  return html`<div class="toasts" role="status">${flash !== null && toast(flash, t)}</div>`
}
