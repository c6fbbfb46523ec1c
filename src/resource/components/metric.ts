import { a } from '../../base/setting.js'
import type { Declared } from '../condition/declared.js'
import { aResource } from '../model/sorts.js'
import type { Before, Common, Metric } from '../pages/component.js'
import type { Reading } from '../pages/figure.js'
import { aReading } from '../pages/figure.js'
import { refuseWrong } from '../problem.js'

const settings = {
  name: a.text,
  label: a.text,
  value: aReading,
  before: a.form<Before>({ value: aReading, label: a.text }, 'value'),
  rise: a.literal('good', 'bad'),
  link: aResource,
  can: a.value,
}

/** A value under a label, such as a count, a sum or a largest value. */
export function metric(
  spec: Common & {
    /** Unique on its page: lower-case letters, digits and hyphens. */
    readonly name: string
    /** What users read beside the value. */
    readonly label: string
    /** Text, a number, a figure, or a function that returns one of the first two. */
    readonly value: Reading
    /** What to compare a number with, such as that of the month before: users see by how much it is more or less. Default: nothing. */
    readonly before?: Before
    /** Whether it is good or bad if the number is more than before, which colours the difference. Default: neither. */
    readonly rise?: 'good' | 'bad'
    /** Where it leads: the list of a resource, or a URL. Default: nowhere. */
    readonly link?: Declared | string
  },
): Metric {
  refuseWrong('metric()', spec, settings, 'name', 'label', 'value')
  return Object.freeze({ ...spec, is: 'metric', before: spec.before ?? null, rise: spec.rise ?? null, link: spec.link ?? null })
}
