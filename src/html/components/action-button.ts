import { attributes, type Html, html } from '../../base/html.js'
import { buttonLink, classOf, inside, type Look } from './button.js'

/** What a button of the application's own leads to: a page, a client event, or a form that stands elsewhere. */
export type ActionTarget =
  | { readonly href: string }
  | { readonly event: string }
  | {
      readonly form: string
      readonly action: string
      readonly method: string
      /** What a form of its own sends along, where a menu gives it one. */
      readonly token?: Html
      /** What a script makes of it: it shows the form first, or sends it and says what came of it. */
      readonly script?: 'ask' | 'run'
    }

/** A button of the application's own. */
export function actionButton(look: Look, target: ActionTarget): Html {
  if ('href' in target) return buttonLink({ ...look, href: target.href })
  return html`<button class="${classOf(look)}"${targetAttributes(target)}>${inside(look)}</button>`
}

/** What makes a button do it. */
export function targetAttributes(target: Exclude<ActionTarget, { readonly href: string }>): Html {
  // Without script nobody hears of an event: the style sheet leaves its button out.
  if ('event' in target) return html`${attributes({ type: 'button', 'data-event': target.event })}`
  return html`${attributes({ form: target.token ? null : target.form, formaction: target.action, name: '_method', value: target.method, 'data-action': target.script ?? null })}`
}
