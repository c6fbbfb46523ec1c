import type { Common, Progress } from '../component.js'
import type { Reading } from '../figure.js'

/** How much of something there is, or is done. */
export function progress(
  spec: Common & {
    readonly name: string
    readonly label: string
    readonly value: Reading
    /** Default 100. */
    readonly max?: Reading
  },
): Progress {
  return Object.freeze({ ...spec, is: 'progress', max: spec.max ?? 100 })
}
