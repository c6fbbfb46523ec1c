import type { PageButton } from '../../resource/action/action.js'
import type { BoundAction } from '../../resource/action/bind-action.js'
import type { Input } from '../call/input.js'
import { panelParameter } from './panel-text.js'

/** The parts of a button that matter here. */
export type AnyButton = Pick<PageButton, 'label' | 'handler' | 'method' | 'confirm' | 'tone'>

/** The button that requested an action; null: an unknown one. */
export interface PressedButton {
  readonly button: AnyButton | null
  /** The hidden fields that name the button again. */
  readonly said: readonly (readonly [name: '_button', text: string])[]
}

/**
 * Finds the pressed button by its number, since several buttons may run one action with different questions. The question itself is never
 * taken from a URL.
 */
export function pressedButton(input: Input, buttons: readonly AnyButton[], { uri }: BoundAction): PressedButton {
  const text = panelParameter(input, '_button')
  const button = /^\d{1,4}$/.test(text) ? buttons[Number(text)] : undefined
  if (!button || (button.handler !== uri && button.method !== uri)) return { button: null, said: [] }
  return { button, said: [['_button', text]] }
}
