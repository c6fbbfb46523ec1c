import { type Html, html } from '../base/html.js'
import type { ViewContext } from './field.js'

/** A related record by its label: a link where the user may follow it, struck through and said to be deleted where it lies in the trash. */
export function relatedShown({ label, href, trashed = false }: ViewContext['chosen'][number], { t, inWords }: ViewContext): Html {
  const named = trashed ? html`<s${!inWords && html` title="${t('trash.marked', { label })}"`}>${label}</s>` : html`${label}`
  const linked = href ? html`<a href="${href}">${named}</a>` : named
  return trashed ? html`${linked}<span class="${inWords ? 'muted' : 'unseen'}"> ${t('trash.mark')}</span>` : linked
}
