import { a } from '../../base/setting.js'
import type { Common, Progress } from '../pages/component.js'
import type { Reading } from '../pages/figure.js'
import { aReading } from '../pages/figure.js'
import { refuseWrong } from '../problem.js'

const settings = { name: a.text, label: a.text, value: aReading, max: aReading, can: a.value }

/** A progress bar: how much of something there is, or is done. */
export function progress(
  spec: Common & {
    /** Unique on its page: lower-case letters, digits and hyphens. */
    readonly name: string
    /** What users read beside it. */
    readonly label: string
    /** How far it is: a number, a figure, or a function that returns a number. */
    readonly value: Reading
    /** The value at which it is full. Default: 100. */
    readonly max?: Reading
  },
): Progress {
  refuseWrong('progress()', spec, settings, 'name', 'label', 'value')
  return Object.freeze({ ...spec, is: 'progress', max: spec.max ?? 100 })
}
