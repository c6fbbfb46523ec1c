import { a } from '../../base/setting.js'
import type { Tone } from '../../field/tone.js'
import { tones } from '../../field/tone.js'
import type { Badge, Common } from '../pages/component.js'
import type { Reading } from '../pages/figure.js'
import { aReading } from '../pages/figure.js'
import { refuseWrong } from '../problem.js'

const settings = { name: a.text, value: aReading, label: a.text, tone: a.literal(...tones), can: a.value }

/** A state as a word or a number. */
export function badge(
  spec: Common & {
    /** Unique on its page: lower-case letters, digits and hyphens. */
    readonly name: string
    /** Text, a number, a figure, or a function that returns text or a number. */
    readonly value: Reading
    /** What users read beside the value. Default: nothing. */
    readonly label?: string
    /** How it looks. Default: `info`. */
    readonly tone?: Tone
  },
): Badge {
  refuseWrong('badge()', spec, settings, 'name', 'value')
  return Object.freeze({ ...spec, is: 'badge', label: spec.label ?? null, tone: spec.tone ?? 'info' })
}
