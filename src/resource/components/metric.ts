import type { Common, Metric } from '../component.js'
import type { Declared } from '../declared.js'
import type { Reading } from '../figure.js'

/** A value with what it is called: a count, a sum, the largest of its kind. */
export function metric(
  spec: Common & {
    readonly name: string
    readonly label: string
    readonly value: Reading
    /** Where it leads: a resource's list, or an address. */
    readonly link?: Declared | string
  },
): Metric {
  return Object.freeze({ ...spec, is: 'metric', link: spec.link ?? null })
}
