import type { Tone } from '../../field/tone.js'
import type { Badge, Common } from '../pages/component.js'
import type { Reading } from '../pages/figure.js'

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
  return Object.freeze({ ...spec, is: 'badge', label: spec.label ?? null, tone: spec.tone ?? 'info' })
}
