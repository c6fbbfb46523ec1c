import { attributes, type Html, html } from '../../base/html.js'
import { buttonLink, classOf, inside, type Look } from './button.js'

/** The target of a custom button: a page, a client event, or a form elsewhere on the page. */
export type ActionTarget =
  | { readonly href: string }
  | { readonly event: string }
  | {
      readonly form: string
      readonly action: string
      readonly method: string
      /** What the button sends, if its form has the method in a field of its own. */
      readonly sends?: readonly [name: string, value: string]
      /** The token, if the button gets a form of its own, as in a menu. */
      readonly token?: Html
      /** What a script does instead: open the action's form, or run it and show the result. */
      readonly script?: 'ask' | 'run'
    }

/** A custom button. */
export function actionButton(look: Look, target: ActionTarget): Html {
  if ('href' in target) return buttonLink({ ...look, href: target.href })
  return html`<button class="${classOf(look)}"${targetAttributes(target)}>${inside(look)}</button>`
}

/** The attributes by which a button reaches its target. */
export function targetAttributes(target: Exclude<ActionTarget, { readonly href: string }>): Html {
  // Events need a script; without one, the stylesheet hides the button.
  if ('event' in target) return attributes({ type: 'button', 'data-event': target.event })
  const [name, value] = target.sends ?? ['_method', target.method]
  const form = target.token ? null : target.form
  return attributes({ form, formaction: target.action, name, value, 'data-action': target.script ?? null })
}
