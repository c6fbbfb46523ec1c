import type { PageButton } from '../resource/action.js'
import type { BoundAction } from '../resource/bind-action.js'
import type { Input } from './call.js'
import { panelParameter } from './panel-text.js'

/** What tells a button of an action from another one. */
export type AnyButton = Pick<PageButton, 'label' | 'handler' | 'method' | 'confirm' | 'tone'>

/** The button by which an action was asked for; null: none that is known. */
export interface Pressed {
  readonly button: AnyButton | null
  /** What says again which one it was. */
  readonly said: readonly (readonly [name: '_button', text: string])[]
}

/** Two buttons may name one action and ask different things: a request says which one was pressed by its number. What it asks is never taken from an address. */
export function pressedButton(input: Input, buttons: readonly AnyButton[], { uri }: BoundAction): Pressed {
  const text = panelParameter(input, '_button')
  const button = /^\d{1,4}$/.test(text) ? buttons[Number(text)] : undefined
  if (!button || (button.handler !== uri && button.method !== uri)) return { button: null, said: [] }
  return { button, said: [['_button', text]] }
}
