import type { PageButton } from '../action.js'
import type { ActionButton } from '../component.js'

/** A button that calls a method of its page, runs a handler of a resource, fires a client event, or leads elsewhere. */
export function actionButton(spec: PageButton): ActionButton {
  const { can, ...button } = spec
  return Object.freeze({ is: 'button', button: Object.freeze(button), ...(can !== undefined && { can }) })
}
