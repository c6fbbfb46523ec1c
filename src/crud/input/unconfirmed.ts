import type { Input } from '../call/input.js'
import { panelText } from './panel-text.js'

/** Whether to ask for confirmation: a form with `_method=DELETE` is asked once, a real DELETE acts at once. */
export function unconfirmed(input: Input): boolean {
  return panelText(input, '_method') !== '' && panelText(input, '_confirmed') !== '1'
}
