import { a } from '../../base/setting.js'
import type { Tone } from '../../field/tone.js'
import { tones } from '../../field/tone.js'
import type { Alert, Common } from '../pages/component.js'
import { refuseWrong } from '../problem.js'

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
  const settings = { tone: a.literal(...tones), title: a.text, text: a.text, can: a.value }
  refuseWrong('alert()', { tone, title, ...more, ...(text !== undefined && { text }) }, settings, 'tone', 'title')
  return Object.freeze({ is: 'alert', tone, title, text: text ?? null, ...more })
}
