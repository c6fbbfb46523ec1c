import { block, type Html, html } from '../../base/html.js'
import type { Translate } from '../../base/messages.js'
import { icon } from './icon.js'

export interface ToastView {
  readonly text: string
  readonly tone: 'success' | 'info' | 'warning' | 'error'
  /** What can be done about it. */
  readonly action?: Html | undefined
}

const icons = { success: 'check-circle', info: 'info', warning: 'warning', error: 'wrong' } as const

export const tones = Object.keys(icons) as readonly ToastView['tone'][]

/** A toast. The stylesheet hides it after a while, except errors, which stay until dismissed. */
export function toast({ text, tone, action }: ToastView, t: Translate): Html {
  return block`
    <div class="toast${tone !== 'success' && html` ${tone}`}"${tone === 'error' && html` role="alert"`}>
      ${icon(icons[tone])}<span>${text}</span>${action}
      <button type="button" class="dismiss scripted" aria-label="${t('script.dismiss')}">${icon('x')}</button>
    </div>
  `
}

/** The live region for toasts. It is in the page from the start, so that screen readers announce what is added. */
export function toasts(flash: ToastView | null, t: Translate): Html {
  return html`<div class="toasts" role="status">${flash !== null && toast(flash, t)}</div>`
}
