import type { PageButton } from '../action/action.js'
import { aPageButton } from '../action/action.js'
import type { ActionButton } from '../pages/component.js'
import { refuse } from '../problem.js'

/**
 * A button among the components of a page: it calls a method of the page, runs a handler of a resource, opens a link or fires a client
 * event.
 */
export function actionButton(spec: PageButton): ActionButton {
  refuse('actionButton()', spec, aPageButton)
  const { can, ...button } = spec
  return Object.freeze({ is: 'button', button: Object.freeze(button), ...(can !== undefined && { can }) })
}
