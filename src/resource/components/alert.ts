import type { Tone } from '../../field/tone.js'
import type { Alert, Common } from '../pages/component.js'

/**
 * A message to whoever sees the page.
 *
 * @param tone `info`, `good`, `warn` or `bad`
 * @param title its first line
 */
export function alert(
  tone: Tone,
  title: string,
  {
    text,
    ...more
  }: Common & {
    /** More text. Default: none. */
    readonly text?: string
  } = {},
): Alert {
  return Object.freeze({ is: 'alert', tone, title, text: text ?? null, ...more })
}
